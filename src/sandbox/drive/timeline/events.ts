import * as z from 'zod/mini';
import { checked, count } from '../../core/basics/checked.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { ENTRY_KINDS, type EntryKind, type GapEntry, type TimelineEntry } from './entries.js';
import { Follower } from './follower.js';

/** Options of `events`. */
export interface EventsOptions {
  /** Only entries with a higher `seq`; 0 for all that are kept. Default: entries from now on. */
  readonly after?: number | undefined;
  /** Kinds of entries, at least one. Default: all. */
  readonly kinds?: readonly EntryKind[] | undefined;
}

export const eventsOptions = z.strictObject({
  after: z.optional(count),
  kinds: z.optional(z.array(z.enum(ENTRY_KINDS)).check(z.minLength(1))),
});

/**
 * Follows a timeline.
 *
 * @param hears True to get changes without an entry, too, unless kinds are given.
 * @throws Error if it is not kept. TypeError for a wrong option.
 */
export function followerOf(method: string, timeline: Timeline, options: EventsOptions, hears = false): Follower {
  if (!timeline.isKept) throw new Error(`${method}: make the sandbox with the option inspect, which keeps the entries`);
  const { after = timeline.seq, kinds } = checked(method, eventsOptions, options);
  return new Follower(timeline, after, kinds, hears && kinds === undefined);
}

/** Yields the entries of a timeline as they are added. Ends when the sandbox closes. */
export function eventsOf(timeline: Timeline, options: EventsOptions): AsyncIterableIterator<TimelineEntry | GapEntry> {
  const follower = followerOf('events', timeline, options);
  const entries = entriesOf(follower);
  const events: AsyncIterableIterator<TimelineEntry | GapEntry> = {
    next: () => entries.next(),
    return() {
      // Ends at once, even while a read waits.
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
