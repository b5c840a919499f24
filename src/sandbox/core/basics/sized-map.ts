/** A map that forgets its oldest entries, beyond a number of them and a sum of their sizes. */
export class SizedMap<Key, Value> {
  readonly #maxCount: number;
  readonly #maxSize: number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  #size = 0;

  constructor(maxCount: number, maxSize: number) {
    this.#maxCount = maxCount;
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Oldest first. */
  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /** Adds an entry with a new key. */
  add(key: Key, value: Value, size: number): void {
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= this.#maxCount && this.#size <= this.#maxSize) return;
      this.#entries.delete(oldest);
      this.#size -= old.size;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }
}
