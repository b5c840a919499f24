import { operations } from '../../../resources/operations.js';
import { checkGiven, type Rules, rule, wholeNumber } from '../../../util/options.js';
import { operationNamed } from '../../trouble/faults/request-match.js';
import type { JournalEntry } from './journal.js';

/** Filter of the journal's requests. All members must match. */
export interface JournalFilter {
  /** Only entries with a higher `seq`: a reader that follows gives that of the last it has. */
  readonly after?: number | undefined;
  /** Only entries with a lower `seq`. */
  readonly before?: number | undefined;
  /**
   * Number of entries: the oldest of those that fit if `after` is given, else the newest. Default:
   * all.
   */
  readonly limit?: number | undefined;
  /** Name or title of the operation, for example `accounts.quotes.get`. */
  readonly operation?: string | undefined;
  /** What became of the request, for example `bad_signature`. */
  readonly verdict?: string | undefined;
  /** Status of the answer. */
  readonly status?: number | undefined;
  /** Id of an account. */
  readonly account?: string | undefined;
  /** Idempotency key, in upper or lower case. */
  readonly key?: string | undefined;
  /** `API-Key` of the request. */
  readonly apiKey?: string | undefined;
  /** The `instance` of an error that was answered. */
  readonly instance?: string | undefined;
  /** Text in path, idempotency key, instance or account, in upper or lower case. */
  readonly q?: string | undefined;
}

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');

const FILTER_RULES = {
  after: wholeNumber(0),
  before: wholeNumber(0),
  limit: wholeNumber(1),
  operation: TEXT,
  verdict: TEXT,
  status: wholeNumber(100, 599),
  account: TEXT,
  key: TEXT,
  apiKey: TEXT,
  instance: TEXT,
  q: TEXT,
} satisfies Rules<JournalFilter>;

/**
 * Returns the entries that fit, oldest first.
 *
 * @throws TypeError for an unknown or wrong member of the filter.
 */
export function filtered(method: string, entries: readonly JournalEntry[], given: JournalFilter): JournalEntry[] {
  const {
    after,
    before = Number.POSITIVE_INFINITY,
    limit,
    ...wanted
  } = checkGiven(method, given, FILTER_RULES, TypeError);
  const fits = fitting(method, wanted);
  // A follower reads the newest few of many.
  let first = entries.length;
  while (first > 0 && (entries[first - 1]?.seq ?? 0) > (after ?? 0)) first -= 1;
  const found = entries.slice(first).filter((entry) => entry.seq < before && fits(entry));
  if (limit === undefined) return found;
  return after === undefined ? found.slice(-limit) : found.slice(0, limit);
}

type Wanted = Omit<JournalFilter, 'after' | 'before' | 'limit'>;

function fitting(method: string, { q, key, operation, ...wanted }: Wanted): (entry: JournalEntry) => boolean {
  const name = operation === undefined ? undefined : operationNamed(method, operations, operation).name;
  const lowerKey = key?.toLowerCase();
  const lowerText = q?.toLowerCase();
  const equal = Object.entries({ operation: name, ...wanted }).filter(([, value]) => value !== undefined) as [
    keyof JournalEntry,
    unknown,
  ][];
  return (entry) => {
    if (lowerKey !== undefined && entry.key?.toLowerCase() !== lowerKey) return false;
    if (lowerText !== undefined && !hasText(entry, lowerText)) return false;
    return equal.every(([name, value]) => entry[name] === value);
  };
}

function hasText({ path, key, instance, account }: JournalEntry, lowerText: string): boolean {
  return [path, key, instance, account].some((text) => text?.toLowerCase().includes(lowerText) === true);
}
