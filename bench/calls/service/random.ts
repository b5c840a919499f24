/**
 * Values that look like those of the service, the same in every run. The measured project has no
 * sources, so it cannot use the generator of the sandbox.
 */
export class Values {
  #state = 42;

  /** Below `limit`. */
  number(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.number(values.length)] ?? values[0];
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.number(16).toString(16)).join('');
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }

  decimal(wholeDigits: number, decimals: number): string {
    const digits = Array.from({ length: wholeDigits + decimals }, () => this.number(10)).join('');
    return `${1 + this.number(9)}${digits.slice(1, wholeDigits)}.${digits.slice(wholeDigits)}`;
  }

  /** An hour before the one of `index - 1`. */
  time(index: number): string {
    return new Date(Date.UTC(2026, 0, 31, 12, 0, 0, 123) - index * 3_600_000).toISOString();
  }
}
