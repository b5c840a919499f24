import type { Socket } from 'node:net';
import type { Slot } from '../connections.js';
import { FRESH_MS } from '../connector.js';
import { Http2Session, type SessionEnd, type SessionOwner } from './session.js';

/**
 * Streams after which an announced end of a session counts as the edge's habit: some close a session after so many
 * requests.
 */
const HABIT_FROM_STREAMS = 100;

/** Part of the streams that an edge allows a session after which the next session is opened. */
const SUCCESSION_SHARE = 0.9;

/** Time in ms in which two sessions that break with several streams in flight mean that HTTP/2 does not work here. */
const BREAKS_WITHIN_MS = 60_000;

/** What the sessions tell. */
export interface SessionsOwner {
  /** A session that was added can be used. */
  onSessionOpen(): void;
  /** `reserve` may give a place that it did not give before. */
  onSessionFree(): void;
  /** The session in use will end, while streams are in flight on it: the next one is wanted now. */
  onSuccessionDue(): void;
  /** Sessions break again and again with several streams in flight: one request may be what breaks them. */
  onBreaking(): void;
  /**
   * A session has ended, and the service had not begun with any stream.
   *
   * @param unopened It was never usable.
   */
  onSessionFailed(error: Error, unopened: boolean): void;
}

/**
 * The HTTP/2 sessions of a lane: one that is used, and those before it whose last streams are in flight. It opens none
 * itself.
 */
export class Sessions implements SessionOwner {
  readonly #origin: string;
  readonly #width: number;
  readonly #owner: SessionsOwner;
  readonly #all = new Set<Http2Session>();
  #current: Http2Session | undefined;
  /** How many streams the edge allows a session, as far as it has shown. */
  #habit = Number.POSITIVE_INFINITY;
  #brokeAt = Number.NEGATIVE_INFINITY;

  constructor(origin: string, width: number, owner: SessionsOwner) {
    this.#origin = origin;
    this.#width = width;
    this.#owner = owner;
  }

  /** How many sessions are open, those included that wait for the service's settings. */
  get size(): number {
    return this.#all.size;
  }

  /** There is a session for new streams, though its places may all be taken. */
  get usable(): boolean {
    return this.#current !== undefined;
  }

  /** Takes an open socket whose service speaks HTTP/2. */
  add(socket: Socket): void {
    this.#all.add(new Http2Session(this.#origin, socket, this.#width, this));
  }

  /** @param fragile The request must not be repeated: a session that has been idle will not do. */
  reserve(fragile: boolean): Slot | undefined {
    const session = this.#current;
    if (session === undefined) return undefined;
    if (fragile && session.quietFor(performance.now()) > FRESH_MS) {
      session.retire();
      return undefined;
    }
    if (session.started >= this.#habit * SUCCESSION_SHARE) this.#owner.onSuccessionDue();
    return session.reserve();
  }

  /** Begins no new streams on any session. */
  retire(): void {
    this.#current?.retire();
  }

  async close(): Promise<void> {
    const closed = new Error('the client was closed');
    await Promise.all([...this.#all].map((session) => session.close(closed)));
  }

  onOpen(session: Http2Session): void {
    const before = this.#current;
    this.#current = session;
    before?.retire();
    this.#owner.onSessionOpen();
  }

  onDraining(session: Http2Session): void {
    const { announcedAfter = 0 } = session;
    if (announcedAfter >= HABIT_FROM_STREAMS) this.#habit = announcedAfter;
    if (this.#current !== session) return;
    this.#current = undefined;
    if (session.inFlight > 0) this.#owner.onSuccessionDue();
    this.#owner.onSessionFree();
  }

  onFree(): void {
    this.#owner.onSessionFree();
  }

  onBroken(): void {
    const now = performance.now();
    if (now - this.#brokeAt < BREAKS_WITHIN_MS) this.#owner.onBreaking();
    this.#brokeAt = now;
  }

  onClosed(session: Http2Session, end: SessionEnd, error: Error): void {
    this.#all.delete(session);
    if (this.#current === session) this.#current = undefined;
    if (end === 'over') this.#owner.onSessionFree();
    else this.#owner.onSessionFailed(error, end === 'unopened');
  }
}
