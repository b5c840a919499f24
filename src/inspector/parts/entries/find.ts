import type { TimelineEntry } from '../../wire/sandbox.js';

type Numbered = Pick<TimelineEntry, 'seq'>;

/** Returns the index of the first entry after `seq`. They stand in the order of their `seq`. */
export function placeAfter(entries: readonly Numbered[], seq: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function entryAt<Entry extends Numbered>(entries: readonly Entry[], seq: number | undefined): Entry | undefined {
  if (seq === undefined) return undefined;
  const found = entries[placeAfter(entries, seq) - 1];
  return found?.seq === seq ? found : undefined;
}
