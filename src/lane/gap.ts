/** The smallest gap in ms that a race leads to: less is lost in what timers and schedulers add by themselves. */
const SMALLEST_RAISED_GAP_MS = 0.25;

/** A race doubles the gap. */
const RAISE = 2;

/** A clean answer takes this much of the aimed share off the gap: about ln 2, so that one race undoes 1 / aim clean answers. */
const SHRINK = 0.7;

/** Time in ms between the starts of two requests, which adapts to how many are overtaken. */
export class Gap {
  #value: number;
  /** The last serial that had started when the gap was raised: later ones have started with the wider gap. */
  #raisedAt = 0;

  constructor(value: number) {
    this.#value = value;
  }

  get value(): number {
    return this.#value;
  }

  /** A request came in order. Where races undo what clean answers take off, their share is `aim`. */
  shrink(aim: number): void {
    this.#value *= 1 - SHRINK * aim;
  }

  /**
   * A request was overtaken. What was in flight together raises the gap once.
   *
   * @param serial Of the request that was overtaken.
   * @param lastSerial Of the request that started last.
   */
  raise(serial: number, lastSerial: number): void {
    if (serial <= this.#raisedAt) return;
    this.#raisedAt = lastSerial;
    this.#value = Math.max(SMALLEST_RAISED_GAP_MS, RAISE * this.#value);
  }

  /** Keeps the gap within `most` ms. */
  limit(most: number): void {
    if (this.#value > most) this.#value = most;
  }
}
