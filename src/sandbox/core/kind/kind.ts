import type * as z from 'zod/mini';
import type { Operation } from '../../../schema/operation.js';
import type { EventKind } from '../basics/events.js';
import type { Random } from '../basics/random.js';
import type { StepData } from '../clock/task.js';
import type { ApiKeyScope } from '../keys/scopes.js';
import type { AnyRecordKind, RecordKind } from '../records/records.js';
import type { AccountState, State } from '../records/state.js';
import type { Group } from './group.js';
import type { Handler } from './handler.js';

/** The owner of a record. Undefined: the record belongs to the partner. */
export type Owner = AccountState | undefined;

/** A record with its owner. A change makes a new record and leaves this one as it is. */
export interface Found<R, Of extends Owner = AccountState> {
  readonly account: Of;
  readonly id: string;
  readonly record: R;
}

/** A record that can be told to fail. */
export interface Failing {
  /** True if it will fail when it would succeed. */
  readonly fails: boolean;
}

/** A group of controls whose records belong to no kind of resources. */
export interface StateGroup extends Group<State> {
  /** Further kinds of records that the partner owns. */
  readonly moreOfPartner?: readonly AnyRecordKind[];
}

/**
 * A kind of resources. Everything else is made from this definition: operations, control methods in
 * code and over HTTP, timers, view on the page, saved form, events, outcomes.
 */
export interface Kind<R, Of extends Owner = AccountState> extends RecordKind<R>, Omit<StateGroup, 'name'> {
  /** Name for people, for example `on-chain quote`. */
  readonly noun: string;
  readonly owner: Of extends AccountState ? 'account' : 'partner';
  /** Ids are unique within one account only: a resource is identified by account and id. */
  readonly isNamedByAccount?: true;
  /** Returns the resources, if they are not records of their own. */
  readonly resources?: (state: State) => readonly Found<R, Of>[];
  /** Returns the id of a record's user. Default: the user of its account. */
  readonly userId?: (record: R) => string;
  /** Returns the state of a record. Absent: records of the kind have no state. */
  readonly stateOf?: (record: R) => string;
  /** Returns a copy of the record in another state. */
  readonly inState?: (record: R, state: string, now: number) => R;
  /** The states of new records. */
  readonly initial?: readonly string[];
  /** Effects of timers by the name of the step, for example `transfer.process`. */
  readonly steps?: Readonly<Record<string, Step<R, Of>>>;
  /** Expiry of a record. It needs no timer: every read checks it. */
  readonly expiry?: Expiry<R>;
  /** Name of the group of its methods. Default: the name of the kind. */
  readonly group?: string;
  /** Methods by which tests and programs move a resource on, by name. */
  readonly moves?: Readonly<Record<string, Move<R, Of>>>;
  /** Methods that the page offers beside the moves of a resource, for example `accounts.empty`. */
  readonly offers?: readonly string[];
  /** Name of the moves' argument for the resource's id, for example `transferId`. */
  readonly idName?: string;
  /** Transitions that no step and no move makes. */
  readonly transitions?: readonly Transition[];
  /** Returns the record as the API shows it. */
  readonly shown: (record: R, state: State, owner: Of) => unknown;
  /** Returns the result of a move. Default: the record as the API shows it. */
  readonly returned?: (record: R, state: State, owner: Of) => unknown;
  readonly operations?: readonly Handler[];
  /** Scope that writes need. */
  readonly scope?: ApiKeyScope;
  /** Outcomes that can be set for an operation's next effects. */
  readonly outcomes?: readonly OperationOutcomes[];
  /** The state whose event the partner must not miss. */
  readonly announced?: AnnouncedState;
  /** Events about the resource, each with a sample payload. */
  readonly events?: { readonly [Event in EventKind]?: Sample };
  /** Called when another state has replaced the whole state: drops cached data. */
  readonly replaced?: (state: State) => void;
  /** Undocumented behaviour that the sandbox had to choose. */
  readonly choices?: OwnChoices;
  /** Further kinds of records that are not resources. */
  readonly more?: readonly AnyRecordKind[];
}

/** A part of the API that has no resources of its own. */
export type Area = Pick<AnyKind, 'operations' | 'scope' | 'choices' | 'more'> & { readonly name: string };

/** A kind whose type of records is not known. */
export type AnyKind = Kind<never, never>;

/** A state whose event must be delivered. A check of the integration verifies it. */
export interface AnnouncedState {
  readonly state: string;
  readonly event: EventKind;
  /** Id of the check, for example `executed_quotes`. */
  readonly check: string;
  /** Sentence that is true if the check passed. */
  readonly title: string;
  /** What follows the number of such resources if the check failed. */
  readonly failure: readonly [one: string, several: string];
  /** Reason why it matters, and what to do if the check fails. */
  readonly meaning: string;
  /** Sentence about a resource whose event no webhook has accepted yet. */
  readonly pending: string;
}

/** A scheduled change. It does nothing if the record's state is not in `from`. */
export interface Step<R, Of extends Owner = AccountState> {
  readonly from: readonly string[];
  /** State that follows. Absent: the step leads to no other state, or to those in `transitions`. */
  readonly to?: string;
  /** States that follow after a move, by the name of the move. */
  readonly after?: Readonly<Record<string, string>>;
  /** Returns one sentence about its effect. */
  readonly effect: (id: string) => string;
  readonly run: (state: State, found: Found<R, Of>, data: StepData) => void;
}

/** A change at a time that the record contains. */
export interface Expiry<R> {
  /** Name in the agenda, for example `quote.expire`. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  /** Returns one sentence about its effect. */
  readonly effect: (id: string) => string;
  /** Returns the time in ms since the epoch. */
  readonly at: (record: R) => number;
}

/** A method that moves a resource on. */
export interface Move<R, Of extends Owner = AccountState> {
  /** The states in which it is allowed. */
  readonly from: readonly string[];
  /** Steps that it runs in turn, each instead of the scheduled one. */
  readonly steps?: readonly string[];
  /** The state that the move leads to. Absent: its steps determine that state. */
  readonly to?: string;
  /** Its arguments after the id, by name. */
  readonly takes?: Readonly<Record<string, z.core.$ZodType>>;
  /** Returns the possible last arguments in a state. Default: the method takes only the id. */
  readonly choices?: (state: string) => readonly string[];
  /** @throws Error if the move is not allowed for this record. */
  readonly check?: (found: Found<R, Of>) => void;
  /** Returns the result of the method. Default: `returned` of the kind. */
  readonly run?: (state: State, found: Found<R, Of>, ...args: never[]) => unknown;
}

/** The moves of a kind, one for each name. */
export type Moves<Name extends PropertyKey, R, Of extends Owner = AccountState> = {
  readonly [One in Name]: Move<R, Of>;
};

/** A transition from one state to another. */
export interface Transition {
  readonly from: string;
  readonly to: string;
  /** Name of the operation that makes it, for example `transfers.cancel`. */
  readonly by?: string;
}

/** A record that an operation has just created. */
interface Made {
  readonly state: State;
  /** Undefined if it belongs to no account. */
  readonly account: Owner;
  readonly id: string;
  readonly afterMs: number | undefined;
  readonly reason: string | undefined;
}

/** An outcome that can be set for an operation. */
export interface OutcomeKind {
  readonly summary: string;
  /** Names of the options that it accepts. */
  readonly takes?: readonly ('afterMs' | 'reason')[];
  /** Returns false if there is nothing to change. `shown` replaces the operation's response. */
  readonly apply: (made: Made) => boolean | { readonly shown: unknown };
}

/** The outcomes that can be set for an operation. */
export interface OperationOutcomes {
  readonly operation: Operation;
  /** Member of the response's `data` that contains the new id. */
  readonly id: string;
  readonly outcomes: Readonly<Record<string, OutcomeKind>>;
}

/** Resources from which a sample is made. */
export interface SampleSource {
  readonly state: State;
  readonly account: AccountState;
  /** Draws the same ids each time. */
  readonly random: Random;
  readonly now: string;
}

/** Returns a payload: of the sandbox's newest record, or a made-up one if there is none. */
export type Sample = (source: SampleSource) => object;

/**
 * Undocumented behaviour that the sandbox had to choose: sentences about what it does, by the name
 * of the operation. The real service may differ.
 */
export type OwnChoices = Readonly<Record<string, string | readonly string[]>>;
