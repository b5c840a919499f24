/** The common members of all entries of the timeline. */
export interface EntryHead {
  /** Position among all entries of a sandbox: 1 is the oldest. A reset does not start it again. */
  readonly seq: number;
  /** Time by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** Time by the machine's clock: milliseconds since the epoch. */
  readonly real: number;
  /** `seq` of the entry that caused it: a request, a timer or a call of the controls. */
  readonly cause?: number | undefined;
}

/** An entry of any kind. Each part of the sandbox defines the kinds of its own entries. */
export interface AnyEntry extends EntryHead {
  readonly kind: string;
}

/** An entry without the members that the timeline adds. */
export type NewEntry<Entry extends AnyEntry> = Omit<Entry, 'seq' | 'at' | 'real'>;

/** The state of a resource has changed, or the resource is new. */
export interface ChangeEntry extends EntryHead {
  readonly kind: 'change';
  /** The kind of the resource, for example `quotes`. */
  readonly resource: string;
  readonly id: string;
  readonly account?: string | undefined;
  /** The state before the change. Undefined if the resource is new. */
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

/** A scheduled change became due. */
export interface TimerEntry extends EntryHead {
  readonly kind: 'timer';
  /** For example `quote.finish`. */
  readonly task: string;
  /** Id of the subject, for example of a quote. */
  readonly id: string;
  readonly account?: string | undefined;
}

/** The clock was moved, stopped or started, or the sandbox was reset or restored. */
export interface ClockEntry extends EntryHead {
  readonly kind: 'clock';
  readonly what: 'advanced' | 'stopped' | 'started' | 'reset' | 'restored';
  /** Milliseconds by which it was moved. */
  readonly ms?: number | undefined;
}
