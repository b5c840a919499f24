import {
  getPortfolioHistory,
  type PortfolioHistoryParams,
  type PortfolioHistoryPoint,
} from '../../../resources/accounts/portfolio.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/kind/handler.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { type Holding, NOTHING } from '../../core/money/ledger.js';
import type { AccountState } from '../../core/records/state.js';
import { quantity } from '../shared/amounts.js';
import { type EntrySide, entries } from '../shared/entries.js';
import { periodOf } from '../shared/period.js';
import { priceAt, quoteOf, quoteRef, sumOf, VALUE_PLACES } from '../shared/valuation.js';
import { entryIn } from './portfolio.js';
import { selects } from './transactions.js';

const DEFAULT_PERIOD_MS = 30 * DAY_MS;

const MINUTE_MS = 60_000;

/** Intervals in ms between two points. Longer periods use whole days. */
const SPACINGS_MS = [...[1, 5, 15, 30, 60, 240].map((minutes) => minutes * MINUTE_MS), DAY_MS];

/** Maximum number of points of a period, without the last. The interval grows until they fit. */
const MAX_POINTS = 100;

export const historyHandlers: readonly Handler[] = [
  handle<AccountParams, PortfolioHistoryParams>(getPortfolioHistory, (state, { params, query }) => {
    const { clock } = state;
    const account = accountOf(state, params);
    const quote = quoteOf(state, query);
    const period = periodOf(query);
    // The end is excluded, and the default last point is now.
    const end = period.end ?? clock.now() + 1;
    const start = period.start ?? end - DEFAULT_PERIOD_MS;
    const isSelected = selects(query.assets);
    const chosen = account.holdings.list().filter(({ asset }) => isSelected(assetKey(asset)));
    const [assets, cost] = [chosen.map(({ asset }) => asset), presentCost(chosen, quote)];
    const points = pastBalances(account, momentsOf(start, Math.min(end - 1, clock.now())));
    return {
      data: points.map((past) => pointOf(past, assets, cost, quote)),
      ...quoteRef(quote),
      start_timestamp: timestamp(start),
      end_timestamp: timestamp(end),
    };
  }),
];

/** Returns times at equal intervals from the start, then the last time. */
function momentsOf(start: number, last: number): number[] {
  if (last < start) return [];
  const least = (last - start) / MAX_POINTS;
  const spacing = SPACINGS_MS.find((ms) => ms >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS;
  const count = Math.ceil((last - start) / spacing);
  return [...Array.from({ length: count }, (_, index) => start + index * spacing), last];
}

/** Cost of the traded assets less the proceeds of sales. Value less cost is the profit. */
function presentCost(holdings: readonly Holding[], quote: Asset): Decimal {
  const entries = holdings.map((holding) => entryIn(holding, quote));
  const profit = sumOf(entries.flatMap(({ pnl }) => (pnl === undefined ? [] : [pnl.unrealized, pnl.realized])));
  return sumOf(entries.filter(({ pnl }) => pnl !== undefined).map((entry) => entry.total_in_quote)).minus(profit);
}

function pointOf(
  { at, totals, laterCostsUsd }: PastBalances,
  assets: readonly Asset[],
  cost: Decimal,
  quote: Asset,
): Wire<PortfolioHistoryPoint> {
  const held = assets.flatMap((asset) => {
    const amount = totals.get(assetKey(asset)) ?? NOTHING;
    const value = amount.times(priceAt(asset, quote, at)).toFixed(VALUE_PLACES);
    return amount.isZero() ? [] : [{ asset, amount, value }];
  });
  const traded = assets.filter(({ type }) => type !== 'fiat');
  const later = traded.reduce((sum, asset) => sum.plus(laterCostsUsd.get(assetKey(asset)) ?? NOTHING), NOTHING);
  const value = sumOf(held.filter(({ asset }) => asset.type !== 'fiat').map((one) => one.value));
  return {
    timestamp: timestamp(at),
    assets: held.map(({ asset, amount }) => quantity(asset, amount)),
    value: sumOf(held.map((one) => one.value)).toFixed(VALUE_PLACES),
    total_pnl: value.minus(cost).plus(later.div(quote.usd)).toFixed(VALUE_PLACES),
  };
}

/** Balances of an account at a time, after everything that happened until then. */
interface PastBalances {
  /** In ms since the epoch. */
  readonly at: number;
  /** By asset, for example `crypto:BTC`. */
  readonly totals: ReadonlyMap<string, Decimal>;
  /** Cost of later receipts less the proceeds of later payments, by asset. */
  readonly laterCostsUsd: ReadonlyMap<string, Decimal>;
}

/** Computes balances at ascending times from the holdings of now and the entries since then. */
function pastBalances({ holdings, records }: AccountState, moments: readonly number[]): PastBalances[] {
  const totals = new Map(holdings.list().map(({ asset, total }) => [assetKey(asset), total]));
  const laterCostsUsd = new Map<string, Decimal>();
  const undo = ({ asset, total, value_usd }: EntrySide, sign: 1 | -1): void => {
    totals.set(asset, (totals.get(asset) ?? NOTHING).minus(NOTHING.plus(total).times(sign)));
    laterCostsUsd.set(asset, (laterCostsUsd.get(asset) ?? NOTHING).plus(NOTHING.plus(value_usd).times(sign)));
  };
  const rest = [...records.of(entries).values()];
  const past = moments.toReversed().map((at) => {
    for (let entry = rest.at(-1); entry !== undefined && entry.at > at; entry = rest.at(-1)) {
      if (entry.receive !== undefined) undo(entry.receive, 1);
      if (entry.spend !== undefined) undo(entry.spend, -1);
      rest.pop();
    }
    return { at, totals: new Map(totals), laterCostsUsd: new Map(laterCostsUsd) };
  });
  return past.reverse();
}
