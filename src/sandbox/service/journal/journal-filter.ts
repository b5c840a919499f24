import * as z from 'zod/mini';
import { operations } from '../../../resources/operations.js';
import { count, countAboveZero, text } from '../../core/basics/checked.js';
import { operationNamed } from '../../trouble/match.js';
import type { JournalEntry } from './journal.js';

/** The requests of the journal that have all given members. */
export interface RequestSelection {
  /** Name or title of the operation, for example `accounts.quotes.create`. */
  readonly operation?: string | undefined;
  /** Id of the account in the path. */
  readonly accountId?: string | undefined;
  /** Idempotency key, in any letter case. */
  readonly key?: string | undefined;
  /** `API-Key` of the request. */
  readonly apiKey?: string | undefined;
  /** Result of the request, for example `bad_signature`. */
  readonly verdict?: string | undefined;
  /** Status of the response. */
  readonly status?: number | undefined;
}

export const requestSelection = {
  operation: z.optional(text),
  accountId: z.optional(text),
  key: z.optional(text),
  apiKey: z.optional(text),
  verdict: z.optional(text),
  status: z.optional(z.int().check(z.minimum(100), z.maximum(599))),
};

/** Filter of journal entries. All members must match. */
export interface JournalFilter extends RequestSelection {
  /** The `instance` of an error response. */
  readonly instance?: string | undefined;
  /**
   * Words that a request must all contain, in any letter case: in path, operation, subject, reason,
   * idempotency key, API key, nonce, instance, account, or name or user of the account. With
   * `inspect` also in the bodies that `requests.get` shows.
   */
  readonly q?: string | undefined;
  /** Only entries with a higher `seq`: that of the last known entry, to follow the journal. */
  readonly after?: number | undefined;
  /** Only entries with a lower `seq`. */
  readonly before?: number | undefined;
  /** Maximum number of entries: the oldest if `after` is given, else the newest. Default: all. */
  readonly limit?: number | undefined;
}

export const journalFilter = z.strictObject({
  ...requestSelection,
  instance: z.optional(text),
  q: z.optional(text),
  after: z.optional(count),
  before: z.optional(count),
  limit: z.optional(countAboveZero),
});

/**
 * Returns the entries that match, oldest first. `isFound`: true for what `q` finds.
 *
 * @throws TypeError for an unknown operation.
 */
export function filtered(
  method: string,
  entries: readonly JournalEntry[],
  { after, before = Number.POSITIVE_INFINITY, limit, instance, ...selection }: Omit<JournalFilter, 'q'>,
  isFound: (entry: JournalEntry) => boolean,
): JournalEntry[] {
  const differencesOf = comparing(method, selection);
  // A follower reads only the newest few of many entries.
  const first = entries.findLastIndex(({ seq }) => seq <= (after ?? 0)) + 1;
  const found = entries.slice(first).filter((entry) => {
    if (entry.seq >= before || (instance ?? entry.instance) !== entry.instance) return false;
    return differencesOf(entry).length === 0 && isFound(entry);
  });
  if (limit === undefined) return found;
  return after === undefined ? found.slice(-limit) : found.slice(0, limit);
}

/** A member in which a request differs from what is expected. */
export interface Difference {
  /** For example `status` or `body.from.amount`. */
  readonly member: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Returns the function that compares a request with a selection: no differences if it matches.
 *
 * @throws TypeError for an unknown operation.
 */
export function comparing(
  method: string,
  { operation, key, ...others }: RequestSelection,
): (entry: JournalEntry) => Difference[] {
  const name = operation === undefined ? undefined : operationNamed(method, operations, operation).name;
  const selection = { operation: name, key: key?.toLowerCase(), ...others };
  const wanted = Object.entries(selection).filter(([, expected]) => expected !== undefined);
  return (entry) => {
    const { operation, apiKey, verdict, status, account: accountId } = entry;
    const given = { operation, key: entry.key?.toLowerCase(), apiKey, verdict, status, accountId };
    return wanted.flatMap(([member, expected]) => {
      const actual = given[member as keyof RequestSelection];
      return actual === expected ? [] : [{ member, expected, actual }];
    });
  };
}
