import {
  createSecureServer,
  type Http2SecureServer,
  constants as http2,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { certificateFor } from '../../support/certificate.js';
import { rightAnswer } from '../../support/service.js';

/** One request on one stream. */
export interface StreamRequest {
  readonly method: string;
  readonly path: string;
  readonly nonce: bigint;
  readonly key: string | undefined;
  /** Number of the session, from 1. */
  readonly session: number;
  /** Number of the stream in its session: 1, 2, … */
  readonly place: number;
  readonly body: Buffer;
  /** The code that ended the stream, once it is over. */
  code: number | undefined;
}

/**
 * What is done with a stream: an answer; `refuse`: REFUSED_STREAM, unserved; `hold`: nothing, ever; `stall`: from here
 * on nothing is read from the session or written to it.
 */
export type Deed = 'answer' | 'refuse' | 'hold' | 'stall';

/**
 * A service of the API over HTTP/2 whose sessions and streams end as a test wants it. It has none of the client's code.
 */
export class Http2Service {
  /** Every request that was read whole, in order of arrival, also those that are refused as streams. */
  readonly requests: StreamRequest[] = [];
  /** How often each write was applied, by its body. */
  readonly applied = new Map<string, number>();
  /** Requests whose nonce was not above the last one: refused with 401. */
  refused = 0;
  deed: (request: StreamRequest) => Deed | Promise<Deed> = () => 'answer';
  /** After so many streams of a session a GOAWAY names the last of them; what comes behind it is not served. */
  streamsPerSession = Number.POSITIVE_INFINITY;
  readonly ca: string;
  readonly #server: Http2SecureServer;
  /** Before the server, so that bytes can be held up: Node reads and writes a session's socket by itself. */
  readonly #relay: Server;
  /** The two sockets of each connection in the relay, by the port that the server sees. */
  readonly #relayed = new Map<number, readonly [Socket, Socket]>();
  readonly #sessions = new Map<ServerHttp2Session, SessionState>();
  #socket: Socket | undefined;
  #made = 0;
  #highest = -1n;

  private constructor() {
    const { key, cert } = certificateFor('localhost');
    this.ca = cert;
    this.#server = createSecureServer({ key, cert });
    this.#server.prependListener('secureConnection', (socket: Socket) => {
      this.#socket = socket;
    });
    this.#server.on('session', (session) => this.#open(session));
    this.#server.on('stream', (stream, headers) => void this.#read(stream, headers).catch(() => {}));
    this.#server.on('sessionError', () => {});
    this.#relay = createServer({ noDelay: true }, (near) => this.#pass(near));
  }

  static async start(): Promise<Http2Service> {
    const service = new Http2Service();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => service.#relay.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `https://localhost:${(this.#relay.address() as AddressInfo).port}`;
  }

  /** Sessions that were ever opened. */
  get sessions(): number {
    return this.#made;
  }

  async close(): Promise<void> {
    const closed = [this.#server, this.#relay].map((server) => new Promise((resolve) => server.close(resolve)));
    for (const sockets of this.#relayed.values()) for (const socket of sockets) socket.destroy();
    for (const { socket } of this.#sessions.values()) socket?.destroy();
    await Promise.all(closed);
  }

  #pass(near: Socket): void {
    const far = connect({ port: (this.#server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
    far.on('connect', () => this.#relayed.set(far.localPort ?? 0, [near, far]));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {});
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  }

  /** From here on nothing passes on the connection of this socket. */
  #stall(socket: Socket | undefined): void {
    for (const relayed of this.#relayed.get(socket?.remotePort ?? 0) ?? []) relayed.unpipe().pause();
  }

  #open(session: ServerHttp2Session): void {
    this.#sessions.set(session, { number: ++this.#made, socket: this.#socket, streams: 0, open: 0, last: undefined });
    session.on('error', () => {});
    session.on('close', () => this.#sessions.delete(session));
  }

  async #read(stream: ServerHttp2Stream, headers: Record<string, unknown>): Promise<void> {
    const { session } = stream;
    const state = session && this.#sessions.get(session as ServerHttp2Session);
    stream.on('error', () => {});
    if (state === undefined || state.last !== undefined) return;
    state.streams++;
    if (state.streams === this.streamsPerSession) {
      state.last = stream.id ?? 0;
      session?.goaway(http2.NGHTTP2_NO_ERROR, state.last);
    }
    state.open++;
    const place = state.streams;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const request: StreamRequest = {
      method: String(headers[':method']),
      path: String(headers[':path']),
      nonce: BigInt(String(headers['api-nonce'])),
      key: headers['idempotency-key'] === undefined ? undefined : String(headers['idempotency-key']),
      ...{ session: state.number, place, body: Buffer.concat(chunks), code: undefined },
    };
    this.requests.push(request);
    stream.on('close', () => {
      request.code = stream.rstCode;
      state.open--;
      if (state.last !== undefined && state.open === 0) setTimeout(() => state.socket?.end(), LINGER_MS);
    });
    this.#act(request, stream, state, await this.deed(request));
  }

  #act(request: StreamRequest, stream: ServerHttp2Stream, { socket }: SessionState, deed: Deed): void {
    if (deed === 'hold') return;
    if (deed === 'refuse') {
      stream.close(http2.NGHTTP2_REFUSED_STREAM);
      return;
    }
    if (deed === 'stall') {
      this.#stall(socket);
      return;
    }
    if (stream.destroyed) return;
    const late = request.nonce <= this.#highest;
    if (late) this.refused++;
    else this.#highest = request.nonce;
    const { status, headers = {}, body } = late ? LATE : rightAnswer(request);
    if (!late && request.method === 'POST') {
      const text = request.body.toString();
      this.applied.set(text, (this.applied.get(text) ?? 0) + 1);
    }
    stream.respond({ ':status': status ?? 200, ...headers });
    stream.end(body);
  }
}

/** What has been written is on its way after this time in ms: Node drops what waits in a session whose socket ends. */
const LINGER_MS = 20;

interface SessionState {
  readonly number: number;
  readonly socket: Socket | undefined;
  streams: number;
  open: number;
  /** The last stream that is served, once a GOAWAY has named it. */
  last: number | undefined;
}

const LATE = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { type: 'request_error', status: 401, instance: 'in-401', code: 'unauthenticated' } }),
};
