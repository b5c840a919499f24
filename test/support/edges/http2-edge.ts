import type { ClientRequest } from 'node:http';
import { createSecureServer, type Http2SecureServer, constants as http2, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { certificateFor } from '../certificate.js';
import { seeded } from '../random.js';
import { type Answer, type Received, Upstream } from './upstream.js';

/** How long in ms a shuffling edge gathers streams before it handles them in any order. */
const SHUFFLED_TOGETHER_MS = 1;

export interface Http2EdgeOptions {
  /**
   * `in order`: requests reach the service in the order of their HEADERS, as behind HAProxy. `shuffled`: those that arrive within a
   * millisecond reach it in any order, as behind an edge with a thread for each stream.
   */
  readonly handling: 'in order' | 'shuffled';
  readonly seed?: number;
}

/** A proxy that speaks HTTP/2 over TLS, and HTTP/1.1 with clients that ask for it, before a service of HTTP/1.1. */
export class Http2Edge {
  /** The authority to trust, in PEM. */
  readonly ca: string;
  readonly #handling: Http2EdgeOptions['handling'];
  readonly #upstream: Upstream;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #random: () => number;
  #gathered: (readonly [Received, Answer])[] = [];
  /** When the last request that was begun has been handed on whole. */
  #handedOn = Promise.resolve();

  private constructor(upstream: Upstream, { handling, seed = 1 }: Http2EdgeOptions) {
    const { key, cert } = certificateFor('localhost');
    this.ca = cert;
    this.#handling = handling;
    this.#upstream = upstream;
    this.#random = seeded(seed);
    this.#server = createSecureServer({ key, cert, allowHTTP1: true }, (received, answer) =>
      this.#receive(received, answer),
    );
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
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
      for (const socket of this.#sockets) socket.destroy();
    });
    this.#upstream.close();
  }

  #receive(received: Received, answer: Answer): void {
    if (received.httpVersionMajor === 1) this.#upstream.handOn(received, answer);
    else if (this.#handling === 'in order') {
      this.#handedOn = this.#handedOn.then(() => this.#handOn(received, answer));
    } else {
      if (this.#gathered.length === 0) setTimeout(() => this.#handOnGathered(), SHUFFLED_TOGETHER_MS);
      this.#gathered.push([received, answer]);
    }
  }

  #handOnGathered(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    while (gathered.length > 0) {
      const [any] = gathered.splice(Math.floor(this.#random() * gathered.length), 1);
      if (any !== undefined) void this.#handOn(...any);
    }
  }

  /** Resolves when the whole request is on its way to the service, or nobody wants it any more. */
  #handOn(received: Received, answer: Answer): Promise<void> {
    if (isGone(received)) return Promise.resolve();
    return handedOn(this.#upstream.handOn(received, answer));
  }
}

function isGone(received: Received): boolean {
  return 'stream' in received ? received.stream.destroyed : received.destroyed;
}

/** Resolves when the bytes of the whole request have been given to an open connection, or there will be none. */
function handedOn(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.once('finish', resolve);
  });
}
