import { labelOf } from '../../../resources/labels.js';
import { operations } from '../../../resources/operations.js';
import type { JournalEntry } from '../journal/journal.js';
import type { ServiceParts } from '../parts.js';
import { isAuthentic } from './authentication.js';
import {
  answeredAt,
  type CheckEvidence,
  type CheckInput,
  type CheckRule,
  findingOf,
  findingOfRequests,
  nameOf,
} from './check.js';

/** Maximum number of equal GETs within a second; more are polling. */
const POLLS_A_SECOND = 5;

/** Tolerance of waits in ms: clocks differ, and timers fire a little early. */
const SLACK_MS = 100;

/** Rules about the order and pace of requests. */
export const TRAFFIC_RULES: readonly CheckRule[] = [
  {
    id: 'polling',
    title: 'Nothing is requested more than five times a second',
    failure: ['GET was sent more than five times a second', 'GETs were sent more than five times a second'],
    meaning:
      'A client that requests the same thing again and again uses up its quota. Wait longer between requests each time, or register a webhook.',
    judge({ groups }) {
      const reads = groups.filter(([first]) => first?.method === 'GET');
      return findingOf(reads.length > 0, reads.flatMap(pollingIn));
    },
  },
  {
    id: 'retry_after',
    title: 'Retry-After is waited for',
    failure: ['Retry-After header was not waited for', 'Retry-After headers were not waited for'],
    meaning:
      '`Retry-After` of a 429 or 503 says how many seconds to wait. A request that is sent earlier is rejected again. Needs stored responses (`inspect`).',
    judge({ groups, service }) {
      const waits = groups.flatMap((group) => earlyRepeatsIn(service, group));
      const early = waits.flatMap((wait) => wait ?? []);
      return findingOf(waits.length > 0, early);
    },
  },
  {
    id: 'unknown_paths',
    title: 'Each path exists in the API',
    failure: ['request had an unknown path or method', 'requests had an unknown path or method'],
    meaning: 'The service answers 404 to a path or method that the API does not have. It is probably misspelt.',
    judge({ requests, isKnown }) {
      const lost = requests.filter((entry) => entry.operation === undefined && isAuthentic(entry));
      return findingOfRequests(isKnown, lost, (entry) => `${nameOf(entry)} is not there.`);
    },
  },
  {
    id: 'operations',
    title: 'Every operation was tried',
    meaning: 'These operations have not succeeded yet. Nobody needs all of them, so look for those that you do need.',
    judge: untriedOperations,
  },
];

/** Returns evidence of a target that was polled, with the second that had most requests. */
function pollingIn(group: readonly JournalEntry[]): CheckEvidence[] {
  let most: readonly JournalEntry[] = [];
  let begin = 0;
  for (const [end, entry] of group.entries()) {
    while (entry.real - (group[begin]?.real ?? entry.real) >= 1_000) begin += 1;
    if (end + 1 - begin > most.length) most = group.slice(begin, end + 1);
  }
  const last = most.at(-1);
  if (last === undefined || most.length <= POLLS_A_SECOND) return [];
  return [{ text: `${nameOf(last)}: ${most.length} times within a second.`, seq: last.seq }];
}

/** For each response with `Retry-After`: evidence of a retry that was too early, or undefined. */
function earlyRepeatsIn(service: ServiceParts, group: readonly JournalEntry[]): (CheckEvidence | undefined)[] {
  return group.flatMap((entry, index) => {
    const seconds = secondsToWait(service, entry);
    if (seconds === undefined) return [];
    const answered = answeredAt(service, entry);
    const next = group.slice(index + 1).find(({ real }) => real >= Math.floor(answered));
    // A test may have advanced the sandbox's clock past the wait.
    const waited = next && Math.max(next.real - answered, next.at - entry.at);
    if (next === undefined || waited === undefined || waited >= seconds * 1_000 - SLACK_MS) return [undefined];
    const text = `${nameOf(next)} came again ${Math.round(Math.max(waited, 0))} ms after a ${entry.status} that asked for ${seconds} s.`;
    return [{ text, seq: next.seq }];
  });
}

function secondsToWait({ journal }: ServiceParts, { seq, status }: JournalEntry): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const header = journal.exchanges?.get(seq)?.answer?.headers['retry-after'];
  return header === undefined ? undefined : Number(header);
}

function untriedOperations({ requests }: CheckInput) {
  const tried = new Set(
    requests.filter(({ status = 0 }) => status >= 200 && status < 300).map(({ operation }) => operation),
  );
  const untried = operations.filter(({ name }) => !tried.has(name));
  const evidence = untried.map((one) => ({ text: `${one.name} (${labelOf(one).title})` })).reverse();
  return { status: untried.length === 0 ? ('passed' as const) : ('unseen' as const), evidence };
}
