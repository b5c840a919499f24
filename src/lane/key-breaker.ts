/** Requests that may still start after the first refusal; then the lane waits for answers. */
const MAX_STARTS_IN_DOUBT = 4;

/**
 * A circuit breaker for the API key: it tells a revoked key from a nonce that came late. Of the
 * requests in flight, the service accepts at least the one with the highest nonce. If it accepts
 * none of them, the circuit opens: one request, the probe, is sent alone.
 */
export class KeyBreaker {
  /** Requests that may still start. Undefined: one was accepted since the last refusal. */
  #startsLeft: number | undefined;
  /** Refusals since the last acceptance. */
  #refusals = 0;

  /** True from a refusal until the next acceptance. */
  get isInDoubt(): boolean {
    return this.#startsLeft !== undefined;
  }

  /** True when every answer since the first refusal was a refusal. */
  get isOpen(): boolean {
    return this.#startsLeft === 0;
  }

  /** The next request's start: `send` freely, `wait`, or as the `probe`, alone. */
  next(inFlight: number): 'send' | 'wait' | 'probe' {
    if (this.#startsLeft === undefined || this.#startsLeft > 0) return 'send';
    return inFlight > 0 ? 'wait' : 'probe';
  }

  started(): void {
    if (this.#startsLeft !== undefined && this.#startsLeft > 0) this.#startsLeft--;
  }

  accepted(): void {
    this.#startsLeft = undefined;
    this.#refusals = 0;
  }

  /**
   * @param inFlight The other requests in flight.
   * @param opens True to open the circuit at the first refusal.
   */
  refused(inFlight: number, opens = false): void {
    this.#startsLeft = opens ? 0 : (this.#startsLeft ?? MAX_STARTS_IN_DOUBT);
    this.#refusals++;
    // All in flight were refused: the starts left would cost one more answer time and tell nothing
    // new.
    if (inFlight === 0 && this.#refusals > MAX_STARTS_IN_DOUBT) this.#startsLeft = 0;
  }
}
