import * as z from 'zod/mini';
import type { DepositLimit } from '../../../../resources/funds/deposit-limits.js';
import type { Wire } from '../../../../schema/types.js';
import {
  accountNamed,
  amount,
  assetNamed,
  betweenTasks,
  checked,
  type NamedAsset,
  namedAsset,
  text,
} from '../../../core/input.js';
import { Money, written } from '../../../core/money/money.js';
import type { State } from '../../../core/records/state.js';
import { setPeriod } from '../../lifecycles/funds/deposit-limits.js';
import { methodsOf } from '../../lifecycles/funds/terms.js';

/** Deposit limits to set: at least one of the last three members, decimal text. */
export interface LimitInput extends NamedAsset {
  /** Of one deposit method. Default: of all methods of the asset. */
  readonly method_id?: string | undefined;
  /** Of one period, for example `daily`. Default: of all. */
  readonly period?: string | undefined;
  /** The rest of the period. */
  readonly remaining?: string | undefined;
  /** The limit of the period. The rest becomes the same, unless `remaining` is given. */
  readonly maximum?: string | undefined;
  /** The limit of one deposit. */
  readonly maximum_amount?: string | undefined;
}

/** `sandbox.limits`: the limits of deposits. */
export interface SandboxLimits {
  /**
   * Sets deposit limits of an account. What earlier deposits have used is not given back later.
   * Returns the limits that were set.
   *
   * @throws TypeError for wrong input and for an unknown asset. Error for an unknown account, an
   * asset without such a deposit method or period, and for more remaining than the maximum.
   */
  set(accountId: string, limits: LimitInput): Wire<DepositLimit>[];
}

const METHOD = 'limits.set';

const optional = z.optional(amount);
const limitInput = z.strictObject({
  ...{ ...namedAsset, method_id: z.optional(text), period: z.optional(text) },
  ...{ remaining: optional, maximum: optional, maximum_amount: optional },
});

export function limitControls(state: State): SandboxLimits {
  return { set: (accountId, limits) => betweenTasks(state, () => setLimits(state, accountId, limits)) };
}

function setLimits(state: State, accountId: string, given: LimitInput): Wire<DepositLimit>[] {
  const input = checked(METHOD, limitInput, given);
  const account = accountNamed(state, METHOD, accountId);
  const asset = assetNamed(state, METHOD, input);
  const { method_id, period: name, remaining, maximum, maximum_amount } = input;
  if (remaining === undefined && maximum === undefined && maximum_amount === undefined) {
    throw new TypeError(`${METHOD}: remaining, maximum or maximum_amount must be given`);
  }
  const limits = methodsOf(account, asset)
    .map(({ limit }) => limit)
    .filter((limit) => method_id === undefined || limit.method_id === method_id);
  if (limits.length === 0) throw new Error(`${METHOD}: ${asset.symbol} has no such deposit method`);
  const changes = limits.flatMap((limit) => {
    const periods = limit.period_limits.filter(({ period }) => name === undefined || period === name);
    if (periods.length === 0) throw new Error(`${METHOD}: the deposit method has no period ${name}`);
    return periods.map((period) => ({ limit, period, next: periodOf(period, remaining, maximum) }));
  });
  for (const { limit, period, next } of changes) {
    if (remaining !== undefined || maximum !== undefined) {
      setPeriod(state, account, limit, period, {
        remaining: written(new Money(next.remaining), asset.places),
        maximum: written(new Money(next.maximum), asset.places),
      });
    }
  }
  if (maximum_amount !== undefined) {
    for (const limit of limits) limit.maximum_amount.amount = written(new Money(maximum_amount), asset.places);
  }
  return limits;
}

/** Throws before anything is changed. */
function periodOf(
  present: { readonly remaining: string; readonly maximum: string },
  remaining: string | undefined,
  maximum: string | undefined,
): { remaining: string; maximum: string } {
  const next = { remaining: remaining ?? maximum ?? present.remaining, maximum: maximum ?? present.maximum };
  if (new Money(next.remaining).lte(next.maximum)) return next;
  throw new Error(`${METHOD}: the remaining ${next.remaining} is more than the maximum ${next.maximum}`);
}
