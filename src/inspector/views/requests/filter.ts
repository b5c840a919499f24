import { type Call, callOf, hasFailed } from '../../parts/calls.js';
import { finderOf } from '../../parts/search.js';
import { addressed, setQuery } from '../../wire/address.js';
import type { TimelineEntry } from '../../wire/sandbox.js';

/**
 * Which rows there are: one for each call, for each failed call, or for each entry of the timeline.
 */
export type Mode = 'requests' | 'failed' | 'everything';

export const mode = addressed('show', 'requests');

/** The filters. All that are set must fit. */
export const filters = {
  /** Words that all stand in the request. */
  text: addressed('text'),
  account: addressed('account'),
  operation: addressed('operation'),
  /** Status and verdict: `401 bad_signature`. */
  cause: addressed('cause'),
  /** A part of an API key or an idempotency key. */
  key: addressed('key'),
  /** Moments by the sandbox's clock, in ISO 8601. */
  from: addressed('from'),
  to: addressed('to'),
} as const;

export const clearFilters = (): void => setQuery(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])));

export const hasFilter = (): boolean => Object.values(filters).some(({ value }) => value !== '');

/** The cause of a failure as the filter has it. */
export const causeOf = ({ status, verdict }: Call['last']): string => `${status ?? 'none'} ${verdict}`;

/** Returns if a time is in the range that is chosen. */
export function inRange(): (at: number) => boolean {
  const [from, to] = [Date.parse(filters.from.value), Date.parse(filters.to.value)];
  return (at) => !(at < from || at > to);
}

/**
 * Returns if a call fits all filters but the range. `found`: requests that the sandbox has found by
 * the text.
 */
export function callFilter(found: ReadonlySet<number>): (call: Call) => boolean {
  const [text, account, operation, cause] = [filters.text, filters.account, filters.operation, filters.cause].map(
    ({ value }) => value,
  ) as [string, string, string, string];
  const key = filters.key.value.trim().toLowerCase();
  const isFailed = mode.value === 'failed';
  const hasText = finderOf(text);
  return (call) => {
    const { last, attempts } = call;
    if (isFailed && !hasFailed(last)) return false;
    if (account !== '' && last.account !== account) return false;
    if (operation !== '' && last.operation !== operation) return false;
    if (cause !== '' && !attempts.some((one) => causeOf(one) === cause)) return false;
    if (key !== '' && !`${last.key} ${last.apiKey}`.toLowerCase().includes(key)) return false;
    return text === '' || attempts.some((one) => found.has(one.seq) || hasText(one));
  };
}

/** Returns if an entry fits all filters but the range. Those of requests show requests alone. */
export function entryFilter(found: ReadonlySet<number>): (entry: TimelineEntry) => boolean {
  const { account, operation, cause, key, text } = filters;
  const [ofAccount, ofText] = [account.value, text.value];
  const isOfRequests = [operation, cause, key].some(({ value }) => value !== '');
  const fits = callFilter(found);
  const hasText = finderOf(ofText);
  return (entry) => {
    // The row of a delivery tells of the timer, too.
    if (entry.kind === 'timer' && entry.task === 'webhook.attempt') return false;
    if (isOfRequests && entry.kind !== 'request') return false;
    if (entry.kind === 'request') return fits(callOf(entry));
    if (ofAccount !== '' && !isOf(ofAccount, entry)) return false;
    return ofText === '' || hasText(entry);
  };
}

function isOf(account: string, entry: TimelineEntry): boolean {
  if (entry.kind === 'posting') return entry.from === account || entry.to === account;
  return 'account' in entry && entry.account === account;
}
