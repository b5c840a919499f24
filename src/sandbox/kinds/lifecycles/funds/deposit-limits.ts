import type { DepositLimit } from '../../../../resources/funds/deposit-limits.js';
import type { Decimal } from '../../../../schema/decimal.js';
import type { Wire } from '../../../../schema/types.js';
import type { Task } from '../../../core/clock/task.js';
import { Money, written } from '../../../core/money/money.js';
import type { AccountState, State } from '../../../core/records/state.js';

type PeriodLimit = Wire<DepositLimit>['period_limits'][number];

export function hasRoom({ maximum_amount, period_limits }: Wire<DepositLimit>, amount: Decimal): boolean {
  return amount.lte(maximum_amount.amount) && period_limits.every(({ remaining }) => amount.lte(remaining));
}

/** Takes a deposit from the limits of its method, and plans when each period gives it back. */
export function takeFromLimit(
  { clock }: State,
  { id }: AccountState,
  limit: Wire<DepositLimit>,
  amount: Decimal,
): void {
  for (const period of limit.period_limits) {
    changeRemaining(period, amount.neg());
    clock.plan(clock.now() + period.period_seconds * 1000, {
      kind: 'limit.restore',
      account: id,
      symbol: limit.maximum_amount.symbol,
      method: limit.method_id,
      period: period.period,
      amount: amount.toFixed(),
    });
  }
}

export function restoreLimit({ accounts }: State, task: Extract<Task, { kind: 'limit.restore' }>): void {
  const limits = accounts.get(task.account)?.depositLimits.get(task.symbol) ?? [];
  const limit = limits.find(({ method_id }) => method_id === task.method);
  const period = limit?.period_limits.find((one) => one.period === task.period);
  if (period !== undefined) changeRemaining(period, new Money(task.amount));
}

/**
 * Sets what a period allows and what is left of it. Earlier deposits give nothing back any more.
 */
export function setPeriod(
  { clock }: State,
  { id }: AccountState,
  limit: Wire<DepositLimit>,
  period: PeriodLimit,
  amounts: Pick<PeriodLimit, 'remaining' | 'maximum'>,
): void {
  clock.dropAll(
    (task) =>
      task.kind === 'limit.restore' &&
      task.account === id &&
      task.method === limit.method_id &&
      task.period === period.period,
  );
  Object.assign(period, amounts);
}

function changeRemaining(period: PeriodLimit, change: Decimal): void {
  const remaining = new Money(period.remaining).plus(change);
  period.remaining = written(remaining, decimalsOf(period.maximum));
}

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;
