import { checkGiven, type Rules, rule, wholeNumber } from '../../../util/options.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { ENTRY_KINDS, type EntryKind, type GapEntry, type TimelineEntry } from './entries.js';
import { Follower } from './follower.js';

/** Filter of the timeline's entries. */
export interface EventsOptions {
  /** Entries with a higher `seq` than this; 0 for all that are kept. Default: those from now on. */
  readonly after?: number | undefined;
  /** Kinds of entries, at least one. Default: all. */
  readonly kinds?: readonly EntryKind[] | undefined;
}

const EVENTS_RULES = {
  after: wholeNumber(0),
  kinds: rule(isListOfKinds, `must be one or more of ${ENTRY_KINDS.join(', ')}`, (value) =>
    Array.isArray(value) ? [...value] : value,
  ),
} satisfies Rules<EventsOptions>;

function isListOfKinds(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((kind) => ENTRY_KINDS.includes(kind));
}

/**
 * Follows a timeline.
 *
 * @param hears True for changes without an entry, too, if no kinds are wanted.
 * @throws Error if it is not kept. TypeError for a wrong option.
 */
export function followerOf(method: string, timeline: Timeline, options: EventsOptions, hears = false): Follower {
  if (!timeline.isKept) throw new Error(`${method}: make the sandbox with the option inspect, which keeps the entries`);
  const { after = timeline.seq, kinds } = checkGiven(method, options, EVENTS_RULES, TypeError);
  return new Follower(timeline, after, kinds, hears && kinds === undefined);
}

/** The entries of a timeline, one by one, as they come. Ends when the sandbox closes. */
export function eventsOf(timeline: Timeline, options: EventsOptions): AsyncIterableIterator<TimelineEntry | GapEntry> {
  const follower = followerOf('events', timeline, options);
  const entries = entriesOf(follower);
  const events: AsyncIterableIterator<TimelineEntry | GapEntry> = {
    next: () => entries.next(),
    return() {
      // A read that waits must not hold this up.
      follower.end();
      return entries.return(undefined);
    },
    [Symbol.asyncIterator]: () => events,
  };
  return events;
}

async function* entriesOf(follower: Follower): AsyncGenerator<TimelineEntry | GapEntry, undefined> {
  for (;;) {
    const entries = await follower.take();
    if (entries === undefined) return;
    yield* entries;
  }
}
