/** Shares are taken over about so many answers. */
const SPAN = 200;

/** Of requests that were in flight together, so large a part of refusals at most counts as the usual. */
const MOST_OF_A_SET = 0.1;

/**
 * Which share of the requests is refused for their order. When a machine rests for a moment, it reads all that has come meanwhile in any
 * order, and most of it is refused: that happens once, and says little about the usual.
 */
export class RefusedShare {
  #whole = 0;
  #usual = 0;
  /** The last serial that had started when the first of the set was refused: those up to it were in flight together. */
  #setEnd = 0;
  /** How many refusals of the set still count as the usual. */
  #setLeft = 0;

  /** The share of all, 0 to 1. */
  get whole(): number {
    return this.#whole;
  }

  /** The share without what happens once. */
  get usual(): number {
    return this.#usual;
  }

  accepted(): void {
    this.#whole -= this.#whole / SPAN;
    this.#usual -= this.#usual / SPAN;
  }

  /**
   * @param serial Of the request that was refused.
   * @param lastSerial Of the request that started last.
   */
  refused(serial: number, lastSerial: number): void {
    this.#whole += (1 - this.#whole) / SPAN;
    if (serial > this.#setEnd) {
      this.#setEnd = lastSerial;
      this.#setLeft = Math.max(1, Math.floor((lastSerial - serial + 1) * MOST_OF_A_SET));
    }
    if (this.#setLeft === 0) return;
    this.#setLeft -= 1;
    this.#usual += (1 - this.#usual) / SPAN;
  }
}
