/** Time in ms after which a pool that nobody tells about may have closed the connections that it did not need. */
const FORGOTTEN_AFTER_MS = 4_000;

/**
 * Counts the exchanges of a transport that opens its connections itself. One that makes more of them in flight than
 * there were lately is likely to go over a new connection.
 */
export class Concurrency {
  inFlight = 0;
  #highest = 0;
  /** The highest count of the time before. */
  #highestBefore = 0;
  #since = performance.now();

  /** The next exchange is the first at its concurrency. */
  get rising(): boolean {
    this.#forget();
    return this.inFlight >= Math.max(this.#highest, this.#highestBefore);
  }

  begin(): void {
    this.inFlight++;
    if (this.inFlight > this.#highest) this.#highest = this.inFlight;
  }

  end(): void {
    this.inFlight--;
  }

  #forget(): void {
    const now = performance.now();
    const past = now - this.#since;
    if (past < FORGOTTEN_AFTER_MS) return;
    this.#highestBefore = past < 2 * FORGOTTEN_AFTER_MS ? this.#highest : this.inFlight;
    this.#highest = this.inFlight;
    this.#since = now;
  }
}
