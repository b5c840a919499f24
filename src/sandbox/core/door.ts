import { recordsOf } from './kind/find.js';
import type { Found, Kind, Owner } from './kind/kind.js';
import { checkWay } from './kind/states.js';
import { assetKey } from './market/catalogue.js';
import type { Party, Sum } from './money/ledger.js';
import type { State } from './records/state.js';
import type { ChangeEntry, PostingEntry } from './timeline/entries.js';

/*
 * The one door of the state: every change of a record or of money goes through it, so the timeline
 * hears of each.
 */

/** Puts a record in place as the newest of its owner. Returns those that were forgotten for it. */
export function put<R, Of extends Owner>(state: State, kind: Kind<R, Of>, { account, id, record }: Found<R, Of>): R[] {
  const records = recordsOf(state, kind, account);
  const before = records.get(id);
  const forgotten = records.set(id, record);
  noteState(state, kind, { account, id, record }, before);
  return forgotten;
}

/** Changes a record, which keeps its place. Returns the new one. */
export function change<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id }: Found<R, Of>,
  record: R,
): R {
  const records = recordsOf(state, kind, account);
  const before = records.get(id);
  records.replace(id, record);
  noteState(state, kind, { account, id, record }, before);
  return record;
}

/**
 * Moves a record to another state. `more`: further members that change with it.
 *
 * @throws Error if the definition of the kind has no way there.
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
  checkWay(kind, stateOf(found.record), to);
  return change(state, kind, found, inState(more(found.record), to, state.clock.now()));
}

/** Removes a record. */
export function remove<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { account, id, record }: Found<R, Of>,
): void {
  recordsOf(state, kind, account).delete(id);
  const from = kind.stateOf?.(record);
  if (from !== undefined) note(state, kind, { account, id, from, to: 'removed' });
}

/**
 * Moves money: the one side receives what the other pays, to the last digit.
 *
 * @param reference The id of what moves it: a quote, a deposit, …
 */
export function post({ timeline }: State, sum: Sum, from: Party, to: Party, reference: string): void {
  const { asset, amount } = sum;
  if (amount.isZero()) return;
  from.pay(sum);
  to.receive(sum);
  if (!timeline.isKept) return;
  timeline.note<PostingEntry>({
    ...{ kind: 'posting', from: from.name, to: to.name, asset: assetKey(asset), amount: amount.toFixed() },
    ...{ reference, fromBalance: from.total(asset).toFixed(), toBalance: to.total(asset).toFixed() },
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
