import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Bare } from '../../util/members.js';
import type { TransportRequest } from '../connections.js';

type Http2Module = typeof import('node:http2');

let loaded: Http2Module | undefined;

/** Returns `node:http2`. It is loaded at the first use: 3 ms of CPU (`npm run bench:start`). */
export function nodeHttp2(): Http2Module {
  loaded ??= process.getBuiltinModule('node:http2');
  return loaded;
}

/** Bytes that the service may send on one stream before they are read. */
const STREAM_WINDOW_BYTES = 1 << 20;

/** Headers that HTTP/2 forbids. A caller may give only these two: the options reject the others. */
const FORBIDDEN = ['proxy-connection', 'http2-settings'] as const;

/** Headers that no compression table may store: they are secret, or differ in each request. */
const NEVER_INDEXED = ['api-key', 'api-sign', 'api-nonce', 'api-otp', 'authorization'];

/** Creates Node's session over an open socket whose service speaks HTTP/2. */
export function openSession(socket: Socket, origin: string): ClientHttp2Session {
  return nodeHttp2().connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
  });
}

/**
 * Writes a request to its own stream.
 *
 * @param authority Host and port, without the default port.
 */
export function openStream(
  session: ClientHttp2Session,
  authority: string,
  request: TransportRequest,
): ClientHttp2Stream {
  const { body } = request;
  const headers = headersOf(request, authority);
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return stream;
}

function headersOf(request: TransportRequest, authority: string): Record<string, string> {
  const { method, path, headers, body } = request;
  const pseudo = { ':method': method, ':path': path, ':scheme': 'https', ':authority': authority };
  const list = new Bare() as Record<string | symbol, unknown>;
  Object.assign(list, pseudo, headers);
  for (const name of FORBIDDEN) if (name in list) delete list[name];
  if (body !== undefined) list['content-length'] = String(body.byteLength);
  list[nodeHttp2().sensitiveHeaders] = NEVER_INDEXED;
  return list as Record<string, string>;
}

/** Nothing has arrived for this time while streams wait: the connection is likely to be dead. */
const SILENCE_MS = 1_000;

/** Measures for how long nothing has arrived on a connection since a request was sent over it. */
export class Silence {
  readonly #socket: Socket;
  /** Bytes received so far, as noted by the first request that followed the latest of them. */
  #bytesRead = 0;
  /** Time of that request, in ms of `performance.now()`. */
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A request is about to be sent. */
  onSent(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#bytesRead) return;
    this.#bytesRead = bytesRead;
    this.#since = performance.now();
  }

  /** True if nothing has arrived for `SILENCE_MS` since that request. */
  get long(): boolean {
    return this.#socket.bytesRead === this.#bytesRead && performance.now() - this.#since >= SILENCE_MS;
  }
}
