/** A body whose bytes become available one by one at a steady pace, counted from when it is made. */
export class Trickle {
  readonly #bytes: Uint8Array;
  readonly #msPerByte: number;
  readonly #begun = performance.now();
  #taken = 0;

  constructor(body: string, bytesPerSecond: number) {
    this.#bytes = Buffer.from(body);
    this.#msPerByte = 1000 / bytesPerSecond;
  }

  get done(): boolean {
    return this.#taken >= this.#bytes.length;
  }

  /** Milliseconds until the next byte; not above 0 when it is there already. */
  wait(): number {
    return (this.#taken + 1) * this.#msPerByte - this.#elapsed();
  }

  /** The bytes that are there by now, the next one at least: a late timer must not slow the pace down. */
  take(): Uint8Array {
    const there = Math.max(this.#taken + 1, Math.floor(this.#elapsed() / this.#msPerByte));
    const bytes = this.#bytes.subarray(this.#taken, there);
    this.#taken = there;
    return bytes;
  }

  #elapsed(): number {
    return performance.now() - this.#begun;
  }
}
