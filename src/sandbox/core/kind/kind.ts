import type * as z from 'zod/mini';
import type { Operation } from '../../../schema/operation.js';
import type { EventKind } from '../basics/events.js';
import type { Random } from '../basics/random.js';
import type { StepData } from '../clock/task.js';
import type { ApiKeyScope } from '../keys/scopes.js';
import type { AnyRecordKind, RecordKind } from '../records/records.js';
import type { AccountState, State } from '../records/state.js';
import type { Handler } from './handler.js';

/** The owner of a record. Undefined: the record belongs to the partner. */
export type Owner = AccountState | undefined;

/** A record with its owner. A change makes a new record: this one stays as it was. */
export interface Found<R, Of extends Owner = AccountState> {
  readonly account: Of;
  readonly id: string;
  readonly record: R;
}

/** Methods and members of the controls that belong together, for example `sandbox.prices`. */
export interface Group {
  readonly name: string;
  /** Methods beside the moves. `list` is also read with GET, and each of its items by its id. */
  readonly methods?: Readonly<Record<string, Method>>;
  /** Members that are read, by name. */
  readonly members?: Readonly<Record<string, (state: State) => unknown>>;
  /** The method that `DELETE` calls with the id of a resource. */
  readonly removal?: string;
  /** Changes that are planned and about no record, by the name of the step. */
  readonly timers?: Readonly<Record<string, Timer>>;
  /** Records of the partner that it keeps. */
  readonly moreOfPartner?: readonly AnyRecordKind[];
}

/** A planned change that is about no record. */
interface Timer {
  /** A sentence about its effect. */
  readonly effect: string;
  readonly run: (state: State) => void;
}

/** A method of a group. */
export interface Method {
  /** The names of its arguments; one that may be left out ends with `?`. */
  readonly takes: readonly string[];
  /** Of `list`: the member of an item that has its id. */
  readonly id?: string;
  /** It checks its arguments itself. */
  readonly run: (state: State, ...args: never[]) => unknown;
}

/** The methods of a group, one for each of these names. */
export type Methods<Name extends PropertyKey> = { readonly [One in Name]: Method };

/**
 * A kind of resources: the one definition from which the rest is made. Its operations, its methods
 * in the controls and over HTTP, its timers, its picture, its saved form, its events, its outcomes.
 */
export interface Kind<R, Of extends Owner = AccountState> extends RecordKind<R>, Omit<Group, 'name'> {
  /** For people, for example `on-chain quote`. */
  readonly noun: string;
  readonly owner: Of extends AccountState ? 'account' : 'partner';
  /** Ids are unique in one account alone: resources are named by the account and the id. */
  readonly isNamedByAccount?: true;
  /** Returns its resources, if they are no records of their own. */
  readonly resources?: (state: State) => readonly Found<R, Of>[];
  /** The id of the user of a record. Default: that of its account. */
  readonly userId?: (record: R) => string;
  /** Returns the state of a record. Absent: the kind has no states. */
  readonly stateOf?: (record: R) => string;
  /** Returns a copy of the record in another state. */
  readonly inState?: (record: R, state: string, now: number) => R;
  /** The states in which records begin. */
  readonly initial?: readonly string[];
  /** What timers do, by the name of the step, for example `transfer.process`. */
  readonly steps?: Readonly<Record<string, Step<R, Of>>>;
  /** The end of a record that needs no timer: each look finds out. */
  readonly expiry?: Expiry<R>;
  /** The group of its methods. Default: its name. */
  readonly group?: string;
  /** What tests and programs do with a resource, by the name of the method. */
  readonly moves?: Readonly<Record<string, Move<R, Of>>>;
  /** Methods beside the moves that the page offers for each, for example `accounts.empty`. */
  readonly offers?: readonly string[];
  /** The argument of the moves that names the resource, for example `transferId`. */
  readonly idName?: string;
  /** Ways from one state to another that no step and no move leads. */
  readonly ways?: readonly Way[];
  /** Returns the record as the API shows it. */
  readonly shown: (record: R, state: State, owner: Of) => unknown;
  /** Returns what a move returns. Default: the record as the API shows it. */
  readonly returned?: (record: R, state: State, owner: Of) => unknown;
  readonly operations?: readonly Handler[];
  /** The scope that writes need. */
  readonly scope?: ApiKeyScope;
  /** The ends that an operation's next effects may be given. */
  readonly outcomes?: readonly OperationOutcomes[];
  /** The state whose event the partner must not miss. */
  readonly announced?: AnnouncedState;
  /** The events about the resource, each with a payload to try it with. */
  readonly events?: { readonly [Event in EventKind]?: Sample };
  /** Drops what it knew of the state before, since another one is in place. */
  readonly replaced?: (state: State) => void;
  /** Facts that no documentation has, as the sandbox decided them. */
  readonly choices?: readonly OwnChoice[];
  /** Further records that it keeps, which are no resources. */
  readonly more?: readonly AnyRecordKind[];
}

/** A part of the API that has no resources of its own. */
export type Area = Pick<AnyKind, 'operations' | 'scope' | 'choices' | 'more'> & { readonly name: string };

/** A kind whose type of records is not known. */
export type AnyKind = Kind<never, never>;

/** A state whose event must be delivered: a check of the integration. */
export interface AnnouncedState {
  readonly state: string;
  readonly event: EventKind;
  /** Id of the check, for example `executed_quotes`. */
  readonly check: string;
  /** The fact that is true if the check passed. */
  readonly title: string;
  /** Why it matters, and what to do if it fails. */
  readonly meaning: string;
  /** A sentence about a resource whose event no webhook has taken yet. */
  readonly pending: string;
}

/** A planned change. It does nothing in a state that is not in `from`. */
export interface Step<R, Of extends Owner = AccountState> {
  readonly from: readonly string[];
  /** The state that it leads to. Absent: `ways` tell where it leads, or it leads nowhere else. */
  readonly to?: string;
  /** The state that it leads to after the move that is named. */
  readonly after?: Readonly<Record<string, string>>;
  /** Returns a sentence about its effect. */
  readonly effect: (id: string) => string;
  readonly run: (state: State, found: Found<R, Of>, data: StepData) => void;
}

/** A change that takes place at a moment which the record has. */
export interface Expiry<R> {
  /** Its name in the agenda, for example `quote.expire`. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  /** After which time, for example `30 s`. */
  readonly by: string;
  /** Returns a sentence about its effect. */
  readonly effect: (id: string) => string;
  /** In ms since the epoch. */
  readonly at: (record: R) => number;
}

/** A method that moves a resource on. */
export interface Move<R, Of extends Owner = AccountState> {
  /** The states that allow it. */
  readonly from: readonly string[];
  /** Steps that it runs in turn, each in place of the planned one. */
  readonly steps?: readonly string[];
  /** The state that it leads to by itself. */
  readonly to?: string;
  /** Its arguments after the id, by name. */
  readonly takes?: Readonly<Record<string, z.core.$ZodType>>;
  /** The last arguments of calls that a state allows. Default: the id alone is given. */
  readonly choices?: (state: string) => readonly string[];
  /** @throws Error if this record cannot be moved so. */
  readonly check?: (found: Found<R, Of>) => void;
  /** Returns what the method returns. Default: as the kind says. */
  readonly run?: (state: State, found: Found<R, Of>, ...args: never[]) => unknown;
}

/** The moves of a kind, one for each method of these names. */
export type Moves<Name extends PropertyKey, R, Of extends Owner = AccountState> = {
  readonly [One in Name]: Move<R, Of>;
};

/** A way from one state to another. */
export interface Way {
  readonly from: string;
  readonly to: string;
  /** Name of the step, move or operation, for example `transfers.cancel`. */
  readonly by: string;
}

/** The record that an operation has just made. */
interface Made {
  readonly state: State;
  /** Undefined if it belongs to no account. */
  readonly account: Owner;
  readonly id: string;
  readonly ms: number | undefined;
  readonly reason: string | undefined;
}

/** An outcome that an operation may have. */
export interface OutcomeKind {
  readonly summary: string;
  /** The options that it takes. */
  readonly takes?: readonly ('ms' | 'reason')[];
  /** The reasons that it takes. Undefined: any text. */
  readonly reasons?: readonly string[];
  /**
   * Returns false if there is nothing that it could change. `shown`: what the operation answers
   * in place of what it has made.
   */
  readonly apply: (made: Made) => boolean | { readonly shown: unknown };
}

/** The outcomes that an operation may have. */
export interface OperationOutcomes {
  readonly operation: Operation;
  /** The member of the answer's `data` that has the id of what was made. */
  readonly id: string;
  readonly outcomes: Readonly<Record<string, OutcomeKind>>;
}

/** The resources that a sample is made from. */
export interface SampleSource {
  readonly state: State;
  readonly account: AccountState;
  /** Draws the same ids each time. */
  readonly random: Random;
  readonly now: string;
}

/** Returns a payload: of the newest record of the sandbox, else one made up in its form. */
export type Sample = (source: SampleSource) => object;

/** A fact without documentation, so the sandbox had to choose. */
export interface OwnChoice {
  /** The operation, for example `funds.withdrawals.create`; `''` for all. */
  readonly operation: string;
  /** A sentence about what the sandbox does. The real service may do otherwise. */
  readonly choice: string;
}
