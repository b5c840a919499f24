/** The fastest answer of the last one to two spans counts, since routes change. */
const SPAN_MS = 60_000;

/** Compares the time of an answer with that of the fastest. */
export class RoundTrips {
  /** Shortest time in ms since `#since`, and in the span before. */
  #fastest = Number.POSITIVE_INFINITY;
  #fastestBefore = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;

  /** Notes an answer that came `milliseconds` after its request. */
  add(milliseconds: number, now: number): void {
    if (now - this.#since > SPAN_MS) {
      this.#fastestBefore = this.#fastest;
      this.#fastest = Number.POSITIVE_INFINITY;
      this.#since = now;
    }
    this.#fastest = Math.min(this.#fastest, milliseconds);
  }

  /** Time in ms by which an answer was slower than the fastest. */
  excess(milliseconds: number): number {
    return milliseconds - Math.min(this.#fastest, this.#fastestBefore);
  }
}
