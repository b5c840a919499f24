import type { Clock } from './time.js';

/** After a failure older than this, a call waits for the next question to Redis before it fails. */
const FRESH_MS = 1_000;

/**
 * Tells how calls meet an outage of Redis: a short one is waited for; in a longer one, calls that
 * need Redis fail at once with the last error.
 */
export class CircuitBreaker {
  readonly #tolerance: number;
  readonly #clock: Clock;
  #failingSince: number | undefined;
  #failedAt = 0;
  #error: Error | undefined;

  /** @param tolerance The longest outage, in ms, that calls wait for. */
  constructor(tolerance: number, clock: Clock) {
    this.#tolerance = tolerance;
    this.#clock = clock;
  }

  /** The error for calls that come now; undefined if they should wait. */
  get error(): Error | undefined {
    const now = this.#clock.steady();
    const isOpen = this.#failingSince !== undefined && now - this.#failingSince >= this.#tolerance;
    return isOpen && now - this.#failedAt <= FRESH_MS ? this.#error : undefined;
  }

  succeeded(): void {
    this.#failingSince = undefined;
    this.#error = undefined;
  }

  /** @param sentAt The time at which the failed command was sent, on the steady clock. */
  failed(sentAt: number, error: Error): void {
    this.#failingSince ??= sentAt;
    this.#failedAt = this.#clock.steady();
    this.#error = error;
  }
}
