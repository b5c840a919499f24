/** A map that forgets its oldest entries beyond `limit`, since a sandbox may run for days. */
export class BoundedMap<Key, Value> {
  readonly #limit: number;
  readonly #entries: Map<Key, Value>;

  constructor(limit: number, entries: Iterable<readonly [Key, Value]> = []) {
    this.#limit = limit;
    this.#entries = new Map(entries);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Oldest first. */
  entries(): Iterable<[Key, Value]> {
    return this.#entries.entries();
  }

  /** Oldest first. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  /** Makes the entry the newest. Returns the values that were forgotten for it. */
  set(key: Key, value: Value): Value[] {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const forgotten: Value[] = [];
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
      forgotten.push(old);
    }
    return forgotten;
  }
}
