import { operations } from '../../../resources/operations.js';
import { copyMembers } from '../../../util/members.js';
import { checkGiven, isRecord, type Rules, rule, wholeNumber } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import type { Exchanges, KeptBody } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import { isPath, operationNamed } from '../../trouble/match.js';

/** Requests that a test expects. All given members must match. */
export interface RequestMatcher {
  /** Name or title of the operation, for example `accounts.quotes.create`. */
  readonly operation?: string | undefined;
  /** Idempotency key, in any letter case. */
  readonly key?: string | undefined;
  /** Id of an account. */
  readonly account?: string | undefined;
  /** `API-Key` of the request. */
  readonly apiKey?: string | undefined;
  /** Result of the request, for example `bad_signature`. */
  readonly verdict?: string | undefined;
  /** Status of the answer. */
  readonly status?: number | undefined;
  /**
   * Path without query. With `*` at its end, it matches every path that starts with the text before
   * it.
   */
  readonly path?: string | undefined;
  /**
   * Members that the body must have, with these values; it may have others. Lists must have the
   * same length. Needs the option `inspect`.
   *
   * @example
   * const { client, sandbox } = createTestClient({ inspect: true });
   * await client.users.createHeadless({ external_reference: 'ada' });
   * await sandbox.requests.expect({ body: { external_reference: 'ada' } }, { times: 1 });
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A difference between a request and a matcher. */
interface Difference {
  /** For example `status` or `body.from.amount`. */
  readonly member: string;
  readonly expected: string;
  readonly actual: string;
}

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');

const MATCHER_RULES = {
  operation: TEXT,
  key: TEXT,
  account: TEXT,
  apiKey: TEXT,
  verdict: TEXT,
  status: wholeNumber(100, 599),
  path: TEXT,
  body: rule(isRecord, 'must be an object', (value) => (isRecord(value) ? copyMembers(value) : value)),
} satisfies Rules<RequestMatcher>;

/** Maximum length of a value in a message, in characters; a longer one is cut. */
const MAX_VALUE_LENGTH = 100;

/** Returns the differences between a request and what is expected; none if it matches. */
export type Matcher = (entry: JournalEntry) => readonly Difference[];

/** @throws TypeError for an unknown or wrong member, and for a body that is not kept. */
export function matcherOf(method: string, given: RequestMatcher, exchanges: Exchanges | undefined): Matcher {
  const { operation, key, path, body, ...equal } = checkGiven(method, given, MATCHER_RULES, TypeError);
  if (body !== undefined && exchanges === undefined) {
    throw new TypeError(`${method}: body needs a sandbox with the option inspect, which keeps bodies`);
  }
  const name = operation === undefined ? undefined : operationNamed(method, operations, operation).name;
  const wanted = Object.entries({ operation: name, ...equal }).filter(([, value]) => value !== undefined);
  return (entry) => {
    const differences = wanted.flatMap(([member, value]) => {
      const actual = entry[member as keyof JournalEntry];
      return actual === value ? [] : [differenceAt(member, value, actual)];
    });
    if (key !== undefined && entry.key?.toLowerCase() !== key.toLowerCase()) {
      differences.push(differenceAt('key', key, entry.key));
    }
    if (path !== undefined && !isPath(entry.path, path)) differences.push(differenceAt('path', path, entry.path));
    if (body === undefined) return differences;
    return [...differences, ...differencesOfBody(body, exchanges?.get(entry.seq)?.body)];
  };
}

function differencesOfBody(expected: object, kept: KeptBody | undefined): Difference[] {
  if (kept === undefined || kept.isCut) return [{ member: 'body', expected: shown(expected), actual: 'is not kept' }];
  try {
    return differencesIn('body', expected, JSON.parse(Buffer.from(kept.bytes).toString('utf8')));
  } catch {
    const text = Buffer.from(kept.bytes).toString('utf8');
    return [{ member: 'body', expected: shown(expected), actual: text === '' ? 'is empty' : shown(text) }];
  }
}

function differencesIn(place: string, expected: unknown, actual: unknown): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differencesIn(`${place}[${index}]`, item, actual[index]));
  }
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([name, value]) => {
      return differencesIn(`${place}.${name}`, value, Object.hasOwn(actual, name) ? actual[name] : undefined);
    });
  }
  return Object.is(expected, actual) ? [] : [differenceAt(place, expected, actual)];
}

const differenceAt = (member: string, expected: unknown, actual: unknown): Difference => {
  return { member, expected: shown(expected), actual: shown(actual) };
};

const shown = (value: unknown): string => clipped(JSON.stringify(value) ?? 'absent', MAX_VALUE_LENGTH);
