import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { MAX_BODY_BYTES, type ReceivedBody, type RequestHead } from '../request/messages.js';

/** A request by HTTP/1.1 or HTTP/2. */
export type Incoming = IncomingMessage | Http2ServerRequest;

export function headOf(request: Incoming, scheme: 'http' | 'https'): RequestHead {
  const header = headerOf(request);
  const [method, target] = [request.method ?? '', request.url ?? ''];
  return { method, target, origin: originOf(header('host'), scheme), header, headers: () => request.rawHeaders };
}

/** The origin of the last request: most name the same host, and a URL takes its time to parse. */
let last = { url: '', origin: '' };

/** A client may name any host, or none. */
function originOf(host: string | undefined, scheme: string): string {
  const url = `${scheme}://${host ?? ''}`;
  if (url === last.url) return last.origin;
  const origin = URL.canParse(url) ? new URL(url).origin : `${scheme}://localhost`;
  last = { url, origin };
  return origin;
}

/** Returns a function for headers by their lower-case names. HTTP/2 calls the host otherwise. */
export function headerOf({ headers }: Incoming): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

/** Returns all headers by their lower-case names, without what HTTP/2 writes beside them. */
export function headersOf(request: Incoming): Record<string, string> {
  const header = headerOf(request);
  const names = Object.keys(request.headers).filter((name) => !name.startsWith(':'));
  return Object.fromEntries(names.map((name) => [name, header(name) ?? '']));
}

export function receivedBody(request: Incoming): Promise<ReceivedBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A body that is too large is read to its end, so the refusal reaches a client that is still
      // sending.
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      if (length > MAX_BODY_BYTES) resolve({ kind: 'too_large' });
      else resolve({ kind: 'complete', bytes: Buffer.concat(chunks) });
    });
    // Node reports a sender that went away by `error`, `aborted` and `close`. After `end` none has
    // an effect.
    for (const event of ['error', 'aborted', 'close']) request.on(event, () => resolve({ kind: 'broken' }));
  });
}
