import type { JournalEntry } from '../journal/journal.js';
import { type CheckEvidence, type CheckRule, findingOf, nameOf } from './check.js';

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

/** True if the request was authentic. */
export const isAuthentic = ({ apiKey, verdict, status }: JournalEntry): boolean =>
  apiKey !== undefined && !CAUSES.has(verdict) && verdict !== 'broken_body' && status !== 401;

/** Rules about keys, nonces and signatures. */
export const AUTHENTICATION_RULES: readonly CheckRule[] = [
  {
    id: 'authentication',
    title: 'No request was refused with 401',
    meaning:
      'Each request was signed with a known key, a rising nonce and the right bytes. Open an entry to see what the sandbox would have signed.',
    judge({ requests, isKnown }) {
      const refused = requests.filter(({ verdict }) => CAUSES.has(verdict));
      return findingOf(isKnown, [...byVerdict(refused)].map(causeOf));
    },
  },
  {
    id: 'nonces',
    title: 'No nonce is used twice',
    meaning:
      'A nonce must be above all earlier ones of its key. Draw it when the request is sent, for each attempt anew, and send the requests of a key in order.',
    judge({ requests, isKnown }) {
      const reused = requests.filter(({ verdict }) => verdict === 'nonce_not_rising');
      return findingOf(
        isKnown,
        reused.map((entry) => ({ text: `${nameOf(entry)}: the nonce was not above the last one.`, seq: entry.seq })),
      );
    },
  },
  {
    id: 'permissions',
    title: 'Each key may do what it is used for',
    meaning: 'No request was refused because its API key lacks a scope. If it fails, use another key for it.',
    judge({ requests, isKnown }) {
      const refused = requests.filter(({ verdict }) => verdict === 'missing_scope');
      return findingOf(
        isKnown,
        refused.map((entry) => ({
          text: `${nameOf(entry)}: ${entry.causes[0]?.message ?? 'a scope'}.`,
          seq: entry.seq,
        })),
      );
    },
  },
];

function byVerdict(entries: readonly JournalEntry[]): Map<string, JournalEntry[]> {
  const groups = new Map<string, JournalEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.verdict);
    if (group === undefined) groups.set(entry.verdict, [entry]);
    else group.push(entry);
  }
  return groups;
}

function causeOf([verdict, entries]: [string, readonly JournalEntry[]]): CheckEvidence {
  const last = entries.at(-1);
  const likely = last?.likely === undefined ? '' : ` Last: ${last.likely}.`;
  const times = entries.length === 1 ? 'once' : `${entries.length} times`;
  return { text: `${verdict}, ${times}: ${CAUSES.get(verdict)}.${likely}`, seq: last?.seq };
}
