import type { OnDemandConversion } from '../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../schema/types.js';
import { DAY_MS, timestamp } from '../state/clock.js';
import { costUsd, NOTHING, transfer } from '../state/ledger.js';
import type { AccountState, ConversionMoney, ConversionRecord, State } from '../state/state.js';
import type { Task } from '../state/task.js';
import { type Movement, noteEntry } from './entries.js';

/** Time in each state. Money from a linked bank takes days to arrive. */
export const CONVERTING_MS = { bank: 3 * DAY_MS, balance: 30_000 } as const;
export const SETTLING_MS = 90_000;

type ConversionTask = Extract<Task, { conversion: string }>;

/** `converting → settling | failed`. */
export function settleConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money, fails } = record;
  settleRecord(record, state.clock.now());
  if (money !== undefined) moveIn(state, account, record, money);
  if (fails) state.webhooks.emit('conversion.quote_execution_failed', conversion);
  else state.clock.plan(state.clock.now() + SETTLING_MS, { ...task, kind: 'conversion.complete' });
}

/** `settling → completed`. */
export function completeConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money } = record;
  completeRecord(record, state.clock.now());
  if (money !== undefined) moveOut(state, account, record, money);
  if (conversion.to.type !== 'balance') state.webhooks.emit('conversion.withdrawal_completed', conversion);
}

/** Writes a state into a conversion. The seed also uses it for past states. */
export function settleRecord({ conversion, fails }: ConversionRecord, at: number): void {
  conversion.status = fails ? 'failed' : 'settling';
  conversion.updated_at = timestamp(at);
  if (!fails) settleEndpoint(conversion.from);
}

export function completeRecord({ conversion, references }: ConversionRecord, at: number): void {
  conversion.status = 'completed';
  conversion.updated_at = timestamp(at);
  settleEndpoint(conversion.to);
  if (conversion.to.type === 'wallet') conversion.transaction_references = { to: references };
}

function settleEndpoint(side: Wire<OnDemandConversion>['from']): void {
  if (side.type === 'balance' || side.type === 'wallet') side.status = 'settled';
}

/** The source pays the exchange and the fees; if it fails, it is released. */
function moveIn(state: State, account: AccountState, record: ConversionRecord, money: ConversionMoney): void {
  const { books } = state;
  const { conversion, fails } = record;
  const { from: asset, gross, fromFee, tradeFee } = money;
  const isBalance = conversion.from.type === 'balance';
  if (isBalance) account.holdings.release({ asset, amount: gross });
  if (fails) {
    note(state, account, conversion, {
      ...{ type: 'simple_order_failed', status: 'failed' },
      ...{ spend: { asset, total: gross }, receive: { asset: money.to, total: money.net } },
    });
    return;
  }
  const payer = isBalance ? account.holdings : books.outside;
  const fee = fromFee.plus(tradeFee);
  const exchanged = gross.minus(fee);
  // The payout fee, taken at the end, lowers the proceeds of the source.
  const valueUsd = exchanged.times(asset.usd).minus(money.toFee.times(money.to.usd));
  transfer({ asset, amount: exchanged, valueUsd }, payer, books.exchange);
  transfer({ asset, amount: fee, valueUsd: NOTHING }, payer, books.fees);
  note(state, account, conversion, { type: 'simple_order', spend: { asset, total: gross, fee, valueUsd } });
}

function moveOut(state: State, account: AccountState, { conversion }: ConversionRecord, money: ConversionMoney): void {
  const { books } = state;
  const { from, gross, to: asset, net, toFee } = money;
  transfer({ asset, amount: toFee }, books.exchange, books.fees);
  const recipient = conversion.to.type === 'balance' ? account.holdings : books.outside;
  const valueUsd = costUsd(from, gross);
  transfer({ asset, amount: net, valueUsd }, books.exchange, recipient);
  note(state, account, conversion, { type: 'simple_order', receive: { asset, total: net, valueUsd } });
}

/** Notes what the account's balances give and get. Banks and wallets are not part of it. */
function note(
  state: State,
  account: AccountState,
  { id: reference, from, to }: Wire<OnDemandConversion>,
  { spend, receive, ...movement }: Omit<Movement, 'reference'>,
): void {
  const sides = {
    spend: from.type === 'balance' ? spend : undefined,
    receive: to.type === 'balance' ? receive : undefined,
  };
  if (sides.spend ?? sides.receive) noteEntry(state, account, { ...movement, ...sides, reference });
}

function find({ accounts }: State, task: ConversionTask): [AccountState | undefined, ConversionRecord | undefined] {
  const account = accounts.get(task.account);
  return [account, account?.conversions.get(task.conversion)];
}
