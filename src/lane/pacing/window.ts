/** The answers over which refusals are counted. */
const COUNTED_ANSWERS = 50;

/** A larger share of refusals narrows the window, unless the caller allows more. */
const MAX_REFUSED_SHARE = 0.2;

/** The window stays narrow for this time at first. */
const FIRST_NARROW_MS = 1_000;

/** The time doubles up to this while too many are still refused afterwards. */
const MAX_NARROW_MS = 60_000;

/** After this time without trouble, the next narrow time is the first one again. */
const RECOVERED_MS = 60_000;

/**
 * The window: the number of requests that may be in flight. It narrows to one for a while when far
 * too many are refused, since some services lock a key that they refuse again and again.
 */
export class Window {
  #answers = 0;
  #refused = 0;
  #narrowMs = FIRST_NARROW_MS;
  #until = Number.NEGATIVE_INFINITY;

  at(now: number): number {
    return now < this.#until ? 1 : Number.POSITIVE_INFINITY;
  }

  accepted(): void {
    this.#count();
  }

  /** @param allowed The share of refusals that the caller allows. */
  refused(now: number, allowed: number): void {
    this.#refused += 1;
    if (this.#refused > COUNTED_ANSWERS * Math.max(MAX_REFUSED_SHARE, 2 * allowed)) this.#narrow(now);
    else this.#count();
  }

  #count(): void {
    this.#answers += 1;
    if (this.#answers >= COUNTED_ANSWERS) this.#startCounting();
  }

  #startCounting(): void {
    this.#answers = 0;
    this.#refused = 0;
  }

  #narrow(now: number): void {
    this.#startCounting();
    // Requests that were in flight before are refused for the same reason: they do not count.
    if (now < this.#until) return;
    const wentWell = now - this.#until > RECOVERED_MS;
    this.#narrowMs = wentWell ? FIRST_NARROW_MS : Math.min(MAX_NARROW_MS, 2 * this.#narrowMs);
    this.#until = now + this.#narrowMs;
  }
}
