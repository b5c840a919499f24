import { type Clock, jittered } from '../time.js';
import type { KeyRecord, Refusal } from './key-record.js';
import type { Lease } from './lease.js';

/** A process that waits for a key of another holder asks this often whether it was given back. */
const URGENT_POLL_MS = 200;

/** After a failure a key is left alone for this long: another key's Redis node may answer. */
const FAILURE_DELAY_MS = 500;

/** Added to a wait: timers fire a little early, and clocks of machines are a little apart. */
const SLACK_MS = 10;

/** One API key of this process: its lease while it has one, renewed in the background. */
export class HeldKey {
  readonly #record: KeyRecord;
  readonly #ttl: number;
  readonly #clock: Clock;
  readonly #onLost: () => void;
  #lease: Lease | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #refusal: (Refusal & { readonly at: number; readonly jitter: number }) | undefined;
  /** True if it was held before: it is the first to be asked for again. */
  wasHeld = false;

  constructor(record: KeyRecord, ttl: number, onLost: () => void, clock: Clock) {
    this.#record = record;
    this.#ttl = ttl;
    this.#clock = clock;
    this.#onLost = onLost;
  }

  isHeld(): boolean {
    return this.#lease?.isValid() === true;
  }

  /** Returns true if another process was found to hold it at this steady time or later. */
  wasTaken(since: number): boolean {
    return this.#refusal?.reason === 'taken' && this.#refusal.at >= since;
  }

  issue(): bigint | undefined {
    return this.#lease?.issue();
  }

  overtaken(nonce: bigint): Promise<boolean> {
    return this.#record.overtaken(nonce);
  }

  /** Returns the ms until it makes sense to ask for it again. */
  dueIn(urgent: boolean): number {
    const delayed = this.#failedAt + FAILURE_DELAY_MS - this.#clock.steady();
    if (this.#refusal === undefined || delayed > 0) return Math.max(0, delayed);
    const { reason, wait, at, jitter } = this.#refusal;
    const free = wait + SLACK_MS;
    // A holder may give it back at any time.
    const delay = reason === 'doubt' ? free : Math.min(free, jitter * (urgent ? URGENT_POLL_MS : this.#ttl / 3));
    return Math.max(0, at + delay - this.#clock.steady());
  }

  /** Asks for it once. */
  async acquire(): Promise<void> {
    this.#drop();
    const acquisition = await this.#record.acquire(0).catch((error: unknown) => {
      this.#failedAt = this.#clock.steady();
      throw error;
    });
    if (acquisition.lease === undefined) {
      this.#refusal = { ...acquisition.refusal, at: this.#clock.steady(), jitter: jittered(1) };
      return;
    }
    this.#refusal = undefined;
    this.#lease = acquisition.lease;
    this.wasHeld = true;
    this.#schedule(this.#ttl / 3);
  }

  /** Gives it back, so another process can have it at once. */
  async release(): Promise<void> {
    const lease = this.#drop();
    if (lease !== undefined) await this.#record.release(lease);
  }

  #drop(): Lease | undefined {
    clearTimeout(this.#timer);
    const lease = this.#lease;
    this.#lease = undefined;
    return lease;
  }

  #schedule(delay: number): void {
    this.#timer = setTimeout(() => void this.#renew(), delay);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    const renewed = await this.#record.renew(lease).catch(() => 'failed' as const);
    if (this.#lease !== lease) return;
    if (renewed !== undefined && lease.isValid()) {
      // After a failure it is tried again sooner: the lease goes on meanwhile.
      this.#schedule(renewed === 'failed' ? jittered(this.#ttl / 10) : this.#ttl / 3);
      return;
    }
    this.#drop();
    this.#onLost();
  }
}
