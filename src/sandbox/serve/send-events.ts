import type { Reply } from './answering.js';

/** The members of an answer of either HTTP version. */
interface EventSink {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(text: string): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Sends texts as they come, as fast as the client reads them, until one of the two ends. */
export async function sendEvents(
  events: AsyncIterable<string>,
  response: Reply,
  headers: Readonly<Record<string, string>>,
  gone: AbortSignal,
): Promise<void> {
  const sink: EventSink = response;
  sink.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for await (const text of events) {
    if (gone.aborted) return;
    if (!sink.write(text)) await readOn(sink);
  }
  if (!gone.aborted) sink.end();
}

/** Resolves when the client has read what was written, or has gone away. */
function readOn(sink: EventSink): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      sink.off('drain', go);
      sink.off('close', go);
      resolve();
    };
    sink.on('drain', go);
    sink.on('close', go);
  });
}
