import { BoundedMap } from '../../../util/bounded-map.js';
import type { Announced } from '../basics/changes.js';
import type { Now } from '../clock/clock.js';
import type { AnyEntry, EntryHead, NewEntry } from './entries.js';

/** Default number of requests that the journal keeps, and of entries that the timeline keeps. */
export const DEFAULT_LIMIT_ENTRIES = 10_000;

/** Maximum number of entries that the timeline keeps, so that a page can hold all of them. */
export const MAX_LIMIT_ENTRIES = 100_000;

/** Number of entries that are dropped together: dropping one at a time would move all others. */
const SLACK_ENTRIES = 1_000;

/** Work under way that will have an entry: a request, or a call of the controls. */
export interface Work extends EntryHead {
  /** Position of the entry. It rises if something else happens before the work ends. */
  seq: number;
  /** Entries of its effects. They follow the entry of the work. */
  held: AnyEntry[];
}

/** A reader that is notified of new entries, and when the timeline closes. */
interface TimelineFollower {
  wake(): void;
  /** Called with a part of the sandbox that changed without an entry. */
  hear(part: Announced): void;
}

/**
 * Events in their order: requests, changes, postings, timers, deliveries, controls, faults. An
 * entry has a higher `seq` than all that were added before it. So a reader can continue after the
 * last entry that it has seen. A cause is added before its effects, even though it ends after them.
 */
export class Timeline {
  readonly #clock: Now;
  readonly #isKept: boolean;
  readonly #limit: number;
  readonly #entries: AnyEntry[] = [];
  readonly #followers = new Set<TimelineFollower>();
  /** Asynchronous work that has not ended. */
  readonly #open = new Set<Work>();
  /** New positions of entries that moved, by their first position. */
  readonly #moved: BoundedMap<number, number>;
  readonly #listeners: ((entry: AnyEntry) => void)[] = [];
  #seq = 0;
  #isSilent = false;
  #lost = 0;
  #isClosed = false;
  #cause: number | undefined;
  /** The work to which new entries belong. */
  #work: Work | undefined;

  /**
   * `isKept` false: only the number of entries is known. A `limit` is raised to the default, or
   * lowered to the maximum.
   */
  constructor(clock: Now, isKept: boolean, limit: number = DEFAULT_LIMIT_ENTRIES) {
    this.#clock = clock;
    this.#isKept = isKept;
    this.#limit = Math.min(MAX_LIMIT_ENTRIES, Math.max(DEFAULT_LIMIT_ENTRIES, limit));
    this.#moved = new BoundedMap(this.#limit);
  }

  /** True if entries are kept: the sandbox was made with `inspect`. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Maximum number of entries kept; 0 if entries are not kept. */
  get limit(): number {
    return this.#isKept ? this.#limit : 0;
  }

  /** Position of the newest entry. */
  get seq(): number {
    return this.#seq;
  }

  /** Position of the newest dropped entry; 0 if none was dropped. */
  get lost(): number {
    return this.#lost;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the entries after a position, oldest first, at most `limit`. */
  after(seq: number, limit: number = Number.POSITIVE_INFINITY): readonly AnyEntry[] {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.seq ?? 0) > seq) high = middle;
      else low = middle + 1;
    }
    return this.#entries.slice(low, low + limit);
  }

  /** Cause of an entry made now. Pass it to `causedBy` after asynchronous work. */
  get cause(): number | undefined {
    return this.#cause;
  }

  /** Returns the current position of an entry, which may have moved to a higher one. */
  positionOf(seq: number): number {
    return this.#moved.get(seq) ?? seq;
  }

  /** Runs code as part of the work with this `seq`: its entries have that as their cause. */
  causedBy<T>(seq: number | undefined, run: () => T): T {
    if (seq === undefined) return run();
    const known = this.positionOf(seq);
    return this.#as(known, this.#work ?? this.#openWorkOf(known), run);
  }

  /** Starts work. `cause` is the cause of the work itself. */
  begin(cause: number | undefined = this.#cause): Work {
    this.#seq += 1;
    return { seq: this.#seq, at: this.#clock.now(), real: Date.now(), cause, held: [] };
  }

  /** Runs a part of the work. If it returns a promise, the rest of the work uses `causedBy`. */
  within<T>(work: Work, run: () => T): T {
    const result = this.#as(work.seq, work, run);
    if (this.#isKept && result instanceof Promise) this.#open.add(work);
    return result;
  }

  /** Fixes the position of work that has ended. Call `end` right after it. */
  fixPosition(work: Work): void {
    if (this.#seq !== work.seq + work.held.length) this.#move(work);
  }

  /** Adds the entry of work that has ended, then the entries of its effects. */
  end<Entry extends AnyEntry = never>(work: Work, entry: Entry): void {
    if (!this.#isKept) return;
    this.#open.delete(work);
    this.#add(entry);
    for (const effect of work.held) this.#add(effect);
  }

  /** Notes what happened. Does nothing if entries are not kept. */
  note<Entry extends AnyEntry = never>(entry: NewEntry<Entry>): EntryHead | undefined {
    if (!this.#isKept || this.#isSilent) return undefined;
    this.#seq += 1;
    const head = { seq: this.#seq, at: this.#clock.now(), real: Date.now(), cause: this.#cause };
    const noted = Object.freeze({ ...head, ...entry }) as unknown as Entry;
    if (this.#work === undefined) this.#add(noted);
    else this.#hold(this.#work, noted);
    return head;
  }

  /** Runs code without noting its entries. */
  silently<T>(run: () => T): T {
    this.#isSilent = true;
    try {
      return run();
    } finally {
      this.#isSilent = false;
    }
  }

  /** Returns a function that stops following. */
  follow(follower: TimelineFollower): () => void {
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
    };
  }

  announce(part: Announced): void {
    for (const follower of this.#followers) follower.hear(part);
  }

  /** `listener` gets each new entry until the timeline closes. */
  listen(listener: (entry: AnyEntry) => void): void {
    this.#listeners.push(listener);
  }

  clear(): void {
    this.#drop(this.#entries.length);
  }

  close(): void {
    this.#isClosed = true;
    for (const follower of this.#followers) follower.wake();
  }

  #as<T>(cause: number, work: Work | undefined, run: () => T): T {
    const [causeBefore, workBefore] = [this.#cause, this.#work];
    this.#cause = cause;
    this.#work = work;
    try {
      return run();
    } finally {
      this.#cause = causeBefore;
      this.#work = workBefore;
    }
  }

  #openWorkOf(seq: number): Work | undefined {
    for (const work of this.#open) {
      if (work.seq === seq || work.held.some((effect) => effect.seq === seq)) return work;
    }
    return undefined;
  }

  /** A call may have more effects than the limit: the oldest are dropped. */
  #hold({ held }: Work, entry: AnyEntry): void {
    held.push(entry);
    if (held.length > this.#limit + SLACK_ENTRIES) held.splice(0, SLACK_ENTRIES);
  }

  /** Something else happened since the work began: the work and its effects move behind that. */
  #move(work: Work): void {
    const positions = new Map<number, number>();
    const moved = (seq: number): number => {
      this.#seq += 1;
      positions.set(seq, this.#seq);
      this.#moved.set(seq, this.#seq);
      return this.#seq;
    };
    work.seq = moved(work.seq);
    work.held = work.held.map((effect) => {
      const { cause = 0 } = effect;
      return Object.freeze({ ...effect, cause: positions.get(cause) ?? cause, seq: moved(effect.seq) });
    });
  }

  #add(entry: AnyEntry): void {
    this.#entries.push(entry);
    for (const listener of this.#listeners) listener(entry);
    if (this.#entries.length > this.#limit + SLACK_ENTRIES) this.#drop(SLACK_ENTRIES);
    for (const follower of this.#followers) follower.wake();
  }

  #drop(count: number): void {
    this.#lost = this.#entries.splice(0, count).at(-1)?.seq ?? this.#lost;
  }
}
