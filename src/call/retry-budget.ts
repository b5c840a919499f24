/** Repeats a client may have outstanding before an outage stops it from repeating: a few for each of the calls that a lane carries. */
const CAPACITY = 500;

/** Repeats regained per second: after an outage the client probes again, and during it adds next to nothing. */
const REFILL_PER_SECOND = 5;

/**
 * The retry budget of one client (token bucket): each repeat takes a token, and a call that succeeds in the end gives back what it
 * took. Only calls that fail after all their repeats use it up, so an outage is not multiplied by `maxRetries`.
 */
export class RetryBudget {
  readonly capacity: number = CAPACITY;
  #tokens: number = CAPACITY;
  #refilledAt = performance.now();

  /** Tokens that are there now. */
  available(): number {
    const now = performance.now();
    const gained = ((now - this.#refilledAt) / 1000) * REFILL_PER_SECOND;
    this.#tokens = Math.min(CAPACITY, this.#tokens + gained);
    this.#refilledAt = now;
    return Math.floor(this.#tokens);
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    if (this.available() < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  giveBack(tokens: number): void {
    this.#tokens = Math.min(CAPACITY, this.#tokens + tokens);
  }
}
