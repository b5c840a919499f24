import { CircuitBreaker } from '../circuit-breaker.js';
import { noTurn, sourceClosed } from '../failures.js';
import { commandTimeout, type TurnSettings } from '../options.js';
import { type Clock, jittered, Sleep } from '../time.js';
import { Turn } from '../turn.js';
import { WaitingCalls } from '../waiting-calls.js';
import type { Granted, KeyRecord, Refusal } from './key-record.js';

/** A process keeps its place in the queue for this long: longer than it ever sleeps. */
const QUEUE_FOR_MS = 1_000;

/** The first in the queue sleeps a share of its time as the first, within these limits. */
const FIRST_POLL = { share: 1 / 5, minMs: 3, maxMs: 15, maxLaterMs: 100, laterAfterMs: 1_000 };

/** The others sleep one turn for each process that comes first, at most this long. */
const MAX_QUEUE_POLL_MS = 200;

/** Added to a wait: timers fire a little early, and clocks of machines are a little apart. */
const SLACK_MS = 10;

/** After a failure, Redis is asked again in this time. */
const RETRY_MS = 200;

/** This process's place in the queue for one API key: one process at a time sends with it. */
export class KeyQueue {
  /** Clients that report what is done. Without any, a turn does not wait for answers. */
  clients = 0;
  readonly #record: KeyRecord;
  readonly #settings: TurnSettings;
  readonly #clock: Clock;
  readonly #breaker: CircuitBreaker;
  readonly #waiting = new WaitingCalls();
  readonly #sleep = new Sleep();
  #seeking = false;
  /** The time since when this process is the first in the queue. */
  #firstSince: number | undefined;
  /** True if this process may have a place in the queue at Redis. */
  #queued = false;
  #sought: Promise<void> = Promise.resolve();
  #turn: Turn | undefined;

  constructor(record: KeyRecord, settings: TurnSettings, clock: Clock) {
    this.#record = record;
    this.#settings = settings;
    this.#clock = clock;
    this.#breaker = new CircuitBreaker(commandTimeout(settings), clock);
  }

  next(): bigint | Promise<bigint> {
    return this.#issue() ?? this.#wait();
  }

  done(nonce: bigint): void {
    this.#turn?.done(nonce);
  }

  overtaken(nonce: bigint): Promise<boolean> {
    return this.#record.overtaken(nonce);
  }

  async close(): Promise<void> {
    this.#waiting.settle(sourceClosed());
    this.#sleep.wake();
    // The turn may be about to come.
    await this.#sought;
    await this.#turn?.finish();
  }

  #issue(): bigint | undefined {
    return this.#turn?.issue(this.clients > 0);
  }

  #wait(): Promise<bigint> {
    const { acquireTimeout } = this.#settings;
    const nonce = this.#waiting.add({
      result: () => this.#issue(),
      timeout: acquireTimeout,
      late: () => noTurn(acquireTimeout),
      group: this,
    });
    const { error } = this.#breaker;
    // Redis is asked all the same: so the end of the outage is noticed.
    if (error !== undefined) this.#waiting.settle(error);
    this.#seek();
    return nonce;
  }

  /** Asks for the turn until it has come, or no call waits for it. */
  #seek(): void {
    if (this.#seeking || this.#turn !== undefined) return;
    this.#seeking = true;
    this.#sought = this.#seekTurn();
  }

  async #seekTurn(): Promise<void> {
    this.#firstSince = undefined;
    for (;;) {
      const delay = await this.#ask();
      if (this.#turn !== undefined) break;
      if (this.#waiting.size > 0) await this.#sleep.for(delay);
      if (this.#waiting.size === 0) await this.#leave();
      if (this.#waiting.size === 0) break;
    }
    this.#seeking = false;
  }

  /** Leaves the queue at Redis, so others need not wait until the place runs out. */
  async #leave(): Promise<void> {
    if (!this.#queued) return;
    this.#queued = false;
    await this.#record.leave();
  }

  /** Asks once. Resolves to the ms until the next question. Never rejects. */
  async #ask(): Promise<number> {
    const sentAt = this.#clock.steady();
    try {
      const acquisition = await this.#record.acquire(QUEUE_FOR_MS);
      this.#breaker.succeeded();
      this.#queued = acquisition.lease === undefined;
      if (acquisition.lease === undefined) return this.#delayAfter(acquisition.refusal);
      this.#begin(acquisition);
      return 0;
    } catch (error) {
      this.#breaker.failed(sentAt, error as Error);
      if (this.#breaker.error !== undefined) this.#waiting.settle(this.#breaker.error);
      return jittered(RETRY_MS);
    }
  }

  #begin({ lease, contended }: Granted): void {
    this.#turn = new Turn({
      lease,
      contended,
      record: this.#record,
      settings: this.#settings,
      clock: this.#clock,
      onOver: () => this.#turnIsOver(),
    });
    this.#waiting.settle();
  }

  #turnIsOver(): void {
    this.#turn = undefined;
    if (this.#waiting.size > 0) this.#seek();
  }

  #delayAfter({ reason, wait, ahead }: Refusal): number {
    if (reason === 'doubt') return wait + jittered(SLACK_MS);
    if (ahead > 0) {
      this.#firstSince = undefined;
      return jittered(Math.min(ahead * this.#settings.turn, MAX_QUEUE_POLL_MS));
    }
    const now = this.#clock.steady();
    this.#firstSince ??= now;
    const asFirst = now - this.#firstSince;
    const { share, minMs, maxMs, maxLaterMs, laterAfterMs } = FIRST_POLL;
    const limit = asFirst < laterAfterMs ? maxMs : maxLaterMs;
    return jittered(Math.min(Math.max(asFirst * share, minMs), limit));
  }
}
