import { type Call, hasFailed } from '../../parts/calls.js';
import { finderOf } from '../../parts/search.js';
import { addressed, setQuery } from '../../wire/address.js';
import type { JournalEntry, TimelineEntry } from '../../wire/sandbox.js';

/**
 * Which rows there are, `requests`, `failed` or `everything`: one for each call, for each failed
 * call, or for each entry of the timeline.
 */
export const mode = addressed('show', 'requests');

/** What an entry has of the members that a filter chooses by. */
export const MEMBERS = {
  account: (one: TimelineEntry) =>
    one.kind === 'posting' ? [one.from, one.to] : 'account' in one ? [one.account] : [],
  operation: (one: TimelineEntry) => (one.kind === 'request' ? [one.operation] : []),
  /** Status and verdict: `401 bad_signature`. */
  cause: (one: TimelineEntry) => (one.kind === 'request' ? [causeOf(one)] : []),
} as const;

const causeOf = ({ status, verdict }: JournalEntry): string => `${status ?? 'none'} ${verdict}`;

/** The filters. All that are set must fit. */
export const filters = {
  /** Words that all stand in the request. */
  text: addressed('text'),
  account: addressed('account'),
  operation: addressed('operation'),
  cause: addressed('cause'),
  /** Moments by the sandbox's clock, in ISO 8601. */
  from: addressed('from'),
  to: addressed('to'),
} as const;

export const clearFilters = (): void => setQuery(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])));

export const hasFilter = (): boolean => Object.values(filters).some(({ value }) => value !== '');

/** Returns if a time is in the range that is chosen. */
export function inRange(): (at: number) => boolean {
  const [from, to] = [Date.parse(filters.from.value), Date.parse(filters.to.value)];
  return (at) => !(at < from || at > to);
}

/**
 * Returns if an entry fits all filters but the range. `found`: requests that the sandbox has found
 * by the text.
 */
export function entryFilter(found: ReadonlySet<number>): (entry: TimelineEntry) => boolean {
  const chosen = (['account', 'operation', 'cause'] as const).flatMap((name) => {
    const { value } = filters[name];
    return value === '' ? [] : [{ value, in: MEMBERS[name] }];
  });
  const hasText = finderOf(filters.text.value);
  return (entry) =>
    chosen.every((one) => one.in(entry).includes(one.value)) && (found.has(entry.seq) || hasText(entry));
}

/** The same of a call: one of its attempts fits. */
export function callFilter(found: ReadonlySet<number>): (call: Call) => boolean {
  const fits = entryFilter(found);
  const isFailed = mode.value === 'failed';
  return ({ last, attempts }) => (!isFailed || hasFailed(last)) && attempts.some(fits);
}
