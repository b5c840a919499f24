/** The most tokens: a few retries for each of the calls that a lane carries. */
const CAPACITY = 500;

/** After an outage the client retries again, and during it adds next to nothing. */
const REFILL_PER_SECOND = 5;

/**
 * The retry budget of one client, a token bucket. Each retry takes a token, and a call that
 * succeeds gives its tokens back. Only calls that fail use it up, so retries do not multiply an
 * outage.
 */
export class RetryBudget {
  readonly capacity: number = CAPACITY;
  #tokens: number = CAPACITY;
  #refilledAt = performance.now();

  /** The current number of whole tokens. */
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
