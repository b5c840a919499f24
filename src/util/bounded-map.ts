/** A map that drops its oldest entries: those beyond a limit, and those that have expired. */
export class BoundedMap<Key, Value> {
  readonly limit: number;
  readonly #entries: Map<Key, Value>;
  readonly #hasExpired: (value: Value) => boolean;
  #newest: Value | undefined;

  constructor(
    limit: number,
    entries: Iterable<readonly [Key, Value]> = [],
    hasExpired: (value: Value) => boolean = () => false,
  ) {
    this.limit = limit;
    this.#entries = new Map(entries);
    this.#hasExpired = hasExpired;
    for (const value of this.#entries.values()) this.#newest = value;
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

  /** Changes the value of an entry, which keeps its place. An absent entry is not added. */
  replace(key: Key, value: Value): void {
    const before = this.#entries.get(key);
    if (before === undefined) return;
    if (this.#newest === before) this.#newest = value;
    this.#entries.set(key, value);
  }

  /** The value that was set last, even if it has been deleted since. */
  newest(): Value | undefined {
    return this.#newest;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Oldest first. */
  entries(): Iterable<[Key, Value]> {
    return this.#entries.entries();
  }

  /** Oldest first. */
  values(): Iterable<Value> {
    return this.#entries.values();
  }

  /** Makes the entry the newest. Returns the values that were dropped for it. */
  set(key: Key, value: Value): Value[] {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = value;
    const forgotten: Value[] = [];
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= this.limit && !this.#hasExpired(old)) break;
      this.#entries.delete(oldest);
      forgotten.push(old);
    }
    return forgotten;
  }
}
