/** A race widens the gap at least to this. Timers are too late for a smaller gap to matter. */
const MIN_WIDENED_GAP_MS = 0.25;

/** The gap does not shrink below this: it is then as good as none. */
const MIN_GAP_MS = 0.001;

/** Factor of a race while about the aimed share is rejected: the gap stays near the best. */
const WIDEN_FACTOR = 1.25;

/** A race multiplies the gap by this when far more is rejected: the best gap is far away. */
const FAR_OFF_FACTOR = 2;

/**
 * A response in order shrinks the gap by this × the aimed share. One race undoes 1 / aim of them.
 */
const SHRINK_RATE = Math.log(WIDEN_FACTOR);

/** Time in ms between two starts: a race widens it by a factor, a response in order shrinks it. */
export class Gap {
  readonly #initial: number;
  value: number;
  /** Serial of the last request that had started when the gap was widened. */
  #widenedAt = 0;

  constructor(initial: number) {
    this.#initial = initial;
    this.value = initial;
  }

  /**
   * Notes a request that came in order. In balance, a share `aim` of requests is rejected.
   *
   * @param factor The speed at which the gap shrinks, as a multiple of the speed in balance.
   */
  shrink(aim: number, factor: number): void {
    this.value = Math.max(MIN_GAP_MS, this.value * (1 - SHRINK_RATE * aim * factor));
  }

  /**
   * Notes a request that was overtaken. Requests that were in flight together widen the gap once.
   *
   * @param serial Serial of the request that was overtaken.
   * @param lastSerial Serial of the request that started last.
   * @param farOff True when far more requests are rejected than the aimed share.
   */
  widen(serial: number, lastSerial: number, farOff: boolean): void {
    if (serial <= this.#widenedAt) return;
    this.#widenedAt = lastSerial;
    this.value = Math.max(MIN_WIDENED_GAP_MS, this.value * (farOff ? FAR_OFF_FACTOR : WIDEN_FACTOR));
  }

  /** Widens the gap to its first value at least: what it has learned is old. */
  startAfresh(): void {
    this.value = Math.max(this.value, this.#initial);
  }

  /** Narrows the gap to `most` ms at most. */
  limit(most: number): void {
    if (this.value > most) this.value = most;
  }
}

/** The responses over which rejections are counted. */
const COUNTED_ANSWERS = 50;

/** A larger share of rejections narrows the window, unless the caller allows more. */
const MAX_REFUSED_SHARE = 0.2;

/** The window stays narrow for this time at first. */
const FIRST_NARROW_MS = 1_000;

/** The time doubles up to this while too many are still rejected afterwards. */
const MAX_NARROW_MS = 60_000;

/** After this time without trouble, the next narrow time is the first one again. */
const RECOVERED_MS = 60_000;

/**
 * The window: the number of requests that may be in flight. It narrows to one for a while when far
 * too many are rejected, since some services lock an API key that they reject again and again.
 */
export class Window {
  #answers = 0;
  #refused = 0;
  #narrowMs = FIRST_NARROW_MS;
  #until = Number.NEGATIVE_INFINITY;

  at(now: number): number {
    return now < this.#until ? 1 : Number.POSITIVE_INFINITY;
  }

  /** @param allowed The share of rejections that the caller allows. */
  refused(now: number, allowed: number): void {
    this.#refused += 1;
    if (this.#refused > COUNTED_ANSWERS * Math.max(MAX_REFUSED_SHARE, 2 * allowed)) this.#narrow(now);
    else this.accepted();
  }

  accepted(): void {
    this.#answers += 1;
    if (this.#answers >= COUNTED_ANSWERS) this.#startCounting();
  }

  #startCounting(): void {
    this.#answers = 0;
    this.#refused = 0;
  }

  #narrow(now: number): void {
    this.#startCounting();
    // Requests that were in flight before are rejected for the same reason: they do not count.
    if (now < this.#until) return;
    const wentWell = now - this.#until > RECOVERED_MS;
    this.#narrowMs = wentWell ? FIRST_NARROW_MS : Math.min(MAX_NARROW_MS, 2 * this.#narrowMs);
    this.#until = now + this.#narrowMs;
  }
}
