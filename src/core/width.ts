/** A lane that falls from here falls again and again: it is given longer and longer before it grows. */
const NARROW = 4;

/** The longest run of clean answers, in multiples of the width, that is asked for before a lane which keeps breaking grows again. */
const MAX_PATIENCE = 512;

/**
 * How many attempts of an adaptive lane may be in flight: halves on a race or a broken pipeline, grows by one per clean window. A
 * service that breaks every pipeline (it closes after each answer, say) is asked more and more rarely whether it still does.
 */
export class AdaptiveWidth {
  #value: number;
  readonly #max: number;
  #clean = 0;
  #patience = 1;

  constructor(value: number, max: number) {
    this.#value = value;
    this.#max = max;
  }

  get value(): number {
    return this.#value;
  }

  clean(): void {
    if (++this.#clean < this.#value * this.#patience) return;
    this.#clean = 0;
    this.#value = Math.min(this.#max, this.#value + 1);
    if (this.#value > NARROW) this.#patience = 1;
  }

  /** @param least It does not get narrower than that by this. */
  halve(least: number): void {
    if (this.#value <= least) return;
    if (this.#value <= NARROW) this.#patience = Math.min(MAX_PATIENCE, this.#patience * 2);
    this.#value = Math.max(least, Math.floor(this.#value / 2));
    this.#clean = 0;
  }
}
