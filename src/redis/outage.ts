import type { Clock } from './clock.js';

/**
 * How long a failure speaks for what comes after it, in milliseconds: then Redis is asked again before a call fails.
 */
const FRESH = 1_000;

/**
 * How long Redis has been out of reach. A short break is waited for; in a longer one calls that need Redis fail at
 * once.
 */
export class Outage {
  readonly #patience: number;
  readonly #clock: Clock;
  #since: number | undefined;
  #failedAt = 0;
  #error: Error | undefined;

  constructor(patience: number, clock: Clock) {
    this.#patience = patience;
    this.#clock = clock;
  }

  /** The failure to tell callers of, in a long break of which there is fresh news. */
  get error(): Error | undefined {
    const now = this.#clock.steady();
    if (this.#since === undefined || now - this.#since < this.#patience || now - this.#failedAt > FRESH)
      return undefined;
    return this.#error;
  }

  answered(): void {
    this.#since = undefined;
    this.#error = undefined;
  }

  /** A command that was sent at this moment has failed now. */
  failed(sent: number, error: Error): void {
    this.#since ??= sent;
    this.#failedAt = this.#clock.steady();
    this.#error = error;
  }
}
