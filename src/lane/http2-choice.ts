/** The lane stops using HTTP/2 when its pacer has been strained for longer. */
const MAX_STRAIN_MS = 1_000;

/** The lane avoids HTTP/2 for this time at first. It doubles each time, up to the limit. */
const FIRST_AVOIDANCE_MS = 60_000;
const MAX_AVOIDANCE_MS = 3_600_000;

/**
 * Decides if a lane stays with HTTP/2. Some edges hand the streams of a session to several workers,
 * which shuffle them. A pool of connections may then be faster.
 */
export class Http2Choice {
  #milliseconds = FIRST_AVOIDANCE_MS;

  /**
   * Time in ms to avoid HTTP/2 from now on. Undefined: stay with it.
   *
   * @param strainedSince The lane's time since which the pacer is strained. Undefined: it is not.
   */
  avoidFor(strainedSince: number | undefined, now: number): number | undefined {
    if (strainedSince === undefined || now - strainedSince < MAX_STRAIN_MS) return undefined;
    const milliseconds = this.#milliseconds;
    this.#milliseconds = Math.min(MAX_AVOIDANCE_MS, milliseconds * 2);
    return milliseconds;
  }
}
