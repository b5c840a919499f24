/** Time in ms that the pacer may be strained before the lane leaves HTTP/2. */
const PATIENCE_MS = 1_000;

/** Time in ms for which HTTP/2 is avoided at first, and at most: it doubles each time. */
const SHORTEST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/**
 * Whether a lane stays with HTTP/2. One session keeps the order only as far as the edge does: one that hands streams to several workers
 * shuffles them, and a pool of connections may then be faster.
 */
export class Http2Choice {
  #milliseconds = SHORTEST_MS;

  /**
   * Time in ms for which HTTP/2 should be avoided from now on; undefined: it is well enough.
   *
   * @param strainedSince Since when the gap has been large and the refusals many, on the lane's clock; undefined while they are not.
   */
  avoidFor(strainedSince: number | undefined, now: number): number | undefined {
    if (strainedSince === undefined || now - strainedSince < PATIENCE_MS) return undefined;
    const milliseconds = this.#milliseconds;
    this.#milliseconds = Math.min(LONGEST_MS, milliseconds * 2);
    return milliseconds;
  }
}
