/** Runs the work of each key in order, at most `width` pieces of work of a key at a time. */
export class KeyedQueue {
  readonly #ends = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(width: number = Number.POSITIVE_INFINITY) {
    this.#free = width;
  }

  /** Runs `work` after all earlier work of `key`. Settles as `work` does. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = this.#runAfter(this.#ends.get(key), work);
    const end: Promise<void> = result.then(nothing, nothing).then(() => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    });
    this.#ends.set(key, end);
    return result;
  }

  /** Resolves when no work runs or waits. */
  async idle(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }

  async #runAfter<T>(before: Promise<void> | undefined, work: () => Promise<T>): Promise<T> {
    await before;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

const nothing = (): void => {};

/** Calls `next` with a value: at once, or when the promise of the value is fulfilled. */
export function whenKnown<T, Next>(
  value: T | Promise<T>,
  next: (value: T) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
