import { constants, createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type WireRequest, wireRequest } from '../judge/evidence.js';
import { type EdgeRequest, type EdgeResponse, Gateway } from './gateway.js';
import { protocolOf, type SessionFate, sessionFateOf } from './session-fate.js';

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** The highest number that a stream can have: a GOAWAY with it only announces another one. */
const EVERY_STREAM = 2 ** 31 - 1;

/** Time in ms between the announcement of a GOAWAY and the GOAWAY. */
const GRACE_MS = 15;

/** What has been written has left after this time in ms: Node drops what waits in a session whose socket ends. */
const LINGER_MS = 20;

export interface Http2EdgeOptions {
  readonly seed: number;
  readonly phase: string;
  readonly certificate: { readonly key: string; readonly cert: string };
  /** In place of the seed's: for tests. */
  readonly fateOf?: (connection: number) => SessionFate;
  readonly protocolOf?: (handshake: number) => 'h2' | 'http/1.1';
}

/** One TLS connection at the edge, by either protocol. */
class Connection {
  /** Requests that arrived. */
  requests = 0;
  /** Requests that are served and not yet answered. */
  serving = 0;
  /** The highest stream that arrived. */
  highest = 0;
  /** The last stream that is served, once a GOAWAY has named it. */
  last = EVERY_STREAM;
  /** What waits for the end of a stall. */
  stalled: (() => void)[] | undefined;

  constructor(
    readonly number: number,
    readonly fate: SessionFate,
    readonly socket: TLSSocket,
  ) {}

  /** Names the last stream that is served. */
  goAway(session: Http2Session, last: number): void {
    this.last = last;
    if (!session.destroyed) session.goaway(NGHTTP2_NO_ERROR, last);
    this.closeWhenServed();
  }

  /** Closes when all that was begun with has been answered, and what was written has left. */
  closeWhenServed(): void {
    setTimeout(() => {
      if (this.last < EVERY_STREAM && this.serving === 0) this.socket.end();
    }, LINGER_MS);
  }
}

/**
 * An edge that speaks HTTP/2 and HTTP/1.1 over TLS, and ends sessions and streams in every way that the protocol knows,
 * as the seed says. It writes down each request that arrives whole. What it refuses as unprocessed it has not served.
 */
export class Http2Edge {
  readonly wire: WireRequest[] = [];
  readonly faults = new Map<string, number>();
  readonly #server: Http2SecureServer;
  readonly #gateway: Gateway;
  readonly #fateOf: (connection: number) => SessionFate;
  readonly #connections = new Map<Socket, Connection>();
  readonly #ofSession = new WeakMap<Http2Session, Connection>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #began = performance.now();
  #made = 0;
  #handshakes = 0;

  private constructor(servicePort: number, options: Http2EdgeOptions) {
    const { seed, phase } = options;
    this.#gateway = new Gateway(servicePort);
    this.#fateOf = options.fateOf ?? ((connection) => sessionFateOf(seed, phase, connection));
    const wanted = options.protocolOf ?? ((handshake) => protocolOf(seed, phase, handshake));
    this.#server = createSecureServer({
      ...options.certificate,
      allowHTTP1: true,
      ALPNCallback: ({ protocols }) => {
        const protocol = wanted(this.#handshakes++);
        return protocols.includes(protocol) ? protocol : 'http/1.1';
      },
    });
    // Before the server's own listener, which makes a session of the socket at once.
    this.#server.prependListener('secureConnection', (socket: TLSSocket) => this.#connect(socket));
    this.#server.on('request', (request, response) => this.#receive(request, response));
    this.#server.on('sessionError', () => {});
    this.#server.on('tlsClientError', () => {});
  }

  static async start(servicePort: number, options: Http2EdgeOptions): Promise<Http2Edge> {
    const edge = new Http2Edge(servicePort, options);
    await new Promise<void>((resolve) => edge.#server.listen(0, '127.0.0.1', resolve));
    return edge;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get atRest(): boolean {
    return this.#gateway.atRest;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#gateway.close();
    for (const socket of this.#connections.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #connect(socket: TLSSocket): void {
    const number = this.#made++;
    const connection = new Connection(number, this.#fateOf(number), socket);
    this.#connections.set(socket, connection);
    socket.on('error', () => {});
    socket.on('close', () => this.#connections.delete(socket));
    if (socket.alpnProtocol !== 'h2') return;
    this.#server.once('session', (session) => {
      this.#ofSession.set(session, connection);
      session.on('error', () => {});
      session.settings({ maxConcurrentStreams: connection.fate.maxStreams });
    });
  }

  #receive(request: EdgeRequest, response: EdgeResponse): void {
    const stream = 'stream' in response ? response.stream : undefined;
    const session = stream?.session;
    const connection = session === undefined ? this.#connections.get(request.socket) : this.#ofSession.get(session);
    if (connection === undefined) return;
    connection.requests++;
    connection.highest = stream?.id ?? 0;
    this.#note(connection, request);
    // First: what a GOAWAY leaves out must not be served.
    if (connection.requests === connection.fate.endsAfter) this.#end(connection, session, response);
    this.#serve(connection, request, response);
  }

  #serve(connection: Connection, request: EdgeRequest, response: EdgeResponse): void {
    const stream = 'stream' in response ? response.stream : undefined;
    const fault = stream === undefined ? undefined : connection.fate.faultOf();
    if (fault !== undefined) this.#count(fault);
    if (fault === 'refused') stream?.close(NGHTTP2_REFUSED_STREAM);
    if (fault === 'reset before') stream?.close(connection.fate.codeOf());
    if (fault === 'refused' || fault === 'reset before') return;
    connection.serving++;
    response.on('close', () => {
      connection.serving--;
      connection.closeWhenServed();
    });
    const forward = () => {
      // It came behind the last one that is served, or has been given up.
      if (stream !== undefined && (stream.destroyed || (stream.id ?? 0) > connection.last)) return;
      const breaksOff = fault === 'reset after' || fault === 'reset within' ? fault : undefined;
      this.#gateway.forward(request, response, breaksOff && { breaksOff, code: connection.fate.codeOf() });
    };
    if (connection.stalled === undefined) forward();
    else connection.stalled.push(forward);
  }

  #end(connection: Connection, session: Http2Session | undefined, response: EdgeResponse): void {
    const { fate, socket, highest } = connection;
    const { end, holds } = fate;
    this.#count(session === undefined ? `${end} of HTTP/1.1` : end);
    if (end === 'stall') {
      connection.stalled = [];
      this.#after(holds, () => {
        for (const forward of connection.stalled ?? []) forward();
        connection.stalled = undefined;
      });
    } else if (end === 'reset') socket.destroy();
    else if (session === undefined) response.setHeader('connection', 'close');
    else if (end === 'goaway') connection.goAway(session, highest);
    else if (end === 'careless goaway') session.goaway(fate.codeOf(), Math.max(1, highest - 4));
    else if (end === 'graceful') {
      session.goaway(NGHTTP2_NO_ERROR, EVERY_STREAM);
      this.#after(GRACE_MS, () => connection.goAway(session, connection.highest));
    } else {
      connection.goAway(session, Math.max(1, highest - 2));
      this.#after(holds, () => socket.destroy());
    }
  }

  #after(milliseconds: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #note({ number }: Connection, { method = '', url = '', headers }: EdgeRequest): void {
    const at = performance.now() - this.#began;
    this.wire.push(wireRequest({ connection: number, at, method, path: url }, (name) => headers[name]?.toString()));
  }

  #count(kind: string): void {
    const name = `edge: ${kind}`;
    this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
  }
}
