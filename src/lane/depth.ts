/** Refusals are counted over so many answers. */
const ANSWERS = 50;

/** A larger share of them than this is too much, unless the caller allows more. */
const TOO_MANY = 0.2;

/** How long in ms one request at a time is sent after that, at first. */
const FIRST_TIME_MS = 1_000;

/** The longest such time in ms: it doubles when it did not help. */
const LONGEST_TIME_MS = 60_000;

/** When it went well for so many ms, the next such time is a short one again. */
const WELL_MS = 60_000;

/**
 * How many requests may be in flight when far too many are refused: one, for a while. Some services lock a key that they refuse again
 * and again.
 */
export class Depth {
  #answers = 0;
  #refused = 0;
  #timeMs = FIRST_TIME_MS;
  #until = Number.NEGATIVE_INFINITY;

  at(now: number): number {
    return now < this.#until ? 1 : Number.POSITIVE_INFINITY;
  }

  accepted(): void {
    this.#count();
  }

  /** @param allowed The share that the caller allows. */
  refused(now: number, allowed: number): void {
    this.#refused += 1;
    if (this.#refused > ANSWERS * Math.max(TOO_MANY, 2 * allowed)) this.#narrow(now);
    else this.#count();
  }

  #count(): void {
    this.#answers += 1;
    if (this.#answers >= ANSWERS) this.#startCounting();
  }

  #startCounting(): void {
    this.#answers = 0;
    this.#refused = 0;
  }

  #narrow(now: number): void {
    this.#startCounting();
    // What was in flight before is answered meanwhile: that was refused for the same reason.
    if (now < this.#until) return;
    const wentWell = now - this.#until > WELL_MS;
    this.#timeMs = wentWell ? FIRST_TIME_MS : Math.min(LONGEST_TIME_MS, 2 * this.#timeMs);
    this.#until = now + this.#timeMs;
  }
}
