import type { Connections, Slot, Way } from '../transport/connections.js';
import { connectionsOf, type Transport } from '../transport/transport.js';
import { isThenable } from '../util/platform.js';
import { AnswerChecks } from './answer-checks.js';
import { AttemptQueue } from './attempt-queue.js';
import { type Clock, platformClock } from './clock.js';
import { KeyDoubt } from './key-doubt.js';
import { type LaneMember, LaneMembers, type NonceOrder } from './lane-members.js';
import { MAX_IN_FLIGHT, Pace } from './pace.js';
import type { AttemptEnd, Flight, QueuedAttempt } from './queued-attempt.js';

/** What `client.stats()` shows of a lane. */
export interface LaneStats {
  readonly origin: string;
  /** Name of the transport. */
  readonly transport: string;
  readonly nonceOrder: NonceOrder;
  /**
   * What requests go over: `http2`, one session with a stream for each; `http1`, a pool of connections with one request each at a time;
   * `fetch` and `dispatcher`, connections that the platform or your dispatcher decides about. Undefined before the first connection.
   */
  readonly way: Way | undefined;
  /** Time in ms between the starts of two requests; 0 with `unordered`. */
  readonly gap: number;
  /** Connections that are open; undefined where the SDK does not open them. */
  readonly connections: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** The share of the last requests, about 200, that were refused because a later nonce had overtaken them: 0 to 1. */
  readonly refusedShare: number;
  /** Requests that were refused because a later nonce had overtaken them, and made again. */
  readonly races: number;
  /**
   * Connections that were closed because bytes arrived on them that no request had asked for. More than a few mean that something between
   * here and the service answers too often: its answers may also reach the wrong call.
   */
  readonly unsolicited: number;
}

/**
 * The order of one API key at one origin: attempts wait in order of arrival and draw their nonces one after the other, right before
 * their bytes are written. The pace says how soon one may follow another, the transport which connection is open and free.
 */
export class Lane {
  /** Calls that have chosen this lane and are not over, also while they wait to be repeated. */
  calls = 0;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #members = new LaneMembers();
  readonly #pace: Pace;
  readonly #doubt = new KeyDoubt();
  readonly #queue = new AttemptQueue();
  readonly #checks = new AnswerChecks(() => this.#pump());
  #connections: Connections | undefined;
  #inFlight = 0;
  /** The nonce source or the signer of an attempt takes its time. */
  #beginning = false;
  /** Nothing starts before it is over. */
  #exclusive: QueuedAttempt | undefined;
  #races = 0;
  #unsolicited = 0;

  constructor(origin: string, transport: Transport, clock: Clock = platformClock) {
    this.#origin = origin;
    this.#transport = transport;
    this.#clock = clock;
    this.#pace = new Pace(clock, this.#members, () => this.#pump());
  }

  /** A client begins to use the lane. */
  join(member: LaneMember): void {
    this.#members.join(member);
  }

  /** A client is done with the lane; true when it was the last, and what the lane opened should be closed. */
  leave(member: LaneMember): boolean {
    return this.#members.leave(member);
  }

  async close(): Promise<void> {
    this.#pace.stop();
    const connections = this.#connections;
    this.#connections = undefined;
    await connections?.close();
  }

  /** Waits for its turn; `begin` is called when it comes. */
  enter(attempt: QueuedAttempt): void {
    // V8 keeps a whole number in the object itself: thousands of attempts may wait.
    attempt.queuedAt = Math.floor(this.#clock.now());
    this.#queue.add(attempt);
    this.#pump();
  }

  /** Leaves the queue; false when the attempt has begun. */
  withdraw(attempt: QueuedAttempt): boolean {
    const waited = this.#queue.remove(attempt);
    if (waited) this.#pump();
    return waited;
  }

  /** The attempt hands its bytes to its slot now. */
  starts(attempt: QueuedAttempt): void {
    const { flight, turn, withBody, queuedAt } = attempt;
    if (flight === undefined) return;
    const now = this.#clock.now();
    const { firstUse } = flight.slot;
    flight.start = flight.pacer.start(now, { withBody, firstUse, repeat: turn === 'repeat', queued: now - queuedAt });
    this.#doubt.started();
  }

  /** The attempt did not start, since its connection was gone: it waits again, before all others. */
  startAgain(attempt: QueuedAttempt): void {
    this.#land(attempt, 'unsent');
    this.#queue.addFirst(attempt);
    this.#pump();
  }

  /** The attempt is over on the wire: its answer is whole, or its connection is gone. */
  depart(attempt: QueuedAttempt, end: AttemptEnd): void {
    const spokeForKey = this.#exclusive === attempt && this.#doubt.isSpent;
    if (!this.#land(attempt, end)) return;
    if (end === 'race') this.#races++;
    if (end === 'accepted') this.#doubt.accepted();
    else if (end === 'race' || end === 'refused') this.#doubt.refused(this.#inFlight);
    if (end === 'refused' && spokeForKey) this.#failRefusedLike(attempt);
    this.#pump();
  }

  /** A refusal that turned out, afterwards, to be a race with another process. */
  countRace(): void {
    this.#races++;
  }

  stats(): LaneStats {
    return {
      origin: this.#origin,
      transport: this.#transport.name,
      nonceOrder: this.#members.order,
      way: this.#connections?.way,
      gap: this.#pace.gap,
      connections: this.#connections === undefined ? 0 : this.#connections.open,
      inFlight: this.#inFlight,
      waiting: this.#queue.size,
      refusedShare: this.#pace.pacer.refusedShare,
      races: this.#races,
      unsolicited: this.#unsolicited,
    };
  }

  // ---- from the queue to a connection ----

  /** Starts as many as may start now. */
  #pump(): void {
    while (!this.#beginning) {
      const attempt = this.#next();
      if (attempt === undefined || this.#pace.mustWait(attempt.turn !== 'queued')) return;
      if (attempt.notRepeatable && this.#checks.mustWait()) return;
      const slot = this.#reserve(attempt);
      if (slot === undefined) return;
      this.#begin(attempt, slot);
    }
  }

  /** Who starts next; undefined while nobody may. */
  #next(): QueuedAttempt | undefined {
    if (this.#queue.size === 0 || this.#exclusive !== undefined || this.#inFlight >= this.#pace.window)
      return undefined;
    const how = this.#doubt.next(this.#inFlight);
    if (how === 'wait') return undefined;
    return how === 'alone' ? this.#queue.bestWitness() : this.#queue.first;
  }

  #reserve({ notRepeatable }: QueuedAttempt): Slot | undefined {
    this.#connections ??= this.#connect();
    return this.#connections.reserve(this.#queue.size, notRepeatable);
  }

  #connect(): Connections {
    return connectionsOf(this.#transport, this.#origin, {
      width: MAX_IN_FLIGHT,
      onReady: () => this.#pump(),
      onUnreachable: (error) => this.#failWaiting(error),
      onUnsolicited: () => {
        this.#unsolicited++;
      },
    });
  }

  #failWaiting(error: unknown): void {
    for (const attempt of this.#queue.removeAll()) attempt.failUnreachable(error);
  }

  /** Until this one's bytes are handed to the connection no other draws a nonce: the order of nonces is the order of sending. */
  #begin(attempt: QueuedAttempt, slot: Slot): void {
    this.#queue.remove(attempt);
    this.#pace.follow(this.#connections?.way);
    attempt.flight = { slot, pacer: this.#pace.pacer, start: undefined };
    if (attempt.turn === 'exclusive' || this.#doubt.next(this.#inFlight) === 'alone') this.#exclusive = attempt;
    this.#inFlight++;
    const begun = attempt.begin(slot);
    if (!isThenable(begun)) return;
    this.#beginning = true;
    begun.then(() => {
      this.#beginning = false;
      this.#pump();
    });
  }

  // ---- from a connection to the end ----

  /** The API key is refused: nothing that waits can fare better, unless it has fewer other reasons to be refused. */
  #failRefusedLike({ otherReasons, answer }: QueuedAttempt): void {
    for (const other of this.#queue.removeAll((waits) => waits.otherReasons >= otherReasons)) other.failRefused(answer);
  }

  /** It is no longer in flight; false when it was not. */
  #land(attempt: QueuedAttempt, end: AttemptEnd): boolean {
    const { flight } = attempt;
    if (flight === undefined) return false;
    attempt.flight = undefined;
    this.#inFlight--;
    if (this.#exclusive === attempt) this.#exclusive = undefined;
    this.#learn(flight, end);
    return true;
  }

  #learn(flight: Flight, end: AttemptEnd): void {
    this.#pace.learn(flight, end);
    // While everything is refused, it may be for the API key, which is the same on every way.
    const milliseconds = this.#doubt.isRaised ? undefined : this.#pace.avoidHttp2For();
    if (milliseconds === undefined) return;
    this.#connections?.avoidHttp2?.(milliseconds);
    this.#pace.follow(this.#connections?.way);
  }
}
