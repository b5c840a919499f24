import { atMoment, find, recordsOf } from './kind/find.js';
import type { Found, Kind, Owner } from './kind/kind.js';
import { checkTransition, REMOVED } from './kind/states.js';
import { assetKey } from './market/catalogue.js';
import type { Party, Sum } from './money/ledger.js';
import type { RecordKind } from './records/records.js';
import type { AccountState, State } from './records/state.js';
import type { ChangeEntry, PostingEntry } from './timeline/entries.js';

/*
 * These functions make every change of a record, and every move of money between two parties, so
 * that the timeline gets each one.
 */

/** Adds a record as its owner's newest. Returns the records that the limit has dropped. */
export function put<R, Of extends Owner>(state: State, kind: Kind<R, Of>, { account, id, record }: Found<R, Of>): R[] {
  const before = recordsOf(state, kind, account).get(id);
  const dropped = keep(state, kind, account, id, record);
  noteState(state, kind, { account, id, record }, before);
  return dropped;
}

/** Does the same for a record that is not a resource. */
export function keep<R>(state: State, kind: RecordKind<R>, account: Owner, id: string, record: R): R[] {
  return recordsOf(state, kind, account).set(id, record);
}

/** Replaces a record, which keeps its position. Returns the new record. */
export function change<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id }: Pick<Found<R, Of>, 'account' | 'id'>,
  record: R,
): R {
  const records = recordsOf(state, kind, account);
  const before = records.get(id);
  if (before === undefined) return record;
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

/** Finds a resource as it is now, as `find` does. One that has expired gets its final state. */
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
  recordsOf(state, kind, account).delete(id);
}

export function open(state: State, account: AccountState): void {
  const { id } = account;
  state.accounts.set(id, account);
  note(state, { name: 'accounts' }, { account: undefined, id, from: undefined, to: 'open' });
}

/**
 * Moves money: one party receives exactly what the other pays.
 *
 * @param reference Id of the cause: a quote, a deposit, …
 */
export function post(state: State, sum: Sum, from: Party, to: Party, reference: string): void {
  const { asset, amount } = sum;
  if (amount.isZero()) return;
  from.pay(sum);
  to.receive(sum);
  if (!state.timeline.isKept) return;
  state.timeline.note<PostingEntry>({
    kind: 'posting',
    from: from.name,
    to: to.name,
    asset: assetKey(asset),
    amount: amount.toFixed(),
    reference,
    fromBalance: from.total(asset).toFixed(),
    toBalance: to.total(asset).toFixed(),
  });
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
