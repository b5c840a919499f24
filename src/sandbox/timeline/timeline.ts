import type { Now } from '../state/clock.js';
import type { NewEntry, TimelineEntry } from './entries.js';
import type { EntryHead } from './entry-head.js';

/** Beyond it the oldest entries go. */
const LIMIT_ENTRIES = 10_000;

/** What happened, in its order: requests, changes, postings, timers, deliveries, controls, faults. */
export class Timeline {
  readonly #clock: Now;
  readonly #isKept: boolean;
  readonly #entries: TimelineEntry[] = [];
  readonly #listeners = new Set<(entry: TimelineEntry) => void>();
  #seq = 0;
  #cause: number | undefined;

  /** `isKept` false: nothing is kept but the number of entries. */
  constructor(clock: Now, isKept: boolean) {
    this.#clock = clock;
    this.#isKept = isKept;
  }

  /** True if entries are kept: the sandbox was made with `inspect`. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** The newest entries, oldest first. */
  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  /** Takes the place of an entry to come. */
  head(): EntryHead {
    this.#seq += 1;
    return { seq: this.#seq, at: this.#clock.now(), real: Date.now(), cause: this.#cause };
  }

  /** Runs synchronously, as the work of the entry with this `seq`: what is noted names it as cause. */
  causedBy<T>(seq: number | undefined, run: () => T): T {
    const before = this.#cause;
    this.#cause = seq ?? before;
    try {
      return run();
    } finally {
      this.#cause = before;
    }
  }

  /** Notes what happened. Does nothing if entries are not kept. */
  note(entry: NewEntry): EntryHead | undefined {
    if (!this.#isKept) return undefined;
    const head = this.head();
    this.add({ ...head, ...entry } as TimelineEntry);
    return head;
  }

  /** Adds an entry whose head was taken before. */
  add(entry: TimelineEntry): void {
    if (!this.#isKept) return;
    this.#entries.push(entry);
    if (this.#entries.length > LIMIT_ENTRIES) this.#entries.shift();
    for (const listener of this.#listeners) listener(entry);
  }

  /** Returns the function that ends it. */
  listen(listener: (entry: TimelineEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  clear(): void {
    this.#entries.length = 0;
  }
}
