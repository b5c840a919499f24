/** How many requests start after the first refusal before the rest waits for an answer that is none. */
const ALLOWANCE = 4;

/**
 * Whether the service still takes the API key. Refusals for the order of nonces come with acceptances: of all that are in flight, the
 * highest nonce that arrives is accepted. When everything has been refused since the first refusal, one request is asked alone.
 */
export class KeyDoubt {
  /** How many may still start; undefined: something was accepted since the last refusal. */
  #allowance: number | undefined;
  /** How many were refused since something was accepted. */
  #refusals = 0;

  /** Nothing was accepted since the last refusal. */
  get isRaised(): boolean {
    return this.#allowance !== undefined;
  }

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
    this.#refusals = 0;
  }

  /** @param inFlight How many others are in flight. */
  refused(inFlight: number): void {
    this.#allowance ??= ALLOWANCE;
    this.#refusals++;
    // All that was in flight has been refused. Those that may still start would cost another answer time, and tell no more.
    if (inFlight === 0 && this.#refusals > ALLOWANCE) this.#allowance = 0;
  }
}
