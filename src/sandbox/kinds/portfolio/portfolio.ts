import {
  getPortfolioSummary,
  listPortfolioDetails,
  type PortfolioDetailsParams,
  type PortfolioEntry,
  type PortfolioSummary,
  type PortfolioSummaryParams,
} from '../../../resources/accounts/portfolio.js';
import type { Wire } from '../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/kind/handler.js';
import type { Asset } from '../../core/market/catalogue.js';
import { type Holding, type Holdings, NOTHING } from '../../core/money/ledger.js';
import { priceIn, written } from '../../core/money/money.js';
import { quoteOf, quoteRef, sumOf, VALUE_PLACES } from '../shared/valuation.js';

const PRICE_DIGITS = 10;

export const portfolioHandlers: readonly Handler[] = [
  handle<AccountParams, PortfolioDetailsParams>(listPortfolioDetails, (state, { params, query }) => {
    const account = accountOf(state, params);
    const quote = quoteOf(state, query);
    return { data: owned(account.holdings).map((holding) => entryIn(holding, quote)), ...quoteRef(quote) };
  }),
  handle<AccountParams, PortfolioSummaryParams>(getPortfolioSummary, (state, { params, query }) => {
    const account = accountOf(state, params);
    return { data: summaryIn(account.holdings, quoteOf(state, query)) };
  }),
];

/** An asset with the balance 0 is not listed. Its profit is kept. */
const owned = (holdings: Holdings): Holding[] => holdings.list().filter(({ total }) => !total.isZero());

/** Adds up the entries as shown. Nothing is withheld: open orders explain what is held. */
function summaryIn(holdings: Holdings, quote: Asset): Wire<PortfolioSummary> {
  const entries = owned(holdings).map((holding) => entryIn(holding, quote));
  const value = sumOf(entries.map((entry) => entry.total_in_quote));
  const available = sumOf(entries.map((entry) => entry.available_in_quote));
  const sums = {
    value,
    available,
    withheld: NOTHING,
    open_orders: value.minus(available),
    cost_basis: sumOf(entries.flatMap(({ cost_basis_in_quote: cost }) => cost ?? [])),
  };
  const written = Object.entries(sums).map(([name, sum]) => [name, sum.toFixed(VALUE_PLACES)]);
  return {
    ...quoteRef(quote),
    ...Object.fromEntries(written),
    pnl: { unrealized: sumOf(entries.flatMap(({ pnl }) => pnl?.unrealized ?? [])).toFixed(VALUE_PLACES) },
  };
}

export function entryIn(holding: Holding, quote: Asset): Wire<PortfolioEntry> {
  const { asset, total, held } = holding;
  const available = total.minus(held);
  const price = priceIn(asset, quote);
  return {
    symbol: asset.symbol,
    type: asset.type,
    index_price: price.toFixed(),
    total: written(total, asset.places),
    available: written(available, asset.places),
    open_orders: written(held, asset.places),
    total_in_quote: total.times(price).toFixed(VALUE_PLACES),
    available_in_quote: available.times(price).toFixed(VALUE_PLACES),
    ...profitIn(holding, quote),
  };
}

type Profit = Pick<Wire<PortfolioEntry>, 'avg_entry_price_in_quote' | 'cost_basis_in_quote' | 'pnl'>;

function profitIn({ asset, total, entryUsd, realizedUsd }: Holding, quote: Asset): Profit {
  if (asset.type === 'fiat') return { avg_entry_price_in_quote: null, cost_basis_in_quote: null };
  const entryPrice = entryUsd.div(quote.usd).toSignificantDigits(PRICE_DIGITS);
  const cost = total.times(entryPrice);
  return {
    avg_entry_price_in_quote: entryPrice.toFixed(),
    cost_basis_in_quote: cost.toFixed(VALUE_PLACES),
    pnl: {
      unrealized: total.times(priceIn(asset, quote)).minus(cost).toFixed(VALUE_PLACES),
      realized: realizedUsd.div(quote.usd).toFixed(VALUE_PLACES),
      reference_currency: { symbol: quote.symbol, type: quote.type },
      status: { unrealized: 'ready', realized: 'ready' },
    },
  };
}
