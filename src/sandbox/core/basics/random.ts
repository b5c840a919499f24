const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

export const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  upper: `${UPPER}23456789`,
  alphanumeric: `${UPPER}${LOWER}${DIGITS}`,
  /** Base 58 of Bitcoin: no 0, O, I, l. */
  base58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  bech32: '023456789acdefghjklmnpqrstuvwxyz',
} as const;

/** Difference between two consecutive states of a stream. */
const STEP = 0x6d2b79f5;

/** Number of draws that a UUID takes: 30 digits and the variant. */
export const UUID_DRAWS = 31;

/** A small seeded generator (mulberry32), the same on every machine. Not for secrets. */
export class Random {
  #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** Returns an independent stream: new draws of one stream do not change another. */
  fork(label: string): Random {
    let hash = 0x811c9dc5 ^ this.#seed;
    for (const character of label) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    return new Random(hash ^ (hash >>> 15));
  }

  /** Continues with the draws of another stream. */
  copyFrom(other: Random): void {
    this.#seed = other.#seed;
    this.#state = other.#state;
  }

  /** Skips this many draws. Returns a stream that can make them later. */
  later(draws: number): Random {
    const skipped = new Random(0);
    skipped.copyFrom(this);
    this.#state = (this.#state + Math.imul(draws, STEP)) | 0;
    return skipped;
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  fraction(): number {
    this.#state = (this.#state + STEP) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.integer(0, values.length - 1)] ?? values[0];
  }

  text(length: number, alphabet: string): string {
    let made = '';
    while (made.length < length) made += alphabet.charAt(this.integer(0, alphabet.length - 1));
    return made;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 255));
  }

  uuid(): string {
    const hex = this.text(30, ALPHABETS.hex);
    const variant = this.pick(['8', '9', 'a', 'b']);
    const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(12, 15)}`, `${variant}${hex.slice(15, 18)}`];
    return [...groups, hex.slice(18)].join('-');
  }

  shuffle<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => ({ value, key: this.fraction() }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}
