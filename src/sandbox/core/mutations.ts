import type { BoundedMap } from '../../util/bounded-map.js';
import { atMoment, find } from './kind/find.js';
import type { Found, Kind, Owner } from './kind/kind.js';
import { checkTransition, REMOVED } from './kind/states.js';
import { type Asset, assetKey } from './market/catalogue.js';
import type { Party, Sum } from './money/ledger.js';
import { mementoOf, overflowOf } from './records/memento.js';
import type { RecordKind } from './records/records.js';
import type { AccountState, State } from './records/state.js';
import type { ChangeEntry, PostingEntry } from './timeline/entries.js';

/*
 * These functions make every change of a record or of money, so that the timeline and the state
 * file get each one.
 */

/**
 * Adds a record as the newest of its owner. Returns the records that were dropped because of the
 * limit.
 */
export function put<R, Of extends Owner>(state: State, kind: Kind<R, Of>, { account, id, record }: Found<R, Of>): R[] {
  const before = recordsIn(state, kind, account).get(id);
  const dropped = keep(state, kind, account, id, record);
  noteState(state, kind, { account, id, record }, before);
  return dropped;
}

/** Does the same for a record that is not a resource. */
export function keep<R>(state: State, kind: RecordKind<R>, account: Owner, id: string, record: R): R[] {
  const records = recordsIn(state, kind, account);
  if (!state.changes.isKept) return records.set(id, record);
  const dropped = overflowOf(records, id);
  const part = ['records', account?.id ?? '', kind.name] as const;
  state.changes.note([...part, id], () => written(records, id, true), mementoOf(records, id));
  for (const [droppedId] of dropped) {
    state.changes.note([...part, droppedId], () => undefined, nothing);
  }
  return records.set(id, record);
}

/** Replaces a record, which keeps its position. Returns the new record. */
export function change<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id }: Pick<Found<R, Of>, 'account' | 'id'>,
  record: R,
): R {
  const records = recordsIn(state, kind, account);
  const before = records.get(id);
  if (before === undefined) return record;
  noteRecord(state, kind, account, id, () => records.replace(id, before));
  records.replace(id, record);
  noteState(state, kind, { account, id, record }, before);
  return record;
}

/**
 * Changes the state of a record. `more` changes further members with it.
 *
 * @throws Error if the definition of the kind has no such transition.
 */
export function move<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  found: Found<R, Of>,
  to: string,
  more: (record: R) => R = (record) => record,
): R {
  const { stateOf, inState } = kind;
  if (stateOf === undefined || inState === undefined) throw new Error(`${kind.name} have no states`);
  checkTransition(kind, stateOf(found.record), to);
  return change(state, kind, found, inState(more(found.record), to, state.clock.now()));
}

/**
 * Finds a resource as it is now. One that has expired gets its final state.
 *
 * @param of Id of the account. Default: an owner of any id.
 */
export function findNow<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  id: string,
  of?: string,
): Found<R, Of> | undefined {
  const found = find(state, kind, id, of);
  if (found === undefined) return undefined;
  const record = atMoment(kind, found.record, state.clock.now());
  return record === found.record ? found : { ...found, record: change(state, kind, found, record) };
}

/** Removes a record. */
export function remove<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id, record }: Found<R, Of>,
): void {
  drop(state, kind, account, id);
  const from = kind.stateOf?.(record);
  if (from !== undefined) note(state, kind, { account, id, from, to: REMOVED });
}

/** Does the same for a record that is not a resource. */
export function drop<R>(state: State, kind: RecordKind<R>, account: Owner, id: string): void {
  const records = recordsIn(state, kind, account);
  if (state.changes.isKept) noteRecord(state, kind, account, id, mementoOf(records, id));
  records.delete(id);
}

/** Adds an account. */
export function open(state: State, account: AccountState): void {
  const { accounts, changes } = state;
  const { id } = account;
  changes.note(
    ['accounts', id],
    () => ({ id }),
    () => accounts.delete(id),
  );
  accounts.set(id, account);
  note(state, { name: 'accounts' }, { account: undefined, id, from: undefined, to: 'open' });
}

/** Gives a new account a first balance, which no other party pays. */
export function endow(state: State, account: AccountState, sum: Sum): void {
  if (sum.amount.isZero()) return;
  noteParty(state, account.holdings, sum.asset);
  account.holdings.receive(sum);
}

/**
 * Holds an amount for an order. Returns false and changes nothing if the available balance is
 * lower.
 */
export function hold(state: State, account: AccountState, sum: Sum): boolean {
  const { holdings } = account;
  if (!state.changes.isKept) return holdings.hold(sum);
  if (holdings.available(sum.asset).lt(sum.amount)) return false;
  noteParty(state, holdings, sum.asset);
  return holdings.hold(sum);
}

/** Releases an amount that an order holds. */
export function release(state: State, account: AccountState, sum: Sum): void {
  noteParty(state, account.holdings, sum.asset);
  account.holdings.release(sum);
}

/**
 * Moves money: one party receives exactly what the other pays.
 *
 * @param reference Id of the cause: a quote, a deposit, …
 */
export function post(state: State, sum: Sum, from: Party, to: Party, reference: string): void {
  const { asset, amount } = sum;
  if (amount.isZero()) return;
  for (const party of [from, to]) noteParty(state, party, asset);
  from.pay(sum);
  to.receive(sum);
  if (!state.timeline.isKept) return;
  state.timeline.note<PostingEntry>({
    ...{ kind: 'posting', from: from.name, to: to.name, asset: assetKey(asset), amount: amount.toFixed() },
    ...{ reference, fromBalance: from.total(asset).toFixed(), toBalance: to.total(asset).toFixed() },
  });
}

const nothing = (): void => {};

const recordsIn = <R>(state: State, kind: RecordKind<R>, account: Owner): BoundedMap<string, R> =>
  (account ?? state).records.of(kind);

/** A record as it is stored in a change. `newest`: the record becomes the newest of its owner. */
function written<R>(records: BoundedMap<string, R>, id: string, newest: boolean): unknown {
  const record = records.get(id);
  return record === undefined ? undefined : { record, newest };
}

function noteRecord<R>(state: State, kind: RecordKind<R>, account: Owner, id: string, undo: () => void): void {
  if (!state.changes.isKept) return;
  const records = recordsIn(state, kind, account);
  const part = ['records', account?.id ?? '', kind.name, id] as const;
  state.changes.note(part, () => written(records, id, false), undo);
}

/** Must be called before the change. */
function noteParty({ changes }: State, party: Party, asset: Asset): void {
  if (!changes.isKept) return;
  changes.note([...party.part, assetKey(asset)], () => party.saved(asset), party.memento(asset));
}

function noteState<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id, record }: Found<R, Of>,
  before: R | undefined,
): void {
  const { stateOf } = kind;
  if (stateOf === undefined) return;
  const [from, to] = [before === undefined ? undefined : stateOf(before), stateOf(record)];
  if (from !== to) note(state, kind, { account, id, from, to });
}

interface StateChange {
  readonly account: Owner;
  readonly id: string;
  readonly from: string | undefined;
  readonly to: string;
}

function note({ timeline }: State, { name: resource }: { readonly name: string }, { account, ...change }: StateChange) {
  if (!timeline.isKept) return;
  const of = account === undefined ? {} : { account: account.id };
  timeline.note<ChangeEntry>({ kind: 'change', resource, ...of, ...change });
}
