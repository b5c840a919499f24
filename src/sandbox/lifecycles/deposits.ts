import type { DepositLimit } from '../../resources/funds/deposit-limits.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Wire } from '../../schema/types.js';
import { timestamp } from '../state/clock.js';
import { transfer } from '../state/ledger.js';
import { Money, written } from '../state/money.js';
import type { AccountState, State, Task } from '../state/state.js';
import { assetNamed, type NamedAsset } from './named.js';

/** Money that arrives from outside. */
export interface DepositInput extends NamedAsset {
  /** Decimal text above 0. */
  readonly amount: string;
  /** `method_id` of one of the asset's deposit limits; default: the first whose limits leave room. */
  readonly method_id?: string | undefined;
}

/** Credits a deposit at once. What is left of the method's limits shrinks by it for the length of their period. */
export function deposit(state: State, account: AccountState, input: DepositInput): Wire<DepositLimit> {
  const asset = assetNamed(state, 'deposit', input);
  const amount = new Money(input.amount);
  if (!amount.gt(0)) throw new TypeError('deposit: amount must be above 0');
  const limits = account.depositLimits.get(asset.symbol) ?? [];
  const candidates = limits.filter(({ method_id, maximum_amount: { type } }) => {
    // Limits are listed by symbol alone, which may be that of another class of assets as well.
    return type === asset.type && (input.method_id === undefined || method_id === input.method_id);
  });
  if (candidates.length === 0) throw new TypeError(`deposit: ${asset.symbol} has no such deposit method`);
  const limit = candidates.find((one) => leavesRoom(one, amount));
  if (limit === undefined) throw new Error('deposit: the amount is above the limits of the deposit method');
  for (const period of limit.period_limits) {
    use(period, amount.neg());
    state.clock.plan(state.clock.now() + period.period_seconds * 1000, {
      kind: 'limit.restore',
      account: account.id,
      symbol: asset.symbol,
      method: limit.method_id,
      period: period.period,
      amount: input.amount,
    });
  }
  transfer({ asset, amount }, state.books.outside, account.holdings);
  const { symbol, type, name } = asset;
  state.webhooks.emit('deposit.completed', {
    account: account.id,
    method_id: limit.method_id,
    asset: { symbol, type, name, amount: input.amount },
    created_at: timestamp(state.clock.now()),
  });
  return limit;
}

/** The period of a deposit is over. */
export function restoreLimit({ accounts }: State, task: Extract<Task, { kind: 'limit.restore' }>): void {
  const limits = accounts.get(task.account)?.depositLimits.get(task.symbol) ?? [];
  const limit = limits.find(({ method_id }) => method_id === task.method);
  const period = limit?.period_limits.find((one) => one.period === task.period);
  if (period !== undefined) use(period, new Money(task.amount));
}

type PeriodLimit = Wire<DepositLimit>['period_limits'][number];

function leavesRoom({ maximum_amount, period_limits }: Wire<DepositLimit>, amount: Decimal): boolean {
  return amount.lte(maximum_amount.amount) && period_limits.every(({ remaining }) => amount.lte(remaining));
}

function use(period: PeriodLimit, change: Decimal): void {
  const remaining = new Money(period.remaining).plus(change);
  period.remaining = written(remaining, decimalsOf(period.maximum));
}

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;
