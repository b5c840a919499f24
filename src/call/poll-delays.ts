/** The bound of the first delay, in milliseconds: an execution takes a second or two, so that most waits end within a few polls. */
const FIRST = 250;

/** How each bound grows out of the one before: after eight delays, or about 10 s, the longest is reached. */
const GROWTH = 1.5;

/** The bound of the longest delay, in milliseconds: nobody who still waits then minds so much, and the rate limit is spared. */
const LONGEST = 5_000;

/** How long after a known moment of change is looked again, in milliseconds: clocks in step still differ by so much. */
const AFTER_CHANGE = 50;

/**
 * The delays between the polls of one wait. They grow, and each is drawn from the upper half of its bound: waits that began together
 * drift apart, and no delay is so short that a poll is wasted.
 */
export class PollDelays {
  #bound = FIRST;
  #looked = false;

  /**
   * Milliseconds until the next poll.
   *
   * @param took How many milliseconds the last poll took.
   * @param change When the value is going to change by itself, on the scale of `Date.now()`; NaN or undefined when that is not known.
   */
  next(took: number, change: number | undefined): number {
    const delay = this.#bound * (0.5 + Math.random() / 2);
    this.#bound = Math.min(LONGEST, this.#bound * GROWTH);
    return this.#untilChange(took, change, delay) ?? delay;
  }

  /**
   * The delay up to right after the change, when an ordinary one would end later. That is done once a wait: whatever the two clocks
   * say, it cannot become a spin. Where the service's clock is a little behind, short delays follow.
   */
  #untilChange(took: number, change: number | undefined, ordinary: number): number | undefined {
    if (change === undefined || this.#looked) return undefined;
    const left = change - Date.now();
    const delay = Math.max(left, 0) + AFTER_CHANGE;
    // A moment that was past already when the value was asked for, and yet it had not changed: the clocks differ.
    if (!(left >= -took && delay < ordinary)) return undefined;
    this.#looked = true;
    this.#bound = FIRST;
    return delay;
  }
}
