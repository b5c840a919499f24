import type { Decimal } from '../../../schema/decimal.js';
import type { Now } from '../clock/clock.js';

/** Interval in ms at which the prices before the sandbox's start change. */
export const MOVE_MS = 60_000;

/** A price that was set at a time. */
export interface PriceMark {
  /** In ms since the epoch. */
  readonly at: number;
  readonly usd: Decimal;
}

/** Maximum number of marks kept for an asset; the oldest are dropped first. */
const MAX_MARKS = 10_000;

/** Number of significant digits of a price before the sandbox's start. */
const PRICE_DIGITS = 8;

/** The waves whose sum is the random walk: minutes between their turning points, and amplitude. */
const WAVES: readonly (readonly [minutes: number, height: number])[] = [
  [4, 0.001],
  [60, 0.004],
  [480, 0.012],
  [2_880, 0.03],
  [20_160, 0.08],
  [172_800, 0.14],
  [1_296_000, 0.2],
];

/**
 * The price of one asset in US dollars at any time. All figures that depend on the price come from
 * it. A seeded random walk gives the prices before the sandbox's start. From then on the price
 * changes only when it is set.
 */
export class Price {
  readonly #clock: Now;
  readonly #seed: number;
  /** Factor by which the asset follows the random walk: 0 stays constant. */
  readonly #volatility: number;
  /** Oldest first, at least one. */
  #marks: PriceMark[];

  constructor(clock: Now, seed: number, volatility: number, first: PriceMark) {
    this.#clock = clock;
    this.#seed = seed;
    this.#volatility = volatility;
    this.#marks = [first];
  }

  get usd(): Decimal {
    return (this.#marks.at(-1) as PriceMark).usd;
  }

  at(moment: number): Decimal {
    const marks = this.#marks;
    const mark = marks.findLast(({ at }) => at <= moment);
    return mark === undefined ? this.#walked(marks[0] as PriceMark, moment) : mark.usd;
  }

  set(usd: Decimal): void {
    this.#marks.push({ at: this.#clock.now(), usd });
    if (this.#marks.length > MAX_MARKS) this.#marks.shift();
  }

  marks(): readonly PriceMark[] {
    return this.#marks;
  }

  restore(marks: readonly PriceMark[]): void {
    this.#marks = marks.slice(-MAX_MARKS);
  }

  #walked({ at, usd }: PriceMark, moment: number): Decimal {
    const [from, to] = [minuteOf(at), minuteOf(moment)];
    if (from === to || this.#volatility === 0) return usd;
    return usd.times(this.#height(to) / this.#height(from)).toSignificantDigits(PRICE_DIGITS);
  }

  /** Above 0, because the amplitudes of all waves together are below 1. */
  #height(minute: number): number {
    const sum = WAVES.reduce(
      (height, [minutes, size], index) => height + size * this.#wave(index, minute / minutes),
      0,
    );
    return 1 + sum * this.#volatility;
  }

  /** Returns a smooth curve between random turning points, from -1 to 1. */
  #wave(index: number, position: number): number {
    const turn = Math.floor(position);
    const part = position - turn;
    const [before, after] = [this.#turn(index, turn), this.#turn(index, turn + 1)];
    return before + (after - before) * part * part * (3 - 2 * part);
  }

  #turn(index: number, turn: number): number {
    let mixed = this.#seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(turn, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x7fffffff - 1;
  }
}

const minuteOf = (moment: number): number => Math.floor(moment / MOVE_MS);
