import { operations } from '../../../resources/operations.js';
import type { JournalEntry } from '../journal/journal.js';
import type { ServiceParts } from '../parts.js';
import { isAuthentic } from './authentication.js';
import {
  answeredAt,
  bodyOf,
  type CheckEvidence,
  type CheckRule,
  findingOf,
  findingOfRequests,
  nameOf,
} from './check.js';

const KEYED = new Set(operations.filter(({ retrySafety }) => retrySafety === 'keyed').map(({ name }) => name));

/** Time in ms within which an equal request is a retry. */
const RETRY_WINDOW_MS = 60_000;

const isKeyed = ({ operation }: JournalEntry): boolean => operation !== undefined && KEYED.has(operation);

/** True if the client cannot know whether the request took effect: each named fault hides it. */
const isUncertain = ({ status, fault }: JournalEntry): boolean =>
  status === undefined || status >= 500 || typeof fault === 'string';

/** Rules about idempotency keys. */
export const WRITE_RULES: readonly CheckRule[] = [
  {
    id: 'write_keys',
    title: 'Each write has an idempotency key',
    failure: ['write had no idempotency key', 'writes had no idempotency key'],
    meaning:
      'Without an `Idempotency-Key`, a write that is retried takes effect twice. Draw a UUIDv4 for each effect that you want.',
    judge({ requests }) {
      const writes = requests.filter((entry) => isKeyed(entry) && isAuthentic(entry));
      const bare = writes.filter(({ key }) => key === undefined);
      return findingOfRequests(writes.length > 0, bare, (entry) => `${nameOf(entry)} came without a key.`);
    },
  },
  {
    id: 'retry_keys',
    title: 'A write is retried with the same idempotency key',
    failure: [
      'write was sent again without its idempotency key',
      'writes were sent again without their idempotency keys',
    ],
    meaning:
      'A write without a clear response may have taken effect. If you retry it with another idempotency key, it takes effect twice. Needs stored bodies (`inspect`).',
    judge({ groups, service }) {
      const repeats = groups
        .filter(([first]) => first !== undefined && isKeyed(first))
        .flatMap((group) => repeatsIn(service, group))
        .sort((a, b) => a.again.seq - b.again.seq);
      const wrong = repeats.filter(({ first, again }) => first.key === undefined || first.key !== again.key);
      return findingOf(repeats.length > 0, wrong.map(repeated));
    },
  },
  {
    id: 'key_conflicts',
    title: 'An idempotency key stands for one request',
    failure: ['request had the idempotency key of another one', 'requests had the idempotency key of another one'],
    meaning:
      'The service answers 409 if an idempotency key arrives with another body, path or operation. Draw a new one for each write, and retry a write with the same bytes.',
    judge({ requests }) {
      const keyed = requests.filter(({ key }) => key !== undefined);
      const reused = keyed.filter(({ verdict }) => verdict === 'key_reused');
      return findingOfRequests(
        keyed.some(isAuthentic),
        reused,
        (entry) => `${nameOf(entry)}: another request had its key.`,
      );
    },
  },
];

interface Repeat {
  readonly first: JournalEntry;
  readonly again: JournalEntry;
}

/**
 * Pairs each request without a clear result with its retry: a later one with the same key, or else
 * with the same body. Two intended writes may have equal bodies.
 */
function repeatsIn(service: ServiceParts, group: readonly JournalEntry[]): Repeat[] {
  return group.flatMap((first, index) => {
    if (!isUncertain(first)) return [];
    const later = group.slice(index + 1);
    const withKey = later.find(({ key }) => key !== undefined && key === first.key);
    const again = withKey ?? later.find((one) => isEqualReaction(service, first, one));
    return again === undefined ? [] : [{ first, again }];
  });
}

function isEqualReaction(service: ServiceParts, first: JournalEntry, later: JournalEntry): boolean {
  // A request that was sent before the response cannot be a reaction to it.
  const wait = later.real - first.real;
  if (wait > RETRY_WINDOW_MS || !(later.real >= Math.floor(answeredAt(service, first)))) return false;
  const [body, laterBody] = [bodyOf(service, first), bodyOf(service, later)];
  return body !== undefined && laterBody !== undefined && Buffer.compare(body, laterBody) === 0;
}

function repeated({ first, again }: Repeat): CheckEvidence {
  const how = again.key === undefined ? 'without a key' : 'with another key';
  return {
    text: `${nameOf(again)} came again ${how}, after request ${first.seq} had no clear answer.`,
    seq: again.seq,
  };
}
