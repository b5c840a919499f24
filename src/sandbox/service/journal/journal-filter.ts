import * as z from 'zod/mini';
import { operations } from '../../../resources/operations.js';
import { count, countAboveZero, text } from '../../core/basics/checked.js';
import { operationNamed } from '../../trouble/match.js';
import type { JournalEntry } from './journal.js';

/** Filter of journal entries. All members must match. */
export interface JournalFilter {
  /**
   * Only entries with a higher `seq`. A client that follows the journal passes that of its last
   * entry.
   */
  readonly after?: number | undefined;
  /** Only entries with a lower `seq`. */
  readonly before?: number | undefined;
  /**
   * Maximum number of entries: the oldest that match if `after` is given, else the newest. Default:
   * all.
   */
  readonly limit?: number | undefined;
  /** Name or title of the operation, for example `accounts.quotes.get`. */
  readonly operation?: string | undefined;
  /** Result of the request, for example `bad_signature`. */
  readonly verdict?: string | undefined;
  /** Status of the answer. */
  readonly status?: number | undefined;
  /** Id of an account. */
  readonly account?: string | undefined;
  /** Idempotency key, in upper or lower case. */
  readonly key?: string | undefined;
  /** `API-Key` of the request. */
  readonly apiKey?: string | undefined;
  /** The `instance` of an error answer. */
  readonly instance?: string | undefined;
  /** Text in path, idempotency key, instance or account, in any letter case. */
  readonly q?: string | undefined;
}

const status = z.int().check(z.minimum(100), z.maximum(599));

export const journalFilter = z.strictObject({
  after: z.optional(count),
  before: z.optional(count),
  limit: z.optional(countAboveZero),
  operation: z.optional(text),
  verdict: z.optional(text),
  status: z.optional(status),
  account: z.optional(text),
  key: z.optional(text),
  apiKey: z.optional(text),
  instance: z.optional(text),
  q: z.optional(text),
});

/**
 * Returns the entries that match, oldest first.
 *
 * @throws TypeError for an unknown operation.
 */
export function filtered(
  method: string,
  entries: readonly JournalEntry[],
  { after, before = Number.POSITIVE_INFINITY, limit, ...wanted }: JournalFilter,
): JournalEntry[] {
  const fits = fitting(method, wanted);
  // A follower reads only the newest few of many entries.
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
