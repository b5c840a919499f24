import type { Announced } from '../../core/basics/changes.js';
import type { ChangeEntry, ClockEntry, EntryHead, PostingEntry, TimerEntry } from '../../core/timeline/entries.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { TroubleEntry } from '../../trouble/trouble.js';
import type { DeliveryEntry } from '../../webhooks/delivery/delivery.js';

/** A method of the controls was called over HTTP. */
export interface ControlEntry extends EntryHead {
  readonly kind: 'control';
  /** For example `clock.advance`. */
  readonly method: string;
  readonly args: readonly unknown[];
  /** 200, or 400 if the sandbox rejected the call. */
  readonly status: number;
  /** Reason of the rejection; undefined if there was none. */
  readonly problem?: string | undefined;
}

/** One entry of the timeline. `kind` is also the name of its server-sent event. */
export type TimelineEntry =
  | JournalEntry
  | ChangeEntry
  | PostingEntry
  | TimerEntry
  | DeliveryEntry
  | ControlEntry
  | TroubleEntry
  | ClockEntry;

/** Entries that a reader has missed, because they were dropped before it read them. */
export interface GapEntry {
  readonly kind: 'gap';
  /** `seq` of the last entry that the reader got. */
  readonly after: number;
  /** Lowest `seq` that can follow. */
  readonly next: number;
}

/**
 * Parts of the sandbox that have changed without an entry: settings that a program's methods set,
 * and messages in an inbox. Read them again. The event has no position in the timeline.
 */
export interface ChangedEvent {
  readonly kind: 'changed';
  /** Paths of the control plane, for example `settings`. */
  readonly what: readonly Announced[];
}

/** The kinds of entries. */
export const ENTRY_KINDS: readonly EntryKind[] = [
  'request',
  'change',
  'posting',
  'timer',
  'delivery',
  'control',
  'trouble',
  'clock',
];

export type EntryKind = TimelineEntry['kind'];

/** Returns the entries of a timeline after a position, oldest first, at most `limit`. */
export const entriesAfter = (timeline: Timeline, seq: number, limit?: number): readonly TimelineEntry[] =>
  timeline.after(seq, limit) as readonly TimelineEntry[];
