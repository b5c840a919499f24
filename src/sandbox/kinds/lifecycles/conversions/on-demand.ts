import type { OnDemandConversion } from '../../../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../../../schema/types.js';
import { DAY_MS, timestamp } from '../../../core/clock/clock.js';
import type { Task } from '../../../core/clock/task.js';
import type { AccountState, ConversionMoney, ConversionRecord, State } from '../../../core/records/state.js';
import { CONVERTING_FROM_BALANCE_MS, giveUp, payIn, payOut, SETTLING_MS, type Settlement } from './settling.js';

/** Time in each state. Money from a linked bank takes days to arrive. */
export const CONVERTING_MS = { bank: 3 * DAY_MS, balance: CONVERTING_FROM_BALANCE_MS } as const;

type ConversionTask = Extract<Task, { conversion: string }>;

/** `converting → settling | failed`. */
export function settleConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money, fails } = record;
  settleRecord(record, state.clock.now());
  if (money !== undefined) (fails ? giveUp : payIn)(state, account, settlementOf(record, money));
  if (fails) state.events.emit('conversion.quote_execution_failed', conversion);
  else state.clock.plan(state.clock.now() + SETTLING_MS, { ...task, kind: 'conversion.complete' });
}

/** `settling → completed`. */
export function completeConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money } = record;
  completeRecord(record, state.clock.now());
  if (money !== undefined) payOut(state, account, settlementOf(record, money));
  if (conversion.to.type !== 'balance') state.events.emit('conversion.withdrawal_completed', conversion);
}

/** `converting → settling | failed`, before its time. */
export function settleNow(state: State, { id: account }: AccountState, { conversion: { id } }: ConversionRecord): void {
  runNow(state, { kind: 'conversion.settle', account, conversion: id }, settleConversion);
}

/** `settling → completed`, before its time. */
export function completeNow(
  state: State,
  { id: account }: AccountState,
  { conversion: { id } }: ConversionRecord,
): void {
  runNow(state, { kind: 'conversion.complete', account, conversion: id }, completeConversion);
}

function runNow(state: State, task: ConversionTask, run: (state: State, task: ConversionTask) => void): void {
  state.clock.drop(
    ({ kind, ...planned }) => kind === task.kind && 'conversion' in planned && planned.conversion === task.conversion,
  );
  run(state, task);
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

function settlementOf({ conversion: { id, from, to } }: ConversionRecord, money: ConversionMoney): Settlement {
  return { reference: id, money, fromBalance: from.type === 'balance', toBalance: to.type === 'balance' };
}

function find({ accounts }: State, task: ConversionTask): [AccountState | undefined, ConversionRecord | undefined] {
  const account = accounts.get(task.account);
  return [account, account?.conversions.get(task.conversion)];
}
