import type { Clock } from './clock.js';
import type { Hold } from './hold.js';
import type { KeyRecord, Refusal } from './key-record.js';
import { jittered } from './pause.js';

/** How often somebody who waits for a held API key asks whether it has been given back, in milliseconds. */
const URGENT_POLL = 200;

/**
 * How long an API key is left alone after Redis could not be asked for it, in milliseconds: another one's Redis may
 * answer.
 */
const AFTER_FAILURE = 500;

/** When timers are a little early, and clocks of machines a little apart. */
const SLACK = 10;

/** One API key as a process has it: held or not, and renewed while it is. */
export class Lease {
  readonly #record: KeyRecord;
  readonly #ttl: number;
  readonly #clock: Clock;
  readonly #onLost: () => void;
  #hold: Hold | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #refusal: (Refusal & { readonly at: number; readonly jitter: number }) | undefined;
  /** It was held before: the first to get again. */
  former = false;

  constructor(record: KeyRecord, ttl: number, onLost: () => void, clock: Clock) {
    this.#record = record;
    this.#ttl = ttl;
    this.#clock = clock;
    this.#onLost = onLost;
  }

  isHeld(): boolean {
    return this.#hold?.isValid() === true;
  }

  /** True when somebody else was found to hold it, at this moment or later. */
  wasTaken(since: number): boolean {
    return this.#refusal?.reason === 'taken' && this.#refusal.at >= since;
  }

  issue(): bigint | undefined {
    return this.#hold?.issue();
  }

  overtaken(nonce: bigint): Promise<boolean> {
    return this.#record.overtaken(nonce);
  }

  /** Milliseconds until it makes sense to ask for it again. */
  dueIn(urgent: boolean): number {
    const pause = this.#failedAt + AFTER_FAILURE - this.#clock.steady();
    if (this.#refusal === undefined || pause > 0) return Math.max(0, pause);
    const { reason, wait, at, jitter } = this.#refusal;
    const free = wait + SLACK;
    // Somebody who holds it may give it back at any time.
    const delay = reason === 'doubt' ? free : Math.min(free, jitter * (urgent ? URGENT_POLL : this.#ttl / 3));
    return Math.max(0, at + delay - this.#clock.steady());
  }

  /** Asks for it once. */
  async acquire(): Promise<void> {
    this.#drop();
    const acquisition = await this.#record.acquire(0).catch((error: unknown) => {
      this.#failedAt = this.#clock.steady();
      throw error;
    });
    if (acquisition.hold === undefined) {
      this.#refusal = { ...acquisition.refusal, at: this.#clock.steady(), jitter: jittered(1) };
      return;
    }
    this.#refusal = undefined;
    this.#hold = acquisition.hold;
    this.former = true;
    this.#schedule(this.#ttl / 3);
  }

  /** Gives it back, so that another process can have it at once. */
  async release(): Promise<void> {
    const hold = this.#drop();
    if (hold !== undefined) await this.#record.release(hold);
  }

  #drop(): Hold | undefined {
    clearTimeout(this.#timer);
    const hold = this.#hold;
    this.#hold = undefined;
    return hold;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(() => void this.#renew(), delay);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const hold = this.#hold;
    if (hold === undefined) return;
    const renewed = await this.#record.renew(hold).catch(() => 'failed' as const);
    if (this.#hold !== hold) return;
    if (renewed !== undefined && hold.isValid()) {
      // Tried again sooner when Redis did not answer: the hold goes on meanwhile.
      this.#schedule(renewed === 'failed' ? jittered(this.#ttl / 10) : this.#ttl / 3);
      return;
    }
    this.#drop();
    this.#onLost();
  }
}
