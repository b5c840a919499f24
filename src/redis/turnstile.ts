import type { Clock } from './clock.js';
import { noTurn, sourceClosed } from './failures.js';
import type { Granted, KeyRecord, Refusal } from './key-record.js';
import type { TurnSettings } from './options.js';
import { Outage } from './outage.js';
import { jittered, Pause } from './pause.js';
import { Turn } from './turn.js';
import { Waiters } from './waiters.js';

/** How long a process that waits counts when it does not ask again, in milliseconds: longer than it ever pauses. */
const PATIENCE = 1_000;

/**
 * Pauses between two questions whether it is our turn, in milliseconds. For the first in the queue a share of its wait
 * as the first, within bounds, so that a turn that ends soon is taken soon; for the others a turn for each that comes
 * before.
 */
const POLL = { share: 1 / 5, least: 3, soon: 15, soonUntil: 1_000, most: 100, later: 200 };

/** When timers are a little early, and clocks of machines a little apart, in milliseconds. */
const SLACK = 10;

/** How soon Redis is asked again after a failure, in milliseconds. */
const RETRY = 200;

/** Lets one process at a time send with one API key: this process's side. */
export class Turnstile {
  /** Clients that say when what they have sent is done; without any, a turn does not wait for answers. */
  clients = 0;
  readonly #record: KeyRecord;
  readonly #settings: TurnSettings;
  readonly #clock: Clock;
  readonly #outage: Outage;
  readonly #waiters = new Waiters();
  readonly #pause = new Pause();
  #seeking = false;
  /** Since when this process is the first of those that wait. */
  #firstSince: number | undefined;
  /** Redis may know of us as waiting. */
  #queued = false;
  #sought: Promise<void> = Promise.resolve();
  #turn: Turn | undefined;

  constructor(record: KeyRecord, settings: TurnSettings, clock: Clock) {
    this.#record = record;
    this.#settings = settings;
    this.#clock = clock;
    this.#outage = new Outage(settings.commandTimeout, clock);
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
    this.#waiters.settle(sourceClosed());
    this.#pause.end();
    // It may be about to get the turn.
    await this.#sought;
    await this.#turn?.finish();
  }

  #issue(): bigint | undefined {
    return this.#turn?.issue(this.clients > 0);
  }

  #wait(): Promise<bigint> {
    const { acquireTimeout } = this.#settings;
    const ready = () => this.#issue();
    const nonce = this.#waiters.add({
      ready,
      timeout: acquireTimeout,
      late: () => noTurn(acquireTimeout),
      group: this,
    });
    const { error } = this.#outage;
    // In a long outage nobody is kept waiting; the question to Redis is put all the same, and finds out when it is
    // over.
    if (error !== undefined) this.#waiters.settle(error);
    this.#seek();
    return nonce;
  }

  /** Asks for the turn until it has come, or nobody here wants it any more. */
  #seek(): void {
    if (this.#seeking || this.#turn !== undefined) return;
    this.#seeking = true;
    this.#sought = this.#seekTurn();
  }

  async #seekTurn(): Promise<void> {
    this.#firstSince = undefined;
    for (;;) {
      const pause = await this.#try();
      if (this.#turn !== undefined) break;
      if (this.#waiters.size > 0) await this.#pause.wait(pause);
      if (this.#waiters.size === 0) await this.#leave();
      if (this.#waiters.size === 0) break;
    }
    this.#seeking = false;
  }

  /** Others need not wait for the end of our patience. */
  async #leave(): Promise<void> {
    if (!this.#queued) return;
    this.#queued = false;
    await this.#record.leave();
  }

  /** Asks once; gives the milliseconds until the next time. Never rejects. */
  async #try(): Promise<number> {
    const sent = this.#clock.steady();
    try {
      const acquisition = await this.#record.acquire(PATIENCE);
      this.#outage.answered();
      this.#queued = acquisition.hold === undefined;
      if (acquisition.hold === undefined) return this.#pauseAfter(acquisition.refusal);
      this.#begin(acquisition);
      return 0;
    } catch (error) {
      this.#outage.failed(sent, error as Error);
      if (this.#outage.error !== undefined) this.#waiters.settle(this.#outage.error);
      return jittered(RETRY);
    }
  }

  #begin({ hold, contended }: Granted): void {
    this.#turn = new Turn({
      hold,
      contended,
      record: this.#record,
      settings: this.#settings,
      clock: this.#clock,
      onOver: () => this.#turnIsOver(),
    });
    this.#waiters.settle();
  }

  #turnIsOver(): void {
    this.#turn = undefined;
    if (this.#waiters.size > 0) this.#seek();
  }

  #pauseAfter({ reason, wait, ahead }: Refusal): number {
    if (reason === 'doubt') return wait + jittered(SLACK);
    if (ahead > 0) {
      this.#firstSince = undefined;
      return jittered(Math.min(ahead * this.#settings.turn, POLL.later));
    }
    const now = this.#clock.steady();
    this.#firstSince ??= now;
    const asFirst = now - this.#firstSince;
    const most = asFirst < POLL.soonUntil ? POLL.soon : POLL.most;
    return jittered(Math.min(Math.max(asFirst * POLL.share, POLL.least), most));
  }
}
