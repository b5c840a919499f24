import {
  type AssetFilter,
  listPortfolioTransactions,
  type PortfolioTransaction,
  type PortfolioTransactionListParams,
} from '../../../resources/accounts/portfolio-transactions.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/kind/handler.js';
import type { Catalogue } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import { newestFirst } from '../../core/request/paging.js';
import { quantity } from '../shared/amounts.js';
import { type EntrySide, entries, type LedgerEntry } from '../shared/entries.js';
import { periodOf } from '../shared/period.js';
import { priceAt, VALUE_PLACES } from '../shared/valuation.js';

/** Types of entries that the API shows. Others, as withdrawals, are only in the ledger. */
const SHOWN_TYPES: readonly string[] = [
  ...['simple_order', 'simple_order_failed', 'price_trigger_swap', 'price_trigger_swap_failed'],
  ...['earn_reward', 'deposit'],
];

export const transactionHandlers: readonly Handler[] = [
  handle<AccountParams, PortfolioTransactionListParams>(listPortfolioTransactions, (state, { params, query }) => {
    const account = accountOf(state, params);
    const { types = [], assets = [] } = query;
    const { start = Number.NEGATIVE_INFINITY, end = Infinity } = periodOf(query);
    const [kinds, isSelected] = [types.length === 0 ? SHOWN_TYPES : types, selects(assets)];
    const isShown = ({ type, at, spend, receive }: LedgerEntry): boolean =>
      kinds.includes(type) &&
      at >= start &&
      at <= end &&
      [spend, receive].some((side) => side !== undefined && isSelected(side.asset));
    const items = [...account.records.of(entries).values()].filter(isShown).reverse();
    const { start_timestamp: from, end_timestamp: to } = query;
    const scope = [listPortfolioTransactions.name, account.id, types, assets, from, to];
    const page = state.pager.page({ scope, items, ...newestFirst }, query);
    return { ...page, data: page.data.map((entry) => transactionOf(state, entry)) };
  }),
];

function transactionOf(
  state: State,
  { id, at, type, status, spend, receive }: LedgerEntry,
): Wire<PortfolioTransaction> {
  const { catalogue } = state;
  return {
    id,
    timestamp: timestamp(at),
    type,
    status: status === 'completed' ? 'successful' : status,
    ...(spend === undefined ? {} : { spend: sideOf(catalogue, spend, at) }),
    ...(receive === undefined ? {} : { receive: sideOf(catalogue, receive, at) }),
  };
}

/** Amounts are valued in US dollars at the price of that time. */
function sideOf(catalogue: Catalogue, side: EntrySide, at: number): Wire<PortfolioTransaction>['spend'] {
  const asset = catalogue.keyed(side.asset);
  const price = priceAt(asset, catalogue.get('USD', 'fiat'), at);
  const valued = (text: string) => {
    const amount = new Money(text);
    return { ...quantity(asset, amount), amount_in_quote: amount.times(price).toFixed(VALUE_PLACES) };
  };
  const { sub_total, fee, total, balance } = side;
  return {
    timestamp: timestamp(at),
    sub_total: valued(sub_total),
    fee: valued(fee),
    total: valued(total),
    balance: valued(balance),
  };
}

/** Returns a function that is true for the keys of the filtered assets: all without filters. */
export function selects(filters: readonly AssetFilter[] = []): (key: string) => boolean {
  if (filters.length === 0) return () => true;
  return (key) => {
    const [ofType, ofSymbol] = key.split(':');
    return filters.some(({ symbol = ofSymbol, type = ofType }) => symbol === ofSymbol && type === ofType);
  };
}
