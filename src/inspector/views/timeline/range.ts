import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { completeMoment } from '../../parts/values/moment.js';

/** A range of time. An empty text is no limit. */
export interface Range {
  /** `sandbox`: by the sandbox's clock. Empty: real time. */
  readonly clock: string;
  /** Moments in ISO 8601. */
  readonly from: string;
  readonly to: string;
}

export const ALL_TIME: Range = { clock: '', from: '', to: '' };

export const hasLimit = ({ from, to }: Range): boolean => from !== '' || to !== '';

/** Returns the time of an entry by the clock of the range, in ms since the epoch. */
export const timeBy = ({ clock }: Range): ((entry: TimelineEntry) => number) =>
  clock === 'sandbox' ? ({ at }) => at : ({ real }) => real;

/** The entries in the range. A text that is no moment is no limit. */
export function within(entries: readonly TimelineEntry[], range: Range): readonly TimelineEntry[] {
  if (!hasLimit(range)) return entries;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const time = timeBy(range);
  return entries.filter((entry) => !(time(entry) < from || time(entry) > to));
}

/**
 * Reads `2026-02-01 10:00`, or `10:00:30` of the day of `near`, as ISO 8601. Undefined for other
 * texts.
 */
export function readMoment(text: string, near: number): string | undefined {
  const given = text.trim();
  const day = /^\d\d:\d\d/.test(given) ? `${new Date(near).toISOString().slice(0, 10)} ` : '';
  const ms = Date.parse(completeMoment(day + given));
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
