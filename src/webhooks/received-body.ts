/** A delivery's body: whole, or why it is not. */
export type ReceivedBody =
  | { readonly kind: 'complete'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'too_slow' }
  | { readonly kind: 'incomplete' };

/**
 * Puts a body together from its chunks. Copies them into one growing buffer: a body sent byte by byte would otherwise
 * take a hundred times its length in small objects.
 */
export class BodyCollector {
  readonly #max: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The body is larger than allowed; what it held is let go. */
  get tooLarge(): boolean {
    return this.#length > this.#max;
  }

  add(chunk: Uint8Array): void {
    const start = this.#length;
    this.#length += chunk.length;
    if (this.tooLarge) this.#buffer = Buffer.alloc(0);
    else this.#grow().set(chunk, start);
  }

  received(): ReceivedBody {
    if (this.tooLarge) return { kind: 'too_large' };
    return { kind: 'complete', bytes: this.#buffer.subarray(0, this.#length) };
  }

  #grow(): Buffer {
    if (this.#buffer.length < this.#length) {
      const larger = Buffer.alloc(Math.min(this.#max, Math.max(this.#length, 2 * this.#buffer.length)));
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    return this.#buffer;
  }
}
