import type { Decimal } from '../../../schema/decimal.js';
import type { Now } from '../clock/clock.js';

/** Prices that move do so at each whole minute of the clock. */
export const MOVE_MS = 60_000;

/** A price that was fixed at a moment. The prices before and after it follow from it. */
export interface PriceMark {
  /** In ms since the epoch. */
  readonly at: number;
  readonly usd: Decimal;
  /** True if the price moves by itself from then on. */
  readonly moves: boolean;
}

/** Maximum number of marks kept of an asset; the oldest are dropped first. */
const MAX_MARKS = 10_000;

/** Digits of a price that has moved. */
const PRICE_DIGITS = 8;

/**
 * The waves whose sum is the walk: how many minutes apart their turns are, and how high they go.
 */
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
 * The price of one asset in US dollars, at any moment: the one source of all figures that depend on
 * it. A seeded walk gives the prices before the sandbox began. With `moves` it also continues from
 * there, otherwise the price stands still. It is computed from the moment alone, so it needs no
 * memory and is the same after a restart.
 */
export class Price {
  readonly #clock: Now;
  readonly #seed: number;
  /** The share of the walk that this asset follows: 0 never moves. */
  readonly #restlessness: number;
  /** Oldest first, at least one. */
  #marks: PriceMark[];
  #latest: { readonly minute: number; readonly usd: Decimal } | undefined;

  constructor(clock: Now, seed: number, restlessness: number, first: PriceMark) {
    this.#clock = clock;
    this.#seed = seed;
    this.#restlessness = restlessness;
    this.#marks = [first];
  }

  /** At present. */
  get usd(): Decimal {
    const now = this.#clock.now();
    const minute = minuteOf(now);
    if (this.#latest?.minute !== minute) this.#latest = { minute, usd: this.at(now) };
    return this.#latest.usd;
  }

  at(moment: number): Decimal {
    const marks = this.#marks;
    const mark = marks.findLast(({ at }) => at <= moment);
    return mark === undefined ? this.#walked(marks[0] as PriceMark, moment) : this.#since(mark, moment);
  }

  /** Fixes the price as of now. */
  set(usd: Decimal, moves: boolean): PriceMark {
    const mark = { at: this.#clock.now(), usd, moves };
    this.#marks.push(mark);
    if (this.#marks.length > MAX_MARKS) this.#marks.shift();
    this.#latest = undefined;
    return mark;
  }

  /** Takes the mark of a `set` back. */
  takeBack(mark: PriceMark): void {
    this.restore(this.#marks.filter((one) => one !== mark));
  }

  /**
   * True if the price was fixed at this value at a moment, and has changed only by itself since
   * then.
   */
  hasOnlyMovedSince(moment: number, usd: string): boolean {
    const index = this.#marks.findLastIndex((mark) => mark.at === moment && mark.usd.eq(usd));
    return (
      index >= 0 &&
      this.#marks.slice(index).every((mark, place, marks) => {
        const before = marks[place - 1];
        return before === undefined || this.#since(before, mark.at).eq(mark.usd);
      })
    );
  }

  marks(): readonly PriceMark[] {
    return this.#marks;
  }

  restore(marks: readonly PriceMark[]): void {
    this.#marks = marks.slice(-MAX_MARKS);
    this.#latest = undefined;
  }

  /** The price at a moment after a mark, if no other mark is between them. */
  #since(mark: PriceMark, moment: number): Decimal {
    return mark.moves ? this.#walked(mark, moment) : mark.usd;
  }

  #walked({ at, usd }: PriceMark, moment: number): Decimal {
    const [from, to] = [minuteOf(at), minuteOf(moment)];
    if (from === to || this.#restlessness === 0) return usd;
    return usd.times(this.#height(to) / this.#height(from)).toSignificantDigits(PRICE_DIGITS);
  }

  /** Above 0: the heights of all waves together are below 1. */
  #height(minute: number): number {
    const sum = WAVES.reduce(
      (height, [minutes, size], index) => height + size * this.#wave(index, minute / minutes),
      0,
    );
    return 1 + sum * this.#restlessness;
  }

  /** A smooth way between random turns, from -1 to 1. */
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

export const minuteOf = (moment: number): number => Math.floor(moment / MOVE_MS);
