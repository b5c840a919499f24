import type { Timeline } from '../../core/timeline/timeline.js';
import type { TimelineEntry } from '../timeline/entries.js';

/** Maximum number of entries kept of one kind; the oldest are dropped first. */
const LIMIT_ENTRIES = 10_000;

/** Number of entries that are dropped together: dropping one at a time would move all others. */
const SLACK_ENTRIES = 1_000;

/** The entries of a log at the time of the call. */
interface EntryPage<Entry> {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  /** Number of older entries that were dropped. */
  readonly dropped: number;
}

/** The newest entries of one kind. Unlike in the timeline, other kinds do not push them out. */
export class RecentEntries<Kind extends TimelineEntry['kind']> {
  #entries: Extract<TimelineEntry, { kind: Kind }>[] = [];
  #dropped = 0;

  constructor(timeline: Timeline, kind: Kind) {
    if (!timeline.isKept) return;
    timeline.listen((entry) => {
      if (entry.kind === kind) this.#add(entry as Extract<TimelineEntry, { kind: Kind }>);
    });
  }

  read(): EntryPage<Extract<TimelineEntry, { kind: Kind }>> {
    const entries = this.#entries.slice(-LIMIT_ENTRIES);
    return { entries, dropped: this.#dropped + this.#entries.length - entries.length };
  }

  clear(): void {
    this.#entries = [];
    this.#dropped = 0;
  }

  #add(entry: Extract<TimelineEntry, { kind: Kind }>): void {
    this.#entries.push(entry);
    if (this.#entries.length <= LIMIT_ENTRIES + SLACK_ENTRIES) return;
    this.#entries.splice(0, SLACK_ENTRIES);
    this.#dropped += SLACK_ENTRIES;
  }
}
