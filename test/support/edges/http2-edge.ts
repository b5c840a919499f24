import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  constants as http2,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { certificateFor } from '../certificate.js';
import { seeded } from '../link.js';
import { headersOnTheWay, Upstream } from './upstream.js';

/** How long in ms a shuffling edge gathers streams before it handles them in any order. */
const SHUFFLED_TOGETHER_MS = 1;

/** One request of one stream. */
interface Received {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
}

export interface Http2EdgeOptions {
  /**
   * `in order`: requests reach the service in the order of their HEADERS, as behind HAProxy. `shuffled`: those that arrive within a
   * millisecond reach it in any order, as behind an edge with a thread for each stream.
   */
  readonly handling: 'in order' | 'shuffled';
  readonly seed?: number;
}

/** A proxy that speaks HTTP/2 over TLS, and nothing else, before a service of HTTP/1.1. */
export class Http2Edge {
  /** The authority to trust, in PEM. */
  readonly ca: string;
  readonly #handling: Http2EdgeOptions['handling'];
  readonly #upstream: Upstream;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #random: () => number;
  #gathered: Received[] = [];
  /** When the last request that was begun has been handed on whole. */
  #handedOn = Promise.resolve();

  private constructor(upstream: Upstream, { handling, seed = 1 }: Http2EdgeOptions) {
    const { key, cert } = certificateFor('localhost');
    this.ca = cert;
    this.#handling = handling;
    this.#upstream = upstream;
    this.#random = seeded(seed);
    this.#server = createSecureServer({ key, cert, allowHTTP1: false });
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => this.#receive({ stream, headers }));
  }

  /** Before the service at this port. */
  static async start(port: number, options: Http2EdgeOptions): Promise<Http2Edge> {
    const edge = new Http2Edge(new Upstream(port), options);
    await new Promise<void>((resolve) => edge.#server.listen(0, '127.0.0.1', resolve));
    return edge;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  /** Sessions that are open now. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Says on every session that its streams go on and no new one is taken. */
  goAway(): void {
    for (const session of this.#sessions) session.goaway(http2.NGHTTP2_NO_ERROR);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const session of this.#sessions) session.destroy();
    });
    this.#upstream.close();
  }

  #receive(received: Received): void {
    received.stream.on('error', () => {});
    if (this.#handling === 'in order') {
      this.#handedOn = this.#handedOn.then(() => this.#handOn(received));
      return;
    }
    if (this.#gathered.length === 0) setTimeout(() => this.#handOnGathered(), SHUFFLED_TOGETHER_MS);
    this.#gathered.push(received);
  }

  #handOnGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    while (gathered.length > 0) {
      const [any] = gathered.splice(Math.floor(this.#random() * gathered.length), 1);
      if (any !== undefined) void this.#handOn(any);
    }
  }

  /** Resolves when the whole request is on its way to the service, or nobody wants it any more. */
  #handOn({ stream, headers }: Received): Promise<void> {
    if (stream.destroyed) return Promise.resolve();
    const request = this.#upstream.request(String(headers[':method']), String(headers[':path']), headers);
    stream.once('close', () => request.destroy());
    request.once('response', (answer) => {
      if (stream.destroyed) return;
      stream.respond({ ':status': answer.statusCode ?? 502, ...headersOnTheWay(answer.headers) });
      pipeline(answer, stream, () => {});
    });
    request.once('error', () => {
      if (stream.headersSent) stream.close(http2.NGHTTP2_INTERNAL_ERROR);
      else if (!stream.destroyed) stream.respond({ ':status': 502 }, { endStream: true });
    });
    stream.pipe(request);
    return handedOn(request);
  }
}

/** Resolves when the bytes of the whole request have been given to an open connection, or there will be none. */
function handedOn(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.once('finish', resolve);
  });
}
