import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { Live } from '../../wire/live.js';

/** Later entries are never counted to the start: what is remembered of them stays small. */
const LIMIT_ENTRIES = 10_000;

/** Steps that belong to no resource, or that the row of a delivery tells anyway. */
const OTHERS = /\.end$|^prices|^webhook/;

/**
 * The rows of the start: steps of resources that the sandbox was made with, which no program and
 * no reader has brought about.
 */
export class Start {
  /** Resources that are new since the sandbox was made. */
  readonly #made = new Set<string>();
  readonly #rows = new Set<number>();
  #era = -1;
  #last = 0;
  #left = 0;

  /** Looks at each entry once. Entries without their beginning tell nothing about the start. */
  notice({ entries, era }: Live): void {
    const [first] = entries;
    if (first === undefined) return;
    if (era !== this.#era) {
      this.#made.clear();
      this.#rows.clear();
      this.#era = era;
      this.#last = 0;
      this.#left = isBeginning(first) ? LIMIT_ENTRIES : 0;
    }
    let from = entries.length;
    while (from > 0 && (entries[from - 1]?.seq ?? 0) > this.#last) from -= 1;
    for (const entry of entries.slice(from, from + this.#left)) this.#judge(entry);
    this.#left -= Math.min(this.#left, entries.length - from);
    this.#last = entries.at(-1)?.seq ?? 0;
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The entries without those of the start. */
  without(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
    return this.#rows.size === 0 ? entries : entries.filter(({ seq }) => !this.#rows.has(seq));
  }

  #judge(entry: TimelineEntry): void {
    if (entry.kind === 'change' && entry.from === undefined) this.#made.add(entry.id);
    const isStep = entry.kind === 'timer' && !OTHERS.test(entry.task) && !this.#made.has(entry.id);
    const isEffect = entry.kind !== 'delivery' && entry.cause !== undefined && this.#rows.has(entry.cause);
    if (isStep || isEffect) this.#rows.add(entry.seq);
  }
}

/** The sandbox was made, or made anew, just before this entry. */
const isBeginning = (entry: TimelineEntry): boolean =>
  entry.seq === 1 || (entry.kind === 'clock' && entry.what === 'reset') || entry.kind === 'control';
