import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Connections, ConnectOptions, Slot, Way } from './connections.js';
import { Connector, type Opening, type Protocol } from './connector.js';
import type { Closing } from './http1/connection.js';
import { Pool, type PoolOwner } from './http1/pool.js';
import { Sessions, type SessionsOwner } from './http2/sessions.js';

/** The most HTTP/1.1 connections that are opened at once: each costs the edge a handshake. */
const MAX_OPENING = 4;

/**
 * Time in ms that passes after a connection could not be opened while others are open. It doubles with each further
 * one.
 */
const FIRST_PAUSE_MS = 100;

/** Time in ms that such a pause lasts at most. */
const MAX_PAUSE_MS = 1_000;

/** Time in ms without a failure after which the next pause is a short one again. */
const FAILURES_FORGOTTEN_MS = 10_000;

/** Time in ms for which HTTP/1.1 is used when HTTP/2 sessions break again and again. */
const AFTER_BREAKS_MS = 60_000;

const BOTH: readonly Protocol[] = ['h2', 'http/1.1'];
const HTTP1: readonly Protocol[] = ['http/1.1'];

/**
 * Connections that the SDK opens itself: one HTTP/2 session where TLS negotiates it, else a pool of HTTP/1.1
 * connections.
 */
export class DirectConnections implements Connections, Opening, PoolOwner, SessionsOwner {
  readonly #options: ConnectOptions;
  readonly #connector: Connector;
  readonly #pool: Pool;
  readonly #sessions: Sessions;
  /** The service may be offered HTTP/2. */
  readonly #http2: boolean;
  #state: 'open' | 'closed' = 'open';
  /** `onReady` is about to be called. */
  #telling = false;
  #way: Way | undefined;
  /** How many connections are on their way to be usable. */
  #opening = 0;
  /** Openings that have failed lately. */
  #failures = 0;
  #failedAt = 0;
  /** Runs while no connection is opened, since the last one could not be. */
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** Until when HTTP/2 is not offered, in ms of `performance.now()`; undefined when it is. */
  #http2From: number | undefined;
  /**
   * Whether HTTP/1.1 can be had where HTTP/2 can. `asked`: it could not while the other was avoided, so that is tried
   * at once.
   */
  #http1: 'assumed' | 'asked' | 'refused' = 'assumed';

  constructor(origin: string, tls: SecureContext | undefined, options: ConnectOptions) {
    this.#options = options;
    this.#connector = new Connector(origin, tls, () => options.onUnsolicited());
    this.#pool = new Pool(origin, this);
    this.#sessions = new Sessions(origin, options.width, this);
    this.#http2 = this.#connector.secure && isNode();
  }

  get way(): Way | undefined {
    return this.#way;
  }

  get open(): number {
    return this.#pool.size + this.#sessions.size;
  }

  reserve(waiting: number, fragile: boolean): Slot | undefined {
    if (this.#state === 'closed') return undefined;
    if (this.#http2From !== undefined) this.#tryHttp2Again(this.#http2From);
    const slot = this.#sessions.usable ? this.#sessions.reserve(fragile) : this.#pool.reserve(fragile);
    if (slot === undefined && !this.#sessions.usable) this.#openFor(waiting);
    return slot;
  }

  avoidHttp2(milliseconds: number): void {
    if (this.#http1 === 'refused') return;
    this.#http2From = performance.now() + milliseconds;
    if (this.#way === 'http2') this.#way = 'http1';
    this.#sessions.retire();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#endPause();
    await Promise.all([this.#connector.close(), this.#pool.close(), this.#sessions.close()]);
  }

  // ---- opening ----

  #openFor(waiting: number): void {
    if (this.#pause !== undefined) return;
    // One session carries all, and until the first connection is open nobody knows whether there will be one.
    const single = this.#offers() === BOTH && this.#way !== 'http1';
    if (this.#pool.size >= this.#options.width) this.#pool.dropOldest();
    const most = single ? 1 : Math.min(MAX_OPENING, waiting, this.#options.width - this.#pool.size);
    while (this.#opening < most) this.#openOne();
  }

  #openOne(): void {
    this.#opening++;
    this.#connector.open(this.#offers(), this);
  }

  #offers(): readonly Protocol[] {
    return this.#http2 && this.#http2From === undefined ? BOTH : HTTP1;
  }

  #tryHttp2Again(from: number): void {
    if (performance.now() < from) return;
    this.#http2From = undefined;
    this.#openOne();
  }

  onOpen(socket: Socket, protocol: Protocol): void {
    if (this.#state === 'closed') socket.destroy();
    else if (protocol === 'h2') this.#sessions.add(socket);
    else this.#pool.add(socket);
  }

  onFailure(error: Error): void {
    this.#opening--;
    this.#failed(error);
  }

  #opened(way: Way): void {
    this.#opening--;
    this.#way = way;
    // The service speaks HTTP/2 no more, or is not to be asked to.
    if (way === 'http1') this.#sessions.retire();
    this.#ready();
  }

  #failed(error: Error): void {
    if (this.#state === 'closed') return;
    if (this.#opening > 0 || this.#pool.size > 0 || this.#sessions.usable) {
      this.#pauseOpening();
      return;
    }
    this.#endPause();
    if (this.#http2From !== undefined) {
      this.#http2From = undefined;
      this.#http1 = 'asked';
      this.#openOne();
      return;
    }
    this.#http1 = 'assumed';
    // Exchanges that fail with the connection are told before: in queued microtasks, too.
    queueMicrotask(() => this.#options.onUnreachable(error));
  }

  #pauseOpening(): void {
    if (this.#pause !== undefined) return;
    const now = performance.now();
    if (now - this.#failedAt > FAILURES_FORGOTTEN_MS) this.#failures = 0;
    this.#failedAt = now;
    const milliseconds = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#ready();
    }, milliseconds);
    this.#pause.unref?.();
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  /** The lane is told in a microtask, once for all that has happened by then: it may be in the middle of `reserve`. */
  #ready(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(this.#tell);
  }

  readonly #tell = (): void => {
    this.#telling = false;
    if (this.#state === 'open') this.#options.onReady();
  };

  // ---- what the pool tells ----

  onConnectionOpen(): void {
    this.#http1 = 'assumed';
    this.#opened('http1');
  }

  onConnectionFree(): void {
    this.#ready();
  }

  onUnsolicited(): void {
    this.#options.onUnsolicited();
  }

  onConnectionClosed({ end, error }: Closing): void {
    if (end === 'unopened') this.onFailure(error);
    else if (end === 'unused') this.#failed(error);
  }

  // ---- what the sessions tell ----

  onSessionOpen(): void {
    if (this.#http1 === 'asked') this.#http1 = 'refused';
    this.#opened(this.#http2From === undefined ? 'http2' : 'http1');
  }

  onSessionFree(): void {
    this.#ready();
  }

  onSuccessionDue(): void {
    if (this.#opening === 0 && this.#http2From === undefined && this.#pause === undefined) this.#openOne();
  }

  onBreaking(): void {
    this.avoidHttp2(AFTER_BREAKS_MS);
  }

  onSessionFailed(error: Error, unopened: boolean): void {
    if (unopened) this.#opening--;
    this.#failed(error);
  }
}

/** Deno's and Bun's `node:http2` differ from Node's. */
function isNode(): boolean {
  const { versions } = process;
  return !Object.hasOwn(versions, 'deno') && !Object.hasOwn(versions, 'bun');
}
