import * as z from 'zod/mini';
import { isRecord } from '../../../util/options.js';
import { text } from '../../core/basics/checked.js';
import type { Exchanges, KeptBody } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import {
  comparing,
  type Difference,
  type RequestSelection,
  requestSelection,
} from '../../service/journal/journal-filter.js';
import { isPath } from '../../trouble/match.js';

/** Requests that a test expects. All given members must match. */
export interface RequestMatcher extends RequestSelection {
  /** Path without query. `*` at its end stands for any further text. */
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

/** The values of a body are only compared, so they may be of any type. */
export const requestMatcher = z.strictObject({
  ...requestSelection,
  path: z.optional(text),
  body: z.optional(z.unknown().check(z.refine(isRecord, 'must be an object'))),
});

/**
 * Returns the function that compares a request with what is expected: no differences if it matches.
 *
 * @throws TypeError for an unknown operation. Error for a body if bodies are not kept.
 */
export function matcherOf(
  method: string,
  { path, body, ...selection }: RequestMatcher,
  exchanges: Exchanges | undefined,
): (entry: JournalEntry) => readonly Difference[] {
  if (body !== undefined && exchanges === undefined) {
    throw new Error(`${method}: body needs a sandbox with the option inspect, which keeps bodies`);
  }
  const differencesOf = comparing(method, selection);
  return (entry) => [
    ...differencesOf(entry),
    ...(path === undefined || isPath(entry.path, path) ? [] : [{ member: 'path', expected: path, actual: entry.path }]),
    ...(body === undefined ? [] : differencesOfBody(body, exchanges?.get(entry.seq)?.body)),
  ];
}

function differencesOfBody(expected: object, kept: KeptBody | undefined): Difference[] {
  if (kept === undefined || kept.isCut) return [{ member: 'body', expected, actual: '(not kept)' }];
  const text = Buffer.from(kept.bytes).toString('utf8');
  try {
    return differencesIn('body', expected, JSON.parse(text));
  } catch {
    return [{ member: 'body', expected, actual: text }];
  }
}

function differencesIn(member: string, expected: unknown, actual: unknown): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((item, index) => differencesIn(`${member}[${index}]`, item, actual[index]));
  }
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differencesIn(`${member}.${name}`, value, Object.hasOwn(actual, name) ? actual[name] : undefined),
    );
  }
  return Object.is(expected, actual) ? [] : [{ member, expected, actual }];
}
