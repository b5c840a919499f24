/** How many requests start after the first refusal before the rest waits for an answer that is none. */
const ALLOWANCE = 4;

/**
 * Whether the service still takes the API key. Refusals for the order of nonces come with acceptances: of all that are in flight, the
 * highest nonce that arrives is accepted. When everything has been refused since the first refusal, one request is asked alone.
 */
export class KeyDoubt {
  /** How many may still start; undefined: something was accepted since the last refusal. */
  #allowance: number | undefined;

  /** Nothing was accepted since the first refusal, also of what started since then. */
  get isSpent(): boolean {
    return this.#allowance === 0;
  }

  /** How the next request may start: `free`; `alone`, nothing after it; or not yet. */
  next(inFlight: number): 'free' | 'wait' | 'alone' {
    if (this.#allowance === undefined || this.#allowance > 0) return 'free';
    return inFlight > 0 ? 'wait' : 'alone';
  }

  started(): void {
    if (this.#allowance !== undefined && this.#allowance > 0) this.#allowance--;
  }

  accepted(): void {
    this.#allowance = undefined;
  }

  refused(): void {
    this.#allowance ??= ALLOWANCE;
  }
}
