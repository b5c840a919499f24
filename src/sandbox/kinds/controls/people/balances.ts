import * as z from 'zod/mini';
import { post } from '../../../core/door.js';
import { accountNamed, amount, assetNamed, checked, type NamedAsset, namedAsset } from '../../../core/input.js';
import type { Asset } from '../../../core/market/catalogue.js';
import type { Sum } from '../../../core/money/ledger.js';
import { Money, written } from '../../../core/money/money.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { noteEntry } from '../../shared/entries.js';
import { payIn } from './own-users.js';

/** The balance to set: exactly one of `total` and `available`, decimal text. */
export interface BalanceInput extends NamedAsset {
  /** With what orders under way hold. */
  readonly total?: string | undefined;
  /** Without what orders under way hold. */
  readonly available?: string | undefined;
}

/** A balance of an account, as its portfolio shows it: decimal text. */
export interface SandboxBalance {
  readonly symbol: string;
  readonly type: string;
  readonly total: string;
  readonly available: string;
  /** The part that orders under way hold. */
  readonly open_orders: string;
}

const balanceInput = z.strictObject({ ...namedAsset, total: z.optional(amount), available: z.optional(amount) });

/** Pays the difference from outside, or to it. */
export function setBalance(state: State, accountId: string, given: BalanceInput): SandboxBalance {
  const METHOD = 'accounts.setBalance';
  const input = checked(METHOD, balanceInput, given);
  const account = accountNamed(state, METHOD, accountId);
  const asset = assetNamed(state, METHOD, input);
  const [total, held] = [account.holdings.total(asset), heldOf(account, asset)];
  const { total: wanted, available } = input;
  if ((wanted === undefined) === (available === undefined)) {
    throw new TypeError(`${METHOD}: exactly one of total and available must be given`);
  }
  const target = wanted === undefined ? held.plus(available ?? 0) : new Money(wanted);
  if (target.lt(held)) {
    throw new Error(`${METHOD}: orders hold ${held.toFixed()} ${asset.symbol}: the total cannot be below it`);
  }
  if (target.gt(total)) payIn(state, account, [{ asset, amount: target.minus(total) }]);
  else payOut(state, account, { asset, amount: total.minus(target) });
  return shownBalance(account, asset);
}

/** Pays everything that no order holds to the outside. */
export function emptyAccount(state: State, accountId: string): SandboxBalance[] {
  const account = accountNamed(state, 'accounts.empty', accountId);
  for (const { asset } of account.holdings.list()) {
    payOut(state, account, { asset, amount: account.holdings.available(asset) });
  }
  const left = account.holdings.list().filter(({ total }) => !total.isZero());
  return left.map(({ asset }) => shownBalance(account, asset));
}

function payOut(state: State, account: AccountState, sum: Sum): void {
  if (sum.amount.isZero()) return;
  const reference = state.random.uuid();
  post(state, sum, account.holdings, state.books.outside, reference);
  const spend = { asset: sum.asset, total: sum.amount };
  noteEntry(state, account, { type: 'withdrawal', reference, spend });
}

const heldOf = ({ holdings }: AccountState, asset: Asset) => holdings.total(asset).minus(holdings.available(asset));

function shownBalance(account: AccountState, asset: Asset): SandboxBalance {
  const { symbol, type, places } = asset;
  return {
    ...{ symbol, type, total: written(account.holdings.total(asset), places) },
    available: written(account.holdings.available(asset), places),
    open_orders: written(heldOf(account, asset), places),
  };
}
