import type { Socket } from 'node:net';
import type { Slot } from '../connections.js';
import { FRESH_MS } from '../connector.js';
import type { PoolOwner } from '../http1/pool.js';
import { Http2Session, type SessionEnd, type SessionOwner } from './session.js';

/** A session whose end is announced after this many streams or more shows the proxy's limit. */
const HABIT_FROM_STREAMS = 100;

/**
 * Number of streams that proxies such as nginx often allow a session. It is assumed for a write
 * that must not be retried, until the proxy has shown its limit, because the end of a session may
 * disown it.
 */
const COMMON_LIMIT_STREAMS = 1_000;

/** The next session is opened after this share of the streams that the proxy allows. */
const SUCCESSION_SHARE = 0.9;

/**
 * A new session waits for the heads of the one before, since proxies may hand on its requests ahead
 * of them. A request without a head after this time is a slow one: its nonce has been read.
 */
const MAX_ORDER_WAIT_MS = 1_000;

/** Two sessions that break within this time show that HTTP/2 does not work here. */
const BREAKS_WITHIN_MS = 60_000;

export interface SessionsOwner extends Pick<PoolOwner, 'onFree' | 'onFailed'> {
  /** Called when a session that was added can be used. */
  onSessionOpen(): void;
  /** Called when the session in use is about to end: the next one should be opened now. */
  onSuccessionDue(): void;
  /** Called when two sessions in a row broke with several streams, perhaps by one request. */
  onBreaking(): void;
}

/** The HTTP/2 sessions of a lane: the one in use, and earlier ones with their last streams. */
export class Sessions implements SessionOwner {
  readonly #origin: string;
  readonly #width: number;
  readonly #owner: SessionsOwner;
  readonly #all = new Set<Http2Session>();
  #current: Http2Session | undefined;
  /** Number of streams that the proxy allows a session; infinite until it has shown a limit. */
  #habit = Number.POSITIVE_INFINITY;
  #brokeAt = Number.NEGATIVE_INFINITY;
  /** The session before the current one, whose requests a new one could overtake. */
  #before: Http2Session | undefined;
  #orderTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(origin: string, width: number, owner: SessionsOwner) {
    this.#origin = origin;
    this.#width = width;
    this.#owner = owner;
  }

  /** Number of open sessions, including those that wait for the service's settings. */
  get size(): number {
    return this.#all.size;
  }

  /** True if there is a session for new streams, though its places may all be taken. */
  get usable(): boolean {
    return this.#current !== undefined;
  }

  /** Adds a session over an open socket whose service speaks HTTP/2. */
  add(socket: Socket): void {
    this.#all.add(new Http2Session(this.#origin, socket, this.#width, this));
  }

  /**
   * @param notRetryable True for a write that must not be retried. It gets no session that has
   *   been idle.
   */
  reserve(notRetryable: boolean): Slot | undefined {
    const session = this.#current;
    if (session === undefined || this.#before?.awaitsHead) return undefined;
    this.#before = undefined;
    const now = performance.now();
    if (notRetryable && session.quietFor(now) > FRESH_MS) {
      session.retire();
      return undefined;
    }
    const limit = notRetryable && !Number.isFinite(this.#habit) ? COMMON_LIMIT_STREAMS : this.#habit;
    if (session.started >= limit * SUCCESSION_SHARE || now > session.endOfUse) this.#owner.onSuccessionDue();
    return session.reserve();
  }

  /** Begins no new streams on any session. */
  retire(): void {
    this.#current?.retire();
  }

  async close(): Promise<void> {
    clearTimeout(this.#orderTimer);
    const closed = new Error('the client was closed');
    await Promise.all([...this.#all].map((session) => session.close(closed)));
  }

  onOpen(session: Http2Session): void {
    const before = this.#current;
    this.#current = session;
    if (before?.awaitsHead) this.#waitFor(before);
    before?.retire();
    this.#owner.onSessionOpen();
  }

  #waitFor(before: Http2Session): void {
    this.#before = before;
    clearTimeout(this.#orderTimer);
    this.#orderTimer = setTimeout(() => {
      this.#before = undefined;
      this.#owner.onFree();
    }, MAX_ORDER_WAIT_MS);
    this.#orderTimer.unref?.();
  }

  onDraining(session: Http2Session): void {
    const { announcedAfter = 0 } = session;
    if (announcedAfter >= HABIT_FROM_STREAMS) this.#habit = announcedAfter;
    if (this.#current !== session) return;
    this.#current = undefined;
    if (session.inFlight > 0) this.#owner.onSuccessionDue();
    this.#owner.onFree();
  }

  onFree(): void {
    this.#owner.onFree();
  }

  onBroken(): void {
    const now = performance.now();
    if (now - this.#brokeAt < BREAKS_WITHIN_MS) this.#owner.onBreaking();
    this.#brokeAt = now;
  }

  onClosed(session: Http2Session, end: SessionEnd, error: Error): void {
    this.#all.delete(session);
    if (this.#current === session) this.#current = undefined;
    if (end === 'over') this.#owner.onFree();
    else this.#owner.onFailed(error, end === 'unopened');
  }
}
