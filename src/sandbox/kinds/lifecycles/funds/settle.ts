import { timestamp } from '../../../core/clock/clock.js';
import type { StepTask } from '../../../core/clock/task.js';
import { post } from '../../../core/door.js';
import type { EventKind } from '../../../core/events.js';
import { assetRef, type WireAssetRef } from '../../../core/market/catalogue.js';
import { NOTHING } from '../../../core/money/ledger.js';
import { Money } from '../../../core/money/money.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { noteEntry } from '../../shared/entries.js';
import { type Funding, fundingOf, fundings, hasEnded, planStep } from './records.js';

/** A deposit as events show it. */
export interface SandboxDeposit {
  readonly ref_id: string;
  readonly account: string;
  readonly status: string;
  readonly method_id: string;
  /** Absent for money that did not come to an address. */
  readonly address?: string;
  /** The money that arrived, before the fee. */
  readonly asset: WireAssetRef & { readonly amount: string };
  readonly fee: string;
  readonly created_at: string;
}

/** A withdrawal as events show it. */
export interface SandboxWithdrawal {
  readonly ref_id: string;
  readonly account: string;
  readonly status: string;
  /** The name of its destination. */
  readonly key?: string;
  /** The amount that the destination gets. */
  readonly asset: WireAssetRef & { readonly amount: string };
  readonly fee: string;
  /** The amount that the account pays: amount and fee. */
  readonly total: string;
  readonly created_at: string;
}

/**
 * Keeps a new deposit or withdrawal. An account keeps its newest: a forgotten one that is under way
 * ends at once.
 */
export function keepFunding(state: State, account: AccountState, funding: Funding): void {
  for (const forgotten of account.records.of(fundings).set(funding.ref_id, funding)) {
    if (hasEnded(forgotten)) continue;
    state.clock.drop((task) => task.kind === 'step' && task.id === forgotten.ref_id);
    settle(state, account, forgotten);
    announceEnd(state, account, forgotten);
  }
}

/** `received → credited`, `sent → completed | failed`: the money moves. */
export function settle(state: State, account: AccountState, funding: Funding): void {
  if (funding.type === 'deposit') credit(state, account, funding);
  else finish(state, account, funding);
}

/** The account receives what the fee leaves. */
function credit(state: State, account: AccountState, funding: Funding): void {
  const { books } = state;
  const [asset, amount, fee] = moneyOf(state, funding);
  const total = amount.minus(fee);
  post(state, { asset, amount: total }, books.outside, account.holdings, funding.ref_id);
  post(state, { asset, amount: fee }, books.outside, books.fees, funding.ref_id);
  funding.status = 'credited';
  noteEntry(state, account, { type: 'deposit', reference: funding.ref_id, receive: { asset, total, fee } });
}

function finish(state: State, account: AccountState, funding: Funding): void {
  const { books } = state;
  const { holdings } = account;
  const [asset, amount, fee] = moneyOf(state, funding);
  const total = amount.plus(fee);
  holdings.release({ asset, amount: total });
  funding.status = funding.fails ? 'failed' : 'completed';
  if (funding.fails) return;
  post(state, { asset, amount }, holdings, books.outside, funding.ref_id);
  post(state, { asset, amount: fee, valueUsd: NOTHING }, holdings, books.fees, funding.ref_id);
  noteEntry(state, account, { type: 'withdrawal', reference: funding.ref_id, spend: { asset, total, fee } });
}

const moneyOf = ({ catalogue }: State, { symbol, asset_type, amount, fee }: Funding) =>
  [catalogue.get(symbol, asset_type), new Money(amount), new Money(fee)] as const;

export function shownDeposit({ catalogue }: State, { id }: AccountState, funding: Funding): SandboxDeposit {
  const { ref_id, symbol, asset_type, amount, fee, status, method_id = '', address, at } = funding;
  return {
    ...{ ref_id, account: id, status, method_id, ...(address === undefined ? {} : { address }) },
    asset: { ...assetRef(catalogue.get(symbol, asset_type)), amount },
    fee,
    created_at: timestamp(at),
  };
}

export function shownWithdrawal({ catalogue }: State, { id }: AccountState, funding: Funding): SandboxWithdrawal {
  const { ref_id, symbol, asset_type, amount, fee, status, key, at } = funding;
  return {
    ...{ ref_id, account: id, status, ...(key === undefined ? {} : { key }) },
    asset: { ...assetRef(catalogue.get(symbol, asset_type)), amount },
    fee,
    total: new Money(amount).plus(fee).toFixed(),
    created_at: timestamp(at),
  };
}

/** A step from one status to the next, after which another step is planned. */
interface Passage {
  readonly from: Funding['status'];
  readonly to: Funding['status'];
  /** The step that follows after `ms`. */
  readonly next: string;
  readonly ms: number;
}

/**
 * Moves a deposit or withdrawal on. One that has left the first status meanwhile stays as it is.
 */
export function moveOn(state: State, step: StepTask, { from, to, next, ms }: Passage): void {
  const [account, funding] = fundingOf(state, step);
  if (account === undefined || funding?.status !== from) return;
  funding.status = to;
  announce(state, account, funding, `${funding.type}.status_updated`);
  planStep(state, account, funding, next, ms);
}

/** Ends a deposit or withdrawal that still has the status `from`. */
export function moveToEnd(state: State, step: StepTask, from: Funding['status']): void {
  const [account, funding] = fundingOf(state, step);
  if (account === undefined || funding?.status !== from) return;
  settle(state, account, funding);
  announceEnd(state, account, funding);
}

/** Sends events about a deposit or a withdrawal. */
export function announce(state: State, account: AccountState, funding: Funding, ...kinds: readonly EventKind[]): void {
  const show = funding.type === 'deposit' ? shownDeposit : shownWithdrawal;
  const payload = { ...show(state, account, funding), updated_at: timestamp(state.clock.now()) };
  for (const kind of kinds) state.events.emit(kind, payload);
}

/** Sends the last status, and that it is the last. */
export function announceEnd(state: State, account: AccountState, funding: Funding): void {
  const { type, status } = funding;
  const end =
    type === 'deposit' ? 'deposit.completed' : status === 'failed' ? 'withdrawal.failed' : 'withdrawal.completed';
  announce(state, account, funding, `${type}.status_updated`, end);
}
