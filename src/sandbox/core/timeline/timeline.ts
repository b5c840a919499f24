import { BoundedMap } from '../../../util/bounded-map.js';
import type { Announced } from '../basics/changes.js';
import type { Now } from '../clock/clock.js';
import type { AnyEntry, EntryHead, NewEntry } from './entries.js';
import { DEFAULT_LIMIT_ENTRIES, MAX_LIMIT_ENTRIES } from './limits.js';

/** Number of entries that are dropped at once: to drop each by itself would move all others. */
const SLACK_ENTRIES = 1_000;

/** Work under way, of which there will be an entry: a request, or a call of the controls. */
export interface Work extends EntryHead {
  /** Position of the entry. If something else happens before the work ends, it gets a later one. */
  seq: number;
  /** Entries that were noted as its effects. They follow the entry of the work. */
  held: AnyEntry[];
}

/** A reader that is woken by a new entry, and when the timeline closes. */
interface TimelineFollower {
  wake(): void;
  /** A part of the sandbox has changed, of which there is no entry. */
  hear(part: Announced): void;
}

/**
 * Events in their order: requests, changes, postings, timers, deliveries, controls, faults.
 * An entry has a higher `seq` than all that were added before it, so a reader can go on after the
 * last one that it has seen. A cause is added before its effects, though it ends after them.
 */
export class Timeline {
  readonly #clock: Now;
  readonly #isKept: boolean;
  readonly #limit: number;
  readonly #entries: AnyEntry[] = [];
  readonly #followers = new Set<TimelineFollower>();
  /** The works that take their time. */
  readonly #open = new Set<Work>();
  /** Later positions of entries, by their first position. */
  readonly #moved: BoundedMap<number, number>;
  readonly #listeners: ((entry: AnyEntry) => void)[] = [];
  #seq = 0;
  #isSilent = false;
  #lost = 0;
  #isClosed = false;
  #cause: number | undefined;
  /** The work to which the entries of this moment belong. */
  #work: Work | undefined;

  /**
   * `isKept` false: only the number of entries is known. A `limit` below the default or above the
   * maximum is taken as that.
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

  /** Maximum number of entries kept; 0 if none is. */
  get limit(): number {
    return this.#isKept ? this.#limit : 0;
  }

  /** The highest place that is taken. */
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

  /** Returns the entries after a place, oldest first, at most `limit`. */
  after(seq: number, limit: number = Number.POSITIVE_INFINITY): readonly AnyEntry[] {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.seq ?? 0) > seq) high = middle;
      else low = middle + 1;
    }
    return this.#entries.slice(low, low + limit);
  }

  /** Cause of an entry made now: pass it to `causedBy` after a wait. */
  get cause(): number | undefined {
    return this.#cause;
  }

  /** The place that an entry has now, which may have got a later one. */
  placeOf(seq: number): number {
    return this.#moved.get(seq) ?? seq;
  }

  /** Runs as the work of the entry with this `seq`: what is noted meanwhile names it as cause. */
  causedBy<T>(seq: number | undefined, run: () => T): T {
    if (seq === undefined) return run();
    const known = this.placeOf(seq);
    return this.#as(known, this.#work ?? this.#openWorkOf(known), run);
  }

  /** Begins work. `cause` is that of the work itself. */
  begin(cause: number | undefined = this.#cause): Work {
    this.#seq += 1;
    return { seq: this.#seq, at: this.#clock.now(), real: Date.now(), cause, held: [] };
  }

  /** Does a part of the work. If it returns a promise, the rest of it goes through `causedBy`. */
  within<T>(work: Work, run: () => T): T {
    const result = this.#as(work.seq, work, run);
    if (this.#isKept && result instanceof Promise) this.#open.add(work);
    return result;
  }

  /** Fixes the position of work that has ended: `end` follows at once. */
  place(work: Work): void {
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

  /** Runs something of which nothing is noted. */
  silently<T>(run: () => T): T {
    this.#isSilent = true;
    try {
      return run();
    } finally {
      this.#isSilent = false;
    }
  }

  /** Returns the function that ends it. */
  follow(follower: TimelineFollower): () => void {
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
    };
  }

  /** Tells the followers of a change that has no entry. */
  announce(part: Announced): void {
    for (const follower of this.#followers) follower.hear(part);
  }

  /** `listener` gets each new entry, for as long as the timeline lives. */
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

  /** One call may have more effects than are kept. */
  #hold({ held }: Work, entry: AnyEntry): void {
    held.push(entry);
    if (held.length > this.#limit + SLACK_ENTRIES) held.splice(0, SLACK_ENTRIES);
  }

  /** Something else happened since the work began: it and its effects go behind that. */
  #move(work: Work): void {
    const places = new Map<number, number>();
    const moved = (seq: number): number => {
      this.#seq += 1;
      places.set(seq, this.#seq);
      this.#moved.set(seq, this.#seq);
      return this.#seq;
    };
    work.seq = moved(work.seq);
    work.held = work.held.map((effect) => {
      const { cause = 0 } = effect;
      return Object.freeze({ ...effect, cause: places.get(cause) ?? cause, seq: moved(effect.seq) });
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
