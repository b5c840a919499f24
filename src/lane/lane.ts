import type { LaneStats } from '../stats.js';
import type { Connections, Slot } from '../transport/connections.js';
import { connectionsOf, type Transport } from '../transport/transport.js';
import { afterPolling, isThenable } from '../util/platform.js';
import { type Clock, platformClock } from './clock.js';
import { LaneMembers, MAX_IN_FLIGHT, Pace } from './pace.js';
import { type AttemptEnd, AttemptQueue, type QueuedAttempt } from './queued-attempt.js';
import { type KeyRecord, newKeyRecord, SharedKey } from './shared-key.js';

/**
 * Keeps the requests of one API key at one origin in the order of their nonces. Attempts queue in
 * order of arrival. Each draws its nonce right before its bytes are written. The pace says how soon
 * the next may start, the transport which connection is open and free.
 */
export class Lane {
  /** Number of calls of this lane that have not ended, including those between two attempts. */
  calls = 0;
  /** Rejections because of a later nonce, including one of another process. */
  races = 0;
  readonly members = new LaneMembers();
  readonly sharedKey: SharedKey;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #keyBreaker = new KeyBreaker();
  readonly #queue = new AttemptQueue();
  #checks: 'unknown' | 'checking' | 'checked' = 'unknown';
  #connections: Connections | undefined;
  #inFlight = 0;
  /** True while the nonce source or the signer of an attempt has returned a promise. */
  #beginning = false;
  /** The attempt in flight after which nothing starts until it ends. */
  #exclusive: QueuedAttempt | undefined;
  #unsolicited = 0;

  constructor(origin: string, transport: Transport, clock: Clock = platformClock, record: KeyRecord = newKeyRecord()) {
    this.sharedKey = new SharedKey(record, clock);
    this.#origin = origin;
    this.#transport = transport;
    this.#clock = clock;
    this.#pace = new Pace(clock, this.members, () => this.#pump());
  }

  async close(): Promise<void> {
    this.#pace.stop();
    const connections = this.#connections;
    this.#connections = undefined;
    await connections?.close();
  }

  /** Queues the attempt. The lane calls its `begin` when it may start. */
  enter(attempt: QueuedAttempt): void {
    attempt.queuedAt = this.#clock.now();
    this.#queue.add(attempt);
    this.#pump();
  }

  /** Removes the attempt from the queue. False when it has begun. */
  withdraw(attempt: QueuedAttempt): boolean {
    const waited = this.#queue.remove(attempt);
    if (this.#queue.size === 0) this.#pace.stop();
    else if (waited) this.#pump();
    return waited;
  }

  /** Notes that the attempt hands its bytes to its slot now. */
  starts(attempt: QueuedAttempt): void {
    const { inFlight, priority, withBody, queuedAt } = attempt;
    if (inFlight === undefined) return;
    const now = this.#clock.now();
    const { slot, pacer } = inFlight;
    const starting = { withBody, firstUse: slot.firstUse, retry: priority === 'retry', queued: now - queuedAt };
    inFlight.start = pacer.start(now, starting);
    this.#keyBreaker.started();
  }

  /** Queues an attempt again, before all others: its connection was gone before it started. */
  startAgain(attempt: QueuedAttempt): void {
    this.#land(attempt, 'unsent');
    this.#queue.addFirst(attempt);
    this.#pump();
  }

  /** Notes that the attempt has ended: its response is complete, or its connection is gone. */
  depart(attempt: QueuedAttempt, end: AttemptEnd): void {
    const isProbe = this.#exclusive === attempt && this.#keyBreaker.isOpen;
    const startedAt = attempt.inFlight?.start?.at;
    if (!this.#land(attempt, end)) return;
    if (end === 'race') this.races++;
    if (end === 'race' || end === 'refused') this.#refused(attempt, isProbe && end === 'refused');
    if (end === 'accepted') {
      this.#keyBreaker.accepted();
      this.sharedKey.accepted(attempt.answer.status, startedAt);
    }
    this.#pump();
  }

  stats(): LaneStats {
    return {
      origin: this.#origin,
      transport: this.#transport.name,
      nonceOrder: this.members.order,
      way: this.#connections?.way,
      gap: this.#pace.gap,
      connections: this.#connections === undefined ? 0 : this.#connections.open,
      inFlight: this.#inFlight,
      waiting: this.#queue.size,
      refusedShare: this.#pace.pacer.refusedShare,
      races: this.races,
      unsolicited: this.#unsolicited,
    };
  }

  #refused(attempt: QueuedAttempt, isProbe: boolean): void {
    const { keyIsShared } = this.members;
    this.#keyBreaker.refused(this.#inFlight, keyIsShared && !this.sharedKey.isProven);
    if (keyIsShared && !isProbe) this.sharedKey.refused();
    const isVerdict = isProbe && (!keyIsShared || this.sharedKey.probeRefused(attempt.retriesOfRefusals));
    if (!isVerdict) return;
    // The service rejects the API key: the waiting attempts would be rejected, too.
    const alike = this.#queue.removeAll(({ otherReasons }) => otherReasons >= attempt.otherReasons);
    for (const other of alike) other.failRefused(attempt.answer);
  }

  /** Starts all attempts that may start now. */
  #pump(): void {
    while (!this.#beginning) {
      const attempt = this.#next();
      if (attempt === undefined || this.#pace.mustWait(attempt.priority !== 'queued', this.sharedKey.pause)) return;
      this.#connections ??= this.#connect();
      if (attempt.notRetryable && this.#connections.way !== 'memory' && this.#mustCheck()) return;
      const slot = this.#connections.reserve(this.#queue.size, attempt.notRetryable);
      if (slot === undefined) return;
      this.#begin(attempt, slot);
    }
  }

  /**
   * True while a response may be unchecked. It holds back a write that must not be retried: each
   * call checks its response right after its attempt has ended. If the response belongs to another
   * call, the transport closes the connection, and the write must not be on it then.
   */
  #mustCheck(): boolean {
    if (this.#checks === 'checked') return false;
    if (this.#checks === 'unknown') {
      this.#checks = 'checking';
      afterPolling(() => {
        this.#checks = 'checked';
        this.#pump();
        this.#checks = 'unknown';
      });
    }
    return true;
  }

  /** The attempt that starts next. Undefined while none may start. */
  #next(): QueuedAttempt | undefined {
    if (this.#queue.size === 0 || this.#exclusive !== undefined || this.#inFlight >= this.#pace.window)
      return undefined;
    const how = this.#keyBreaker.next(this.#inFlight);
    if (how === 'wait') return undefined;
    return how === 'probe' ? this.#queue.bestProbe() : this.#queue.first;
  }

  #connect(): Connections {
    return connectionsOf(this.#transport, this.#origin, {
      width: MAX_IN_FLIGHT,
      onReady: () => this.#pump(),
      onUnreachable: (error) => {
        for (const attempt of this.#queue.removeAll()) attempt.failUnreachable(error);
      },
      onUnsolicited: () => {
        this.#unsolicited++;
      },
    });
  }

  /** Begins an attempt. No other draws a nonce until its bytes are handed over. */
  #begin(attempt: QueuedAttempt, slot: Slot): void {
    this.#queue.remove(attempt);
    this.#pace.follow(this.#connections?.way);
    attempt.inFlight = { slot, pacer: this.#pace.pacer, start: undefined };
    const isProbe = this.#keyBreaker.next(this.#inFlight) === 'probe';
    const isAlone = attempt.priority === 'exclusive' || (attempt.travelsAlone && this.#pace.keepsOrder);
    if (isProbe || isAlone) this.#exclusive = attempt;
    this.#inFlight++;
    const begun = attempt.begin(slot);
    if (!isThenable(begun)) return;
    this.#beginning = true;
    begun.then(() => {
      this.#beginning = false;
      this.#pump();
    });
  }

  /** Removes the attempt from those in flight. False when it was not among them. */
  #land(attempt: QueuedAttempt, end: AttemptEnd): boolean {
    const { inFlight } = attempt;
    if (inFlight === undefined) return false;
    attempt.inFlight = undefined;
    this.#inFlight--;
    if (this.#exclusive === attempt) this.#exclusive = undefined;
    this.#pace.learn(inFlight, end);
    // The service may reject the API key itself: another way would not help.
    const milliseconds = this.#keyBreaker.isInDoubt ? undefined : this.#pace.avoidHttp2For();
    if (milliseconds !== undefined) {
      this.#connections?.avoidHttp2?.(milliseconds);
      this.#pace.follow(this.#connections?.way);
    }
    return true;
  }
}

/** Requests that may still start after the first rejection; then the lane waits for responses. */
const MAX_STARTS_IN_DOUBT = 4;

/**
 * A circuit breaker for the API key: it tells a revoked key from a nonce that came late. Of the
 * requests in flight, the service accepts at least the one with the highest nonce. If it accepts
 * none of them, the circuit opens: one request, the probe, is sent alone.
 */
export class KeyBreaker {
  /** Requests that may still start. Undefined: one was accepted since the last rejection. */
  #startsLeft: number | undefined;
  /** Rejections since the last acceptance. */
  #refusals = 0;

  /** True from a rejection until the next acceptance. */
  get isInDoubt(): boolean {
    return this.#startsLeft !== undefined;
  }

  /** True when every response since the first rejection was a rejection. */
  get isOpen(): boolean {
    return this.#startsLeft === 0;
  }

  /** The next request's start: `send` freely, `wait`, or as the `probe`, alone. */
  next(inFlight: number): 'send' | 'wait' | 'probe' {
    if (this.#startsLeft === undefined || this.#startsLeft > 0) return 'send';
    return inFlight > 0 ? 'wait' : 'probe';
  }

  started(): void {
    if (this.#startsLeft !== undefined && this.#startsLeft > 0) this.#startsLeft--;
  }

  accepted(): void {
    this.#startsLeft = undefined;
    this.#refusals = 0;
  }

  /**
   * @param inFlight The other requests in flight.
   * @param opens True to open the circuit at the first rejection.
   */
  refused(inFlight: number, opens = false): void {
    this.#startsLeft = opens ? 0 : (this.#startsLeft ?? MAX_STARTS_IN_DOUBT);
    this.#refusals++;
    // All in flight were rejected: the starts left would cost one more response time and show
    // nothing new.
    if (inFlight === 0 && this.#refusals > MAX_STARTS_IN_DOUBT) this.#startsLeft = 0;
  }
}
