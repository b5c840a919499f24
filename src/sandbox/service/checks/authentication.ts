import { grouped } from '../../core/basics/grouped.js';
import type { JournalEntry } from '../journal/journal.js';
import { type CheckEvidence, type CheckInput, type CheckRule, findingOf, findingOfRequests, nameOf } from './check.js';

/** The verdicts of a 401, each with its meaning. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ['missing_header', 'a header of the signature was missing'],
  ['unknown_key', 'the API key is not known'],
  ['revoked_key', 'the API key is revoked'],
  ['malformed_nonce', 'the nonce is not a number of 64 bits'],
  ['bad_signature', 'the signature was wrong'],
  ['nonce_not_rising', 'the nonce was not above the last one'],
  ['missing_otp', 'the one-time password was missing'],
  ['wrong_otp', 'the one-time password was wrong'],
]);

export const isAuthentic = ({ apiKey, verdict, status }: JournalEntry): boolean =>
  apiKey !== undefined && !CAUSES.has(verdict) && verdict !== 'broken_body' && status !== 401;

/** Rules about keys, nonces and signatures. */
export const AUTHENTICATION_RULES: readonly CheckRule[] = [
  {
    id: 'authentication',
    title: 'No request was rejected with 401',
    failure: ['request was rejected with 401', 'requests were rejected with 401'],
    meaning:
      'Each request was signed with a known API key, a rising nonce and the right bytes. Open an entry to see what the sandbox would have signed.',
    judge(input) {
      const races = settledRaces(input);
      const refused = input.requests.filter((entry) => CAUSES.has(entry.verdict) && !races.has(entry));
      return findingOf(input.isKnown, [...grouped(refused, ({ verdict }) => verdict)].map(causeOf));
    },
  },
  {
    id: 'nonces',
    title: 'Each nonce is above the last one',
    failure: ['nonce was not above the last one', 'nonces were not above the last one'],
    meaning:
      'A nonce must be higher than all earlier nonces of its API key. Draw a new one for each attempt, when you send the request. If another request overtakes yours on the network, you may retry with a new nonce; that is not a mistake.',
    judge(input) {
      const races = settledRaces(input);
      const wrong = input.requests.filter((entry) => entry.verdict === 'nonce_not_rising' && !races.has(entry));
      return findingOfRequests(
        input.isKnown,
        wrong,
        (entry) => `${nameOf(entry)}: the nonce was not above the last one.`,
      );
    },
  },
  {
    id: 'permissions',
    title: 'Each API key may do what it is used for',
    failure: ['request needed a scope that its API key lacks', 'requests needed a scope that their API key lacks'],
    meaning: 'No request was rejected because its API key lacks a scope. If one was, sign it with another API key.',
    judge({ requests, isKnown }) {
      const refused = requests.filter(({ verdict }) => verdict === 'missing_scope');
      return findingOfRequests(
        isKnown,
        refused,
        (entry) => `${nameOf(entry)}: ${entry.causes[0]?.message ?? 'a scope'}.`,
      );
    },
  },
];

/** Requests that parallel ones overtook, and that came again. A nonce used twice is no race. */
function settledRaces({ requests, groups }: CheckInput): ReadonlySet<JournalEntry> {
  const used = new Set<string>();
  const overtaken = new Set<JournalEntry>();
  for (const entry of requests) {
    const nonce = `${entry.apiKey} ${entry.nonce}`;
    if (entry.verdict === 'nonce_not_rising' && !used.has(nonce)) overtaken.add(entry);
    used.add(nonce);
  }
  const settled = new Set<JournalEntry>();
  for (const group of groups) {
    // From the newest on: what was accepted later settles what is older.
    const accepted = new Set<string | undefined>();
    for (const entry of group.toReversed()) {
      if (isAuthentic(entry)) accepted.add(entry.key);
      if (overtaken.has(entry) && accepted.has(entry.key)) settled.add(entry);
    }
  }
  return settled;
}

function causeOf([verdict, entries]: [string, readonly JournalEntry[]]): CheckEvidence {
  const last = entries.at(-1);
  const likely = last?.likely === undefined ? '' : ` Last: ${last.likely}.`;
  const times = entries.length === 1 ? 'once' : `${entries.length} times`;
  return { text: `${verdict}, ${times}: ${CAUSES.get(verdict)}.${likely}`, seq: last?.seq, count: entries.length };
}
