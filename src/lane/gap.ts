/** The smallest gap in ms that a race leads to: less is lost in what timers and schedulers add by themselves. */
const SMALLEST_WIDENED_GAP_MS = 0.25;

/** The gap gets no smaller than that, in ms: it is none. */
const SMALLEST_GAP_MS = 0.001;

/** A race widens the gap by so much while about the aimed share is refused: the gap stays near the best one. */
const STEP = 1.25;

/** By so much when far more are refused: the best gap is far away. */
const LARGE_STEP = 2;

/** A clean answer takes this part of the aimed share off the gap, so that one race undoes 1 / aim clean answers. */
const SHRINK = Math.log(STEP);

/** Time in ms between the starts of two requests, which adapts to how many are overtaken. */
export class Gap {
  readonly #initial: number;
  #value: number;
  /** The last serial that had started when the gap was widened: those up to it had started before. */
  #widenedAt = 0;

  constructor(initial: number) {
    this.#initial = initial;
    this.#value = initial;
  }

  get value(): number {
    return this.#value;
  }

  /** A request came in order. Where races undo what clean answers take off, their share is `aim`. */
  shrink(aim: number): void {
    this.#value = Math.max(SMALLEST_GAP_MS, this.#value * (1 - SHRINK * aim));
  }

  /**
   * A request was overtaken. What was in flight together widens the gap once.
   *
   * @param serial Of the request that was overtaken.
   * @param lastSerial Of the request that started last.
   * @param farOff Far more requests are refused than they should be.
   */
  widen(serial: number, lastSerial: number, farOff: boolean): void {
    if (serial <= this.#widenedAt) return;
    this.#widenedAt = lastSerial;
    this.#value = Math.max(SMALLEST_WIDENED_GAP_MS, this.#value * (farOff ? LARGE_STEP : STEP));
  }

  /** What was learned is old: the gap is at least as wide as at first. */
  startAfresh(): void {
    this.#value = Math.max(this.#value, this.#initial);
  }

  /** Keeps the gap within `most` ms. */
  limit(most: number): void {
    if (this.#value > most) this.#value = most;
  }
}
