import type { FaultKind } from '../../trouble/faults/fault-options.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { Delivery, DeliveryAttempt } from '../../webhooks/delivery.js';
import type { EntryHead } from '../../core/timeline/entry-head.js';

/** The state of a resource has changed, or the resource is new. */
export interface ChangeEntry extends EntryHead {
  readonly kind: 'change';
  /** The kind of the resource, for example `quotes`. */
  readonly resource: string;
  readonly id: string;
  readonly account?: string | undefined;
  /** Undefined: it is new. */
  readonly from?: string | undefined;
  /** The state that it has now, or `removed`. */
  readonly to: string;
}

/** Money has moved. */
export interface PostingEntry extends EntryHead {
  readonly kind: 'posting';
  /** The payer: the id of an account, or a book: `exchange`, `fees`, `outside`. */
  readonly from: string;
  /** The receiver: an account or a book, too. */
  readonly to: string;
  /** For example `crypto:BTC`. */
  readonly asset: string;
  /** An exact decimal number above 0. */
  readonly amount: string;
  /** The id of what moved it: a quote, conversion, deposit, withdrawal, transfer, … */
  readonly reference: string;
  /** The payer's balance afterwards; of a book, what it received less what it paid. */
  readonly fromBalance: string;
  /** The same of the receiver. */
  readonly toBalance: string;
}

/** A planned change became due. */
export interface TimerEntry extends EntryHead {
  readonly kind: 'timer';
  /** For example `quote.finish`. */
  readonly task: string;
  /** The id of what it is about. */
  readonly id: string;
  readonly account?: string | undefined;
}

/** An attempt to deliver a webhook is over. */
export interface DeliveryEntry extends EntryHead {
  readonly kind: 'delivery';
  readonly delivery: Pick<Delivery, 'id' | 'webhookId' | 'eventId' | 'type' | 'status' | 'reason' | 'nextAttemptAt'>;
  readonly attempt: DeliveryAttempt;
  /** `id`, else `ref_id`, of the event's data: what it is about. Undefined if it has neither. */
  readonly about?: string | undefined;
}

/** A method of the controls was called over HTTP. */
export interface ControlEntry extends EntryHead {
  readonly kind: 'control';
  /** For example `clock.advance`. */
  readonly method: string;
  readonly args: readonly unknown[];
  /** 200, or 400 if the sandbox refused the call. */
  readonly status: number;
  /** Reason of the refusal; undefined if there was none. */
  readonly problem?: string | undefined;
}

/** A fault, an outcome set ahead, a bad webhook or a scenario was added, struck or ended. */
export interface FaultEntry extends EntryHead {
  readonly kind: 'fault';
  /** For example `fault_1`, or the name of a scenario. */
  readonly id: string;
  /** `struck`: the `cause` is the request that it struck. */
  readonly what: 'added' | 'struck' | 'ended';
  /** The kind of fault that struck. */
  readonly fault?: FaultKind | undefined;
}

/** The clock was moved, stopped or started, or the sandbox was reset or restored. */
export interface ClockEntry extends EntryHead {
  readonly kind: 'clock';
  readonly what: 'advanced' | 'stopped' | 'started' | 'reset' | 'restored';
  /** Milliseconds by which it was moved. */
  readonly ms?: number | undefined;
}

/** One thing that happened. `kind` is also the name of its server-sent event. */
export type TimelineEntry =
  | JournalEntry
  | ChangeEntry
  | PostingEntry
  | TimerEntry
  | DeliveryEntry
  | ControlEntry
  | FaultEntry
  | ClockEntry;

/** Entries that a reader has missed: they were gone before it read them. */
export interface GapEntry {
  readonly kind: 'gap';
  /** The entry that the reader had last. */
  readonly after: number;
  /** `seq` of the first entry that can still follow. */
  readonly next: number;
}

/** The kinds of entries. */
export const ENTRY_KINDS: readonly EntryKind[] = [
  'request',
  'change',
  'posting',
  'timer',
  'delivery',
  'control',
  'fault',
  'clock',
];

export type EntryKind = TimelineEntry['kind'];

/** An entry without what the timeline adds. */
export type NewEntry<Entry = TimelineEntry> = Entry extends EntryHead ? Omit<Entry, 'seq' | 'at' | 'real'> : never;
