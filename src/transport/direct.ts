import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { soon } from '../util/platform.js';
import type { Connections, ConnectOptions, Slot, Way } from './connections.js';
import { Connector, noConnection, type Opening, type Protocol } from './connector.js';
import { Pool, type PoolOwner } from './http1/pool.js';
import { undiciParts } from './http1/undici-parts.js';
import { Sessions, type SessionsOwner } from './http2/sessions.js';

/** HTTP/1.1 connections that are opened at once, at most. Each costs the service a handshake. */
const MAX_OPENING = 4;

/** HTTP/1.1 is used for this time when HTTP/2 sessions break again and again. */
const AFTER_BREAKS_MS = 60_000;

const BOTH: readonly Protocol[] = ['h2', 'http/1.1'];
const HTTP1: readonly Protocol[] = ['http/1.1'];

/** Options of the transport that concern its connections. */
export interface DirectSettings {
  /** User-supplied certificates. Undefined: those that Node trusts. */
  readonly tls: SecureContext | undefined;
  /** False: HTTP/2 is never offered to the service. */
  readonly http2: boolean;
}

/** Connections that the SDK opens itself: one HTTP/2 session, otherwise a pool of HTTP/1.1. */
export class DirectConnections implements Connections, Opening, PoolOwner, SessionsOwner {
  readonly #options: ConnectOptions;
  readonly #connector: Connector;
  readonly #pool: Pool;
  readonly #sessions: Sessions;
  /** True if HTTP/2 may be offered to the service. */
  readonly #http2: boolean;
  #isOpen = true;
  /** True if `onReady` is about to be called. */
  #readyQueued = false;
  way: Way | undefined;
  /** Number of connections that are being opened. */
  #opening = 0;
  readonly #pause = new OpeningPause(() => this.onFree());
  /** Time from which HTTP/2 is offered again, in ms of `performance.now()`; undefined: now. */
  #http2From: number | undefined;
  /**
   * Support of HTTP/1.1 beside HTTP/2. `asked`: HTTP/1.1 alone has failed, both are offered now.
   */
  #http1: 'assumed' | 'asked' | 'refused' = 'assumed';

  constructor(origin: string, { tls, http2 }: DirectSettings, options: ConnectOptions) {
    this.#options = options;
    this.#connector = new Connector(origin, tls, () => options.onUnsolicited());
    this.#pool = new Pool(origin, this);
    this.#sessions = new Sessions(origin, options.width, this);
    this.#http2 = http2 && this.#connector.secure && isNode();
  }

  get open(): number {
    return this.#pool.size + this.#sessions.size;
  }

  reserve(waiting: number, notRetryable: boolean): Slot | undefined {
    if (!this.#isOpen) return undefined;
    if (this.#http2From !== undefined) this.#tryHttp2Again(this.#http2From);
    const slot = this.#sessions.usable ? this.#sessions.reserve(notRetryable) : this.#pool.reserve(notRetryable);
    if (slot === undefined && !this.#sessions.usable) this.#openFor(waiting);
    return slot;
  }

  avoidHttp2(milliseconds: number): void {
    if (this.#http1 === 'refused') return;
    this.#http2From = performance.now() + milliseconds;
    if (this.way === 'http2') this.way = 'http1';
    this.#sessions.retire();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#pause.end();
    this.#pool.close();
    await Promise.all([this.#connector.close(), this.#sessions.close()]);
  }

  #openFor(waiting: number): void {
    if (this.#pause.running) return;
    // One session carries all requests. Until the first connection is open, there may be one.
    const single = this.#offers() === BOTH && this.way !== 'http1';
    if (this.#pool.size >= this.#options.width) this.#pool.dropOldest();
    const most = single ? 1 : Math.min(MAX_OPENING, waiting, this.#options.width - this.#pool.size);
    while (this.#opening < most) this.#openOne();
  }

  #openOne(): void {
    this.#opening++;
    const protocols = this.#offers();
    this.#connector.open(protocols, this);
    if (protocols === HTTP1) loadUndici();
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
    if (!this.#isOpen) socket.destroy();
    else if (protocol === 'h2') this.#sessions.add(socket);
    else this.#addToPool(socket);
  }

  #addToPool(socket: Socket): void {
    try {
      this.#pool.add(socket);
    } catch (error) {
      // undici is loaded at the first connection, and may not be installed.
      socket.destroy();
      this.onFailed(noConnection(error), true);
      return;
    }
    this.#http1 = 'assumed';
    this.#opened('http1');
  }

  #opened(way: Way): void {
    this.#opening--;
    this.way = way;
    // The service no longer offers HTTP/2, or the lane avoids it.
    if (way === 'http1') this.#sessions.retire();
    this.onFree();
  }

  onFailed(error: Error, unopened: boolean): void {
    if (unopened) this.#opening--;
    if (!this.#isOpen) return;
    if (this.#opening > 0 || this.#pool.size > 0 || this.#sessions.usable) {
      this.#pause.start();
      return;
    }
    this.#pause.end();
    if (this.#http2From !== undefined) {
      this.#http2From = undefined;
      this.#http1 = 'asked';
      this.#openOne();
      return;
    }
    this.#http1 = 'assumed';
    // The exchanges that fail with the connection end first: they, too, end in a microtask.
    soon(() => this.#options.onUnreachable(error));
  }

  /** Calls `onReady` once for several events, in a microtask: the lane may be in `reserve` now. */
  onFree(): void {
    if (this.#readyQueued) return;
    this.#readyQueued = true;
    soon(this.#callReady);
  }

  readonly #callReady = (): void => {
    this.#readyQueued = false;
    if (this.#isOpen) this.#options.onReady();
  };

  onUnsolicited(): void {
    this.#options.onUnsolicited();
  }

  onSessionOpen(): void {
    if (this.#http1 === 'asked') this.#http1 = 'refused';
    this.#opened(this.#http2From === undefined ? 'http2' : 'http1');
  }

  onSuccessionDue(): void {
    if (this.#opening === 0 && this.#http2From === undefined && !this.#pause.running) this.#openOne();
  }

  onBreaking(): void {
    this.avoidHttp2(AFTER_BREAKS_MS);
  }
}

/** Loads undici while a connection is being opened, so the first call does not wait for it. */
function loadUndici(): void {
  try {
    undiciParts();
  } catch {
    // The first open connection fails for the same reason.
  }
}

/** `node:http2` of Deno and Bun differs from Node's. */
function isNode(): boolean {
  const { versions } = process;
  return !Object.hasOwn(versions, 'deno') && !Object.hasOwn(versions, 'bun');
}

/** The first pause after a connection could not be opened. It doubles with each further failure. */
const FIRST_PAUSE_MS = 100;

const MAX_PAUSE_MS = 1_000;

/** After this time without a failure the next pause is the first again. */
const FORGOTTEN_AFTER_MS = 10_000;

/** The pause before a lane opens more connections, after one could not be opened. */
class OpeningPause {
  readonly #onOver: () => void;
  #failures = 0;
  #failedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    if (this.running) return;
    const now = performance.now();
    if (now - this.#failedAt > FORGOTTEN_AFTER_MS) this.#failures = 0;
    this.#failedAt = now;
    const milliseconds = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onOver();
    }, milliseconds);
    this.#timer.unref?.();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
