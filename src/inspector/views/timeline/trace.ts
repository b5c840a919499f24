import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { resourcesIn } from '../../parts/links/resource-paths.js';
import { entryAt } from './find.js';

/** Kinds of resources that stay: half of everything that happens is about them. */
const LASTING: ReadonlySet<string> = new Set(['users', 'accounts', 'assets', 'webhooks', 'limits', 'earn']);

/** Each round may find further resources, whose entries the next one finds. */
const MAX_ROUNDS = 4;

/**
 * Returns what belongs to one story, oldest first: what the entry brought about and was brought
 * about by, and all that is about the same resources, idempotency key or event.
 */
export function traceOf(entries: readonly TimelineEntry[], from: TimelineEntry): TimelineEntry[] {
  const members = new Set<TimelineEntry>();
  const subjects = new Set<string>();
  const seqs = new Set<number>();
  const join = (entry: TimelineEntry): void => {
    members.add(entry);
    if (!ownsEffects(entry)) return;
    seqs.add(entry.seq);
    for (const subject of subjectsOf(entry)) subjects.add(subject);
  };
  for (const entry of causesOf(entries, from)) join(entry);
  join(from);
  seqs.add(from.seq);
  for (let round = 0, before = -1; round < MAX_ROUNDS && before !== members.size; round += 1) {
    before = members.size;
    for (const entry of entries) {
      if (members.has(entry)) continue;
      const isEffect = entry.cause !== undefined && seqs.has(entry.cause);
      if (isEffect || isAbout(entry, subjects)) join(entry);
    }
  }
  for (const entry of [...members]) for (const cause of causesOf(entries, entry)) members.add(cause);
  return [...members].sort((one, other) => one.seq - other.seq);
}

/** One move of the clock may have a thousand effects that have nothing to do with each other. */
const ownsEffects = ({ kind }: TimelineEntry): boolean => kind !== 'control' && kind !== 'clock';

/** The cause of an entry, the cause of that, and so on. */
function causesOf(entries: readonly TimelineEntry[], entry: TimelineEntry): TimelineEntry[] {
  const causes: TimelineEntry[] = [];
  let cause = entryAt(entries, entry.cause);
  while (cause !== undefined && cause.seq < entry.seq) {
    causes.push(cause);
    entry = cause;
    cause = entryAt(entries, entry.cause);
  }
  return causes;
}

const NONE: readonly string[] = [];

/** Asked of thousands: a path is not taken apart for it. */
function isAbout(entry: TimelineEntry, subjects: ReadonlySet<string>): boolean {
  if (subjects.size === 0) return false;
  if (entry.kind !== 'request') return subjectsOf(entry).some((subject) => subjects.has(subject));
  if (entry.key !== undefined && subjects.has(keySubject(entry.key))) return true;
  for (const subject of subjects) if (entry.path.includes(`/${subject}`)) return true;
  return false;
}

const keySubject = (key: string): string => `key ${key.toLowerCase()}`;

/** The subjects of an entry. */
function subjectsOf(entry: TimelineEntry): readonly string[] {
  switch (entry.kind) {
    case 'request': {
      const ids = resourcesIn(entry.path).flatMap(({ kind, id }) => (LASTING.has(kind) ? [] : [id]));
      return entry.key === undefined ? ids : [...ids, keySubject(entry.key)];
    }
    case 'change':
      return LASTING.has(entry.resource) ? NONE : [entry.id];
    case 'timer':
      return entry.id === entry.account ? NONE : [entry.id];
    case 'posting':
      return [entry.reference];
    case 'delivery':
      return [entry.delivery.eventId, entry.delivery.id, ...(entry.about === undefined ? [] : [entry.about])];
    default:
      return NONE;
  }
}
