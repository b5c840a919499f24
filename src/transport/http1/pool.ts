import type { Socket } from 'node:net';
import type { Slot } from '../connections.js';
import { FRESH_MS } from '../connector.js';
import { type Closing, type ConnectionOwner, Http1Connection } from './connection.js';

/** Part of the time after which the service ends idle connections in which they are still used. */
const IDLE_SHARE = 0.75;

/**
 * Time in ms below which an end of an idle connection says nothing of how long idle ones are kept: the service may be
 * restarting.
 */
const IDLE_LEARNED_FROM_MS = 250;

/** Time in ms that what was learned holds. Ends of connections that are not used any more renew it. */
const IDLE_LEARNED_FOR_MS = 60_000;

/** What a pool tells. */
export interface PoolOwner {
  /** A connection that was added can be used. */
  onConnectionOpen(): void;
  /** `reserve` may give a connection that it did not give before. */
  onConnectionFree(): void;
  /** A connection ends, because bytes arrived on it that no exchange had asked for. */
  onUnsolicited(): void;
  onConnectionClosed(closing: Closing): void;
}

/** The HTTP/1.1 connections of a lane. It opens none itself. */
export class Pool implements ConnectionOwner {
  readonly #origin: string;
  readonly #owner: PoolOwner;
  readonly #all = new Set<Http1Connection>();
  /** The one used last is at the end. */
  readonly #idle: Http1Connection[] = [];
  /** Time in ms for which an idle connection is used. */
  #idleLimit = Number.POSITIVE_INFINITY;
  #learnedAt = 0;

  constructor(origin: string, owner: PoolOwner) {
    this.#origin = origin;
    this.#owner = owner;
  }

  /** How many connections are open, those included that are about to be usable. */
  get size(): number {
    return this.#all.size;
  }

  /** Takes an open socket, on which nothing has been sent or received. */
  add(socket: Socket): void {
    this.#all.add(new Http1Connection(this.#origin, socket, this));
  }

  /**
   * Returns the free connection that was used last.
   *
   * @param fragile The request must not be repeated: only a connection that has just answered will do, or a new one.
   */
  reserve(fragile: boolean): Slot | undefined {
    const now = performance.now();
    const limit = this.#limit(now);
    for (let last = this.#idle.at(-1); last !== undefined; last = this.#idle.at(-1)) {
      const quiet = last.quietFor(now);
      // The others have been idle for longer still.
      if (fragile && last.free && quiet <= limit && quiet > FRESH_MS) return undefined;
      this.#idle.pop();
      if (last.free && quiet <= limit) return last.reserve();
      void last.close(new Error('it was idle for too long'));
    }
    return undefined;
  }

  /** Closes the connection that has been idle for the longest time, to make room for a new one. */
  dropOldest(): void {
    void this.#idle[0]?.close(new Error('a new connection takes its place'));
  }

  async close(): Promise<void> {
    const closed = new Error('the client was closed');
    await Promise.all([...this.#all].map((connection) => connection.close(closed)));
  }

  onOpen(connection: Http1Connection): void {
    this.#idle.push(connection);
    this.#owner.onConnectionOpen();
  }

  onIdle(connection: Http1Connection): void {
    this.#idle.push(connection);
  }

  onUnclaimed(): void {
    this.#owner.onConnectionFree();
  }

  onUnsolicited(): void {
    this.#owner.onUnsolicited();
  }

  onClosed(connection: Http1Connection, closing: Closing): void {
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    if (closing.end === 'idle') this.#learn(closing.quiet);
    this.#owner.onConnectionClosed(closing);
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
