import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { MAX_BODY_BYTES, type ReceivedBody, type RequestHead } from '../core/request/messages.js';
import { INBOX_PATH } from '../webhooks/inbox/inbox.js';
import { CONTROL_PREFIX } from './control/control-messages.js';

export type Incoming = IncomingMessage | Http2ServerRequest;

export function headOf(request: Incoming, scheme: 'http' | 'https'): RequestHead {
  const header = headerOf(request);
  const [method, target] = [request.method ?? '', request.url ?? ''];
  return { method, target, origin: originOf(header('host'), scheme), header, headers: () => request.rawHeaders };
}

/** Returns an origin even if the client sends a wrong host, or none. */
function originOf(host: string | undefined, scheme: string): string {
  const url = `${scheme}://${host ?? ''}`;
  return URL.canParse(url) ? new URL(url).origin : `${scheme}://localhost`;
}

/** Returns a function that looks a header up by its lower-case name, in HTTP/2 also `host`. */
export function headerOf({ headers }: Incoming): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

/** Returns all headers by their lower-case names, without the pseudo-headers of HTTP/2. */
export function headersOf(request: Incoming): Record<string, string> {
  const header = headerOf(request);
  const names = Object.keys(request.headers).filter((name) => !name.startsWith(':'));
  return Object.fromEntries(names.map((name) => [name, header(name) ?? '']));
}

const MEBIBYTE = 1024 * 1024;

/** Maximum length of a call's body in bytes, and of the body of `restore`, a snapshot. */
const MAX_CALL_BYTES = 4 * MEBIBYTE;
const MAX_SNAPSHOT_BYTES = 64 * MEBIBYTE;

/** Returns the longest body for the control plane. Deliveries to an inbox have the API's limit. */
export function maxControlBytes(target: string): number {
  if (target.startsWith(INBOX_PATH)) return MAX_BODY_BYTES;
  return target === `${CONTROL_PREFIX}restore` ? MAX_SNAPSHOT_BYTES : MAX_CALL_BYTES;
}

export function tooLarge(target: string): string {
  return `the body is too large: at most ${maxControlBytes(target) / MEBIBYTE} MiB are taken`;
}

/** Receives a body. One of more than `maxBytes` is too large. */
export function receivedBody(request: Incoming, maxBytes: number): Promise<ReceivedBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A body that is too large is read to its end, so that a client that is still sending gets
      // the rejection.
      if (length <= maxBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      if (length > maxBytes) resolve({ kind: 'too_large' });
      else resolve({ kind: 'complete', bytes: Buffer.concat(chunks) });
    });
    // Node reports a closed connection by `error`, `aborted` or `close`. After `end` they have no
    // effect.
    for (const event of ['error', 'aborted', 'close']) request.on(event, () => resolve({ kind: 'broken' }));
  });
}
