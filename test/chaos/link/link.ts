import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type WireRequest, wireRequest } from '../judge/evidence.js';
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
  readonly #connections = new Set<LinkConnection>();
  readonly #began = performance.now();
  #server = this.#makeServer();
  /** Connections that were ever made. */
  made = 0;
  port = 0;
  #closed = false;
  #outage: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    readonly servicePort: number,
    readonly options: LinkOptions,
  ) {}

  static async start(servicePort: number, options: LinkOptions): Promise<ChaosLink> {
    const link = new ChaosLink(servicePort, options);
    await link.#listen(0);
    link.port = (link.#server.address() as AddressInfo).port;
    return link;
  }

  get url(): string {
    // Certificates of tests name a host.
    return this.options.encrypted ? `https://localhost:${this.port}` : `http://127.0.0.1:${this.port}`;
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
    const number = this.made++;
    const { seed, phase, encrypted, fateOf: given } = this.options;
    const fate = given?.(number) ?? fateOf(seed, phase, number);
    const connection = new LinkConnection(near, this.servicePort, fate, {
      onHead: encrypted ? undefined : (head) => this.#note(number, head),
      onFault: (kind) => this.#count(kind),
      onOver: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    if (fate.silences) this.#stopListening();
  }

  #note(connection: number, { method, path, headers }: RequestHead): void {
    const at = performance.now() - this.#began;
    this.wire.push(wireRequest({ connection, at, method, path }, (name) => headers.get(name)));
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
    this.#listen(this.port).catch(() => {
      if (!this.#closed) this.#outage = setTimeout(() => this.#listenAgain(), OUTAGE_MS);
    });
  }
}
