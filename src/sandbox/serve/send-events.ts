import type { Reply } from './answering.js';

/** The common members of responses of both HTTP versions. */
interface EventSink {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(text: string): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Sends texts as they come, as fast as the client reads them, until either side ends. */
export async function sendEvents(
  events: AsyncIterable<string>,
  response: Reply,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const sink: EventSink = response;
  sink.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for await (const text of events) {
    if (signal.aborted) return;
    if (!sink.write(text)) await readOn(sink);
  }
  if (!signal.aborted) sink.end();
}

/** Resolves when the client has read everything written, or has closed the connection. */
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
