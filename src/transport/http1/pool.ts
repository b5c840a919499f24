import type { Socket } from 'node:net';
import type { Slot } from '../connections.js';
import { FRESH_MS } from '../connector.js';
import { type Closing, type ConnectionOwner, Http1Connection } from './connection.js';

/** An idle connection is used for this share of the time after which the service ends it. */
const IDLE_SHARE = 0.75;

/** An idle connection that ends earlier teaches nothing: the service may be restarting. */
const IDLE_LEARNED_FROM_MS = 250;

/** The learned time is dropped after this. Ends of unused connections renew it. */
const IDLE_LEARNED_FOR_MS = 60_000;

export interface PoolOwner extends Pick<ConnectionOwner, 'onUnsolicited'> {
  /** Called when `reserve` may return a place, although it returned none before. */
  onFree(): void;
  /**
   * Called when a connection could not be opened, or ended before the service had begun with any
   * request.
   *
   * @param unopened True if it was never usable.
   */
  onFailed(error: Error, unopened: boolean): void;
}

/** The HTTP/1.1 connections of a lane. It opens none itself. */
export class Pool implements ConnectionOwner {
  readonly #origin: string;
  readonly #owner: PoolOwner;
  readonly #all = new Set<Http1Connection>();
  /** The connection that was used last is at the end. */
  readonly #idle: Http1Connection[] = [];
  /** A connection that has been idle for longer, in ms, is not used. */
  #idleLimit = Number.POSITIVE_INFINITY;
  #learnedAt = 0;

  constructor(origin: string, owner: PoolOwner) {
    this.#origin = origin;
    this.#owner = owner;
  }

  /** Number of open connections. */
  get size(): number {
    return this.#all.size;
  }

  /** Adds a connection over an open socket, on which nothing has been sent or received. */
  add(socket: Socket): void {
    const connection = new Http1Connection(this.#origin, socket, this);
    this.#all.add(connection);
    this.#idle.push(connection);
  }

  /**
   * Returns the free connection that was used last.
   *
   * @param notRetryable True for a write that must not be retried. It gets a connection that has
   *   just delivered a response, or a new one.
   */
  reserve(notRetryable: boolean): Slot | undefined {
    const now = performance.now();
    const limit = this.#limit(now);
    for (let last = this.#idle.at(-1); last !== undefined; last = this.#idle.at(-1)) {
      const quiet = last.quietFor(now);
      // The lane opens a new connection instead: all others have been idle for longer.
      if (notRetryable && last.free && quiet <= limit && quiet > FRESH_MS) return undefined;
      this.#idle.pop();
      if (last.free && quiet <= limit && now < last.endOfUse) return last.reserve();
      last.close(new Error('it was idle, or in use, for too long'));
    }
    return undefined;
  }

  /** Closes the connection that has been idle for the longest time, to make room for a new one. */
  dropOldest(): void {
    this.#idle[0]?.close(new Error('a new connection takes its place'));
  }

  close(): void {
    const closed = new Error('the client was closed');
    for (const connection of [...this.#all]) connection.close(closed);
  }

  onIdle(connection: Http1Connection): void {
    this.#idle.push(connection);
  }

  onUnclaimed(): void {
    this.#owner.onFree();
  }

  onUnsolicited(): void {
    this.#owner.onUnsolicited();
  }

  onClosed(connection: Http1Connection, closing: Closing): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    if (closing.end === 'idle') this.#learn(closing.quiet);
    if (closing.end === 'unused') this.#owner.onFailed(closing.error, false);
  }

  #learn(idleFor: number): void {
    if (idleFor < IDLE_LEARNED_FROM_MS) return;
    this.#idleLimit = idleFor * IDLE_SHARE;
    this.#learnedAt = performance.now();
  }

  #limit(now: number): number {
    if (now - this.#learnedAt > IDLE_LEARNED_FOR_MS) this.#idleLimit = Number.POSITIVE_INFINITY;
    return this.#idleLimit;
  }
}
