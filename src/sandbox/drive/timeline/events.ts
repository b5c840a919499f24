import * as z from 'zod/mini';
import type { Announced } from '../../core/basics/changes.js';
import { checked, count } from '../../core/basics/checked.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { ENTRY_KINDS, type EntryKind, entriesAfter, type GapEntry, type TimelineEntry } from './entries.js';

/** Options of `events`. */
export interface EventsOptions {
  /** Only entries with a higher `seq`; 0 for all that are stored. Default: entries from now on. */
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
 * @throws Error if it is not stored. TypeError for a wrong option.
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

/** Maximum number of entries that are read at once. */
const BATCH_ENTRIES = 500;

/** Reads a timeline while it grows. A slow reader gets an entry about what it has missed. */
export class Follower {
  readonly #timeline: Timeline;
  readonly #kinds: ReadonlySet<EntryKind> | undefined;
  readonly #unfollow: () => void;
  readonly #hears: boolean;
  readonly #changed = new Set<Announced>();
  #position: number;
  #hasEnded = false;
  #wake: () => void = () => {};

  /**
   * @param kinds Undefined: all.
   * @param hears True to get changes without an entry, too.
   */
  constructor(timeline: Timeline, position: number, kinds?: readonly EntryKind[], hears = false) {
    this.#timeline = timeline;
    this.#position = position;
    this.#kinds = kinds === undefined ? undefined : new Set(kinds);
    this.#hears = hears;
    this.#unfollow = timeline.follow({ wake: () => this.#wake(), hear: (part) => this.#hear(part) });
  }

  /** Resolves with the next entries, none after `patienceMs` or a change, undefined at the end. */
  async take(patienceMs?: number): Promise<readonly (TimelineEntry | GapEntry)[] | undefined> {
    let isLate = false;
    while (!this.#hasEnded && !this.#timeline.isClosed) {
      const entries = this.#next();
      if (entries.length > 0 || isLate || this.#changed.size > 0) return entries;
      isLate = await this.#wait(patienceMs);
    }
    this.end();
    return undefined;
  }

  /** Returns the parts that have changed without an entry since the last call. */
  takeChanged(): readonly Announced[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  end(): void {
    this.#hasEnded = true;
    this.#unfollow();
    this.#wake();
  }

  #hear(part: Announced): void {
    if (!this.#hears) return;
    this.#changed.add(part);
    this.#wake();
  }

  #next(): readonly (TimelineEntry | GapEntry)[] {
    const { lost, seq } = this.#timeline;
    // The reader's position is from another run of this sandbox, with higher positions.
    if (this.#position > seq || this.#position < lost) {
      const gap: GapEntry = { kind: 'gap', after: this.#position, next: lost + 1 };
      this.#position = lost;
      return [gap];
    }
    for (;;) {
      const entries = entriesAfter(this.#timeline, this.#position, BATCH_ENTRIES);
      this.#position = entries.at(-1)?.seq ?? this.#position;
      const wanted = entries.filter(({ kind }) => this.#kinds?.has(kind) ?? true);
      if (wanted.length > 0 || entries.length === 0) return wanted;
    }
  }

  /** Resolves with true if the time has passed first. */
  #wait(patienceMs: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = patienceMs === undefined ? undefined : setTimeout(() => resolve(true), patienceMs);
      // The reader's connection keeps the process alive, so the timer need not.
      timer?.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}
