import * as z from 'zod/mini';
import type { DepositLimit } from '../../resources/funds/deposit-limits.js';
import type { Wire } from '../../schema/types.js';
import { hasRoom, takeFromLimit } from '../lifecycles/deposit-limits.js';
import { noteEntry } from '../lifecycles/entries.js';
import { timestamp } from '../state/clock.js';
import { transfer } from '../state/ledger.js';
import { Money } from '../state/money.js';
import type { State } from '../state/state.js';
import { accountNamed, amount as amountText, assetNamed, checked, type NamedAsset, namedAsset, text } from './input.js';

/** Money that arrives from outside. */
export interface DepositInput extends NamedAsset {
  /** Decimal text above 0. */
  readonly amount: string;
  /** `method_id` of one of the asset's deposit limits. Default: the first that leaves room. */
  readonly method_id?: string | undefined;
}

const depositInput = z.strictObject({ ...namedAsset, amount: amountText, method_id: z.optional(text) });

const METHOD = 'accounts.deposit';

/** Credits a deposit at once, and takes it from the limits of its method. */
export function deposit(state: State, accountId: string, given: DepositInput): Wire<DepositLimit> {
  const input = checked(METHOD, depositInput, given);
  const account = accountNamed(state, METHOD, accountId);
  const asset = assetNamed(state, METHOD, input);
  const amount = new Money(input.amount);
  if (!amount.gt(0)) throw new TypeError(`${METHOD}: amount must be above 0`);
  const limits = account.depositLimits.get(asset.symbol) ?? [];
  const candidates = limits.filter(({ method_id, maximum_amount: { type } }) => {
    // Limits are listed by symbol, which two classes of assets may share.
    return type === asset.type && (input.method_id === undefined || method_id === input.method_id);
  });
  if (candidates.length === 0) throw new TypeError(`${METHOD}: ${asset.symbol} has no such deposit method`);
  const limit = candidates.find((one) => hasRoom(one, amount));
  if (limit === undefined) throw new Error(`${METHOD}: the amount is above the limits of the deposit method`);
  takeFromLimit(state, account, limit, amount);
  transfer({ asset, amount }, state.books.outside, account.holdings);
  noteEntry(state, account, { type: 'deposit', reference: state.random.uuid(), receive: { asset, total: amount } });
  const { symbol, type, name } = asset;
  state.webhooks.emit('deposit.completed', {
    account: account.id,
    method_id: limit.method_id,
    asset: { symbol, type, name, amount: input.amount },
    created_at: timestamp(state.clock.now()),
  });
  return limit;
}
