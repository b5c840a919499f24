import { read } from './api.js';

/** Time in ms after a reading before the next one: at most four a second. */
const REST_MS = 250;

/** A slow reading, such as that of the checks, rests this many times its own duration. */
const REST_FACTOR = 4;
const MAX_REST_MS = 2_000;

/** What stays as it is: requests that are over, documents, and how the sandbox was made. */
const FIXED = /^(journal|health|fixtures|inbox\/url|troubles\/outcomes|.*\.json)\b/;

/**
 * Reads a path.
 *
 * @param known The last result. Undefined: there is none, or all of it may be wrong.
 */
export type Reader<T> = (path: string, known: T | undefined) => Promise<T>;

/** A reading that one or more places of the page show. */
class Shown {
  data: unknown;
  problem: string | undefined;
  readonly listeners = new Set<() => void>();
  readonly isFixed: boolean;
  readonly #path: string;
  readonly #reader: Reader<unknown>;
  #known: unknown;
  #era = 0;
  #isStale = false;
  #isBusy = false;

  constructor(path: string, reader: Reader<unknown>) {
    this.isFixed = FIXED.test(path);
    this.#path = path;
    this.#reader = reader;
  }

  /** Nothing of what is known can be relied on. */
  beginAnew(): void {
    this.#era += 1;
    this.#known = undefined;
    this.again();
  }

  /** Reads again: now, or after the running reading and its rest. */
  again(): void {
    this.#isStale = true;
    if (!this.#isBusy) void this.#readOn();
  }

  async #readOn(): Promise<void> {
    this.#isBusy = true;
    while (this.#isStale && this.listeners.size > 0) {
      this.#isStale = false;
      const began = performance.now();
      await this.#read();
      for (const listener of this.listeners) listener();
      const restMs = Math.min(MAX_REST_MS, REST_FACTOR * (performance.now() - began));
      await new Promise((resolve) => setTimeout(resolve, Math.max(REST_MS, restMs)));
    }
    this.#isBusy = false;
  }

  async #read(): Promise<void> {
    const era = this.#era;
    try {
      const found = await this.#reader(this.#path, this.#known);
      if (era !== this.#era) return;
      this.#known = found;
      this.data = found;
      this.problem = undefined;
    } catch (error) {
      this.#known = undefined;
      if (era === this.#era) this.problem = (error as Error).message;
    }
  }
}

/** The readings that the page shows. Each path is read once, and again when something happens. */
class Store {
  readonly #shown = new Map<string, Shown>();

  /** Calls `listener` after each reading. Returns the function that ends it. */
  show<T>(path: string, listener: () => void, reader: Reader<T> = (of) => read(of)): () => void {
    const shown = this.#shown.get(path) ?? new Shown(path, reader as Reader<unknown>);
    const { listeners } = shown;
    this.#shown.set(path, shown);
    listeners.add(listener);
    if (listeners.size === 1) shown.again();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#shown.delete(path);
    };
  }

  get(path: string): Pick<Shown, 'data' | 'problem'> | undefined {
    return this.#shown.get(path);
  }

  again(path: string): void {
    this.#shown.get(path)?.again();
  }

  /** Something has happened: whatever is not fixed may be other than it was. */
  changed(): void {
    for (const shown of this.#shown.values()) if (!shown.isFixed) shown.again();
  }

  /** Everything may have changed: after a reset, a restore, a lost connection. */
  beginAnew(): void {
    for (const shown of this.#shown.values()) shown.beginAnew();
  }
}

export const store = new Store();
