import * as z from 'zod/mini';
import { amount, assetNamed } from '../../core/input.js';
import type { Sum } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import { post } from '../../core/mutations.js';
import type { AccountState, State } from '../../core/records/state.js';
import { noteEntry } from './entries.js';

/** The first balances of an account. */
export const balancesByTicker = z.optional(z.record(z.string(), amount));

/** Reads balances by ticker: `BTC` or `crypto:BTC`. */
export function sumsOf(state: State, method: string, balances: Readonly<Record<string, string>> = {}): Sum[] {
  return Object.entries(balances).map(([name, value]) => {
    const [type = '', symbol] = name.split(':');
    const asset = assetNamed(state, method, symbol === undefined ? { symbol: type } : { symbol, asset_type: type });
    return { asset, amount: new Money(value) };
  });
}

/** Credits money from outside to the account. */
export function payIn(state: State, account: AccountState, sums: readonly Sum[]): void {
  for (const sum of sums) {
    if (sum.amount.isZero()) continue;
    const reference = state.random.uuid();
    post(state, sum, state.books.outside, account.holdings, reference);
    const receive = { asset: sum.asset, total: sum.amount };
    noteEntry(state, account, { type: 'deposit', reference, receive });
  }
}

/** Pays money of the account to the outside. */
export function payOut(state: State, account: AccountState, sum: Sum): void {
  if (sum.amount.isZero()) return;
  const reference = state.random.uuid();
  post(state, sum, account.holdings, state.books.outside, reference);
  const spend = { asset: sum.asset, total: sum.amount };
  noteEntry(state, account, { type: 'withdrawal', reference, spend });
}
