import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';

/** Returns the entry with this place. They stand in the order of their places. */
export function entryAt<Entry extends Pick<TimelineEntry, 'seq'>>(
  entries: readonly Entry[],
  seq: number | undefined,
): Entry | undefined {
  if (seq === undefined) return undefined;
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  const found = entries[low];
  return found?.seq === seq ? found : undefined;
}
