import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TAG, type WireRequest } from '../judge/evidence.js';
import { LinkConnection } from './connection.js';
import { type Fate, fateOf } from './fate.js';
import type { RequestHead } from './request-framing.js';

/** How long nobody listens, in milliseconds. */
const OUTAGE_MS = 150;

/** What a link does to its connections. */
export interface LinkOptions {
  readonly seed: number;
  readonly phase: string;
  /** TLS passes through it: it cannot read requests, and whatever it alters breaks the connection. */
  readonly encrypted?: boolean;
  /** In place of the seed's: for tests. */
  readonly fateOf?: (connection: number) => Fate;
}

/**
 * A TCP link that delays, reorders connections, cuts, halves, stalls and garbles, as the seed says. It writes down every request as the
 * client sent it, unless it is encrypted.
 */
export class ChaosLink {
  readonly wire: WireRequest[] = [];
  /** How often each fault struck. */
  readonly faults = new Map<string, number>();
  readonly #servicePort: number;
  readonly #fateOf: (connection: number) => Fate;
  readonly #encrypted: boolean;
  readonly #connections = new Set<LinkConnection>();
  readonly #began = performance.now();
  #server: Server;
  #port = 0;
  #made = 0;
  #closed = false;
  #outage: ReturnType<typeof setTimeout> | undefined;

  private constructor(servicePort: number, { seed, phase, encrypted = false, fateOf: given }: LinkOptions) {
    this.#servicePort = servicePort;
    this.#fateOf = given ?? ((connection) => fateOf(seed, phase, connection));
    this.#encrypted = encrypted;
    this.#server = this.#makeServer();
  }

  static async start(servicePort: number, options: LinkOptions): Promise<ChaosLink> {
    const link = new ChaosLink(servicePort, options);
    await link.#listen(0);
    link.#port = (link.#server.address() as AddressInfo).port;
    return link;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    // Certificates of tests name a host.
    return this.#encrypted ? `https://localhost:${this.#port}` : `http://127.0.0.1:${this.#port}`;
  }

  /** Connections that were ever made. */
  get made(): number {
    return this.#made;
  }

  /** Connections that clients hold open. */
  get open(): number {
    return [...this.#connections].filter(({ held }) => held).length;
  }

  /** Nothing is under way any more: all has arrived or been dropped. */
  get atRest(): boolean {
    return this.#connections.size === 0;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#outage);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const connection of this.#connections) connection.destroy();
    });
  }

  #makeServer(): Server {
    return createServer({ noDelay: true, allowHalfOpen: true }, (near) => this.#connect(near));
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
  }

  #connect(near: Socket): void {
    const number = this.#made++;
    const fate = this.#fateOf(number);
    const connection = new LinkConnection(near, this.#servicePort, fate, {
      onHead: this.#encrypted ? undefined : (head) => this.#note(number, head),
      onFault: (kind) => this.#count(kind),
      onOver: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    if (fate.silences) this.#stopListening();
  }

  #note(connection: number, { method, path, headers }: RequestHead): void {
    this.wire.push({
      connection,
      method,
      path,
      apiKey: headers.get('api-key') ?? '',
      nonce: headers.get('api-nonce') ?? '',
      key: headers.get('idempotency-key'),
      tag: headers.get(TAG) ?? '',
      at: Math.round(performance.now() - this.#began),
    });
  }

  #count(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  /** New connections are refused for a while; open ones go on. */
  #stopListening(): void {
    if (this.#outage !== undefined || this.#closed) return;
    this.#count('refusing');
    this.#server.close();
    this.#outage = setTimeout(() => this.#listenAgain(), OUTAGE_MS);
  }

  #listenAgain(): void {
    this.#outage = undefined;
    this.#server = this.#makeServer();
    // Somebody else has the port for a moment: it is asked for again.
    this.#listen(this.#port).catch(() => {
      if (!this.#closed) this.#outage = setTimeout(() => this.#listenAgain(), OUTAGE_MS);
    });
  }
}
