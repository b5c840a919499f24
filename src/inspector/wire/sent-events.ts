/** An event that the sandbox has sent. */
export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Time in ms after which a burst of events pauses, so that the page can draw and react. */
const SLICE_MS = 8;

/**
 * Opens a stream of server-sent events. A browser's `EventSource` would hand over thousands of
 * them in one task.
 */
export async function sentEvents(path: string, signal: AbortSignal): Promise<AsyncGenerator<SentEvent, void>> {
  const { ok, body } = await fetch(path, { signal, cache: 'no-store' });
  if (!ok || body === null) throw new Error(`${path} is no stream`);
  return eventsOf(body.pipeThrough(new TextDecoderStream()).getReader());
}

async function* eventsOf(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<SentEvent, void> {
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    let began = performance.now();
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const sent = eventOf(block);
      if (sent !== undefined) yield sent;
      if (performance.now() - began < SLICE_MS) continue;
      await nextTask();
      began = performance.now();
    }
    await nextTask();
  }
}

/**
 * The event of a block of lines. Undefined: a comment, by which the sandbox keeps the connection.
 */
function eventOf(block: string): SentEvent | undefined {
  const lines = block.split('\n');
  const fieldOf = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [event, data] = [fieldOf('event'), fieldOf('data')];
  return event === undefined || data === undefined ? undefined : { event, data };
}

/** A timer would wait for up to a second in a page that is not seen. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
