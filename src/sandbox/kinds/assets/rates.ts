import { type AssetRate, type AssetRateListParams, listAssetRates } from '../../../resources/assets/assets.js';
import type { Wire } from '../../../schema/types.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import type { Asset } from '../../core/market/catalogue.js';
import { MOVE_MS } from '../../core/market/prices.js';
import { priceBetween } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';
import { durationOf, momentOf } from '../shared/period.js';
import { quoteRef } from '../shared/valuation.js';

const HOUR_MS = 60 * MOVE_MS;

const INTERVALS_MS: readonly number[] = [
  ...[1, 5, 15, 30, 60].map((minutes) => minutes * MOVE_MS),
  4 * HOUR_MS,
  ...[1, 7, 15].map((days) => days * DAY_MS),
];

const DEFAULT_INTERVAL = 'PT1H';

/** Number of intervals in the default period. */
const DEFAULT_COUNT = 100;

/**
 * Returns the rates of an asset, oldest first: at the multiples of the interval from the start
 * (included) to the end (excluded), from the listing of the asset until now. A list of years by the
 * minute is never built as a whole.
 */
export function ratesOf(state: State, asset: Asset, quote: Asset, query: AssetRateListParams) {
  const interval = query.interval ?? DEFAULT_INTERVAL;
  const ms = intervalOf(interval);
  const now = state.clock.now();
  const end = momentOf('end_timestamp', query.end_timestamp) ?? (Math.floor(now / ms) + 1) * ms;
  const start = momentOf('start_timestamp', query.start_timestamp) ?? end - DEFAULT_COUNT * ms;
  const listed = Date.parse(asset.listing.listing_date ?? '1970-01-01');
  const first = Math.ceil(Math.max(start, listed) / ms) * ms;
  const stop = Math.min(end, now + 1);
  const rateAt = (at: number): Wire<AssetRate> => {
    return { timestamp: timestamp(at), price: priceBetween(asset.price.at(at), quote.price.at(at)).toFixed() };
  };
  const page = state.pager.page<Wire<AssetRate>>(
    {
      scope: [listAssetRates.name, asset.type, asset.symbol, quote.symbol, ms, query.start_timestamp],
      position: (rate) => rate.timestamp ?? '',
      next: (position, count) => {
        const from = position === undefined ? first : Date.parse(position) + ms;
        const left = Math.max(0, Math.ceil((stop - from) / ms));
        return Array.from({ length: Math.min(count, left) }, (_, index) => rateAt(from + index * ms));
      },
    },
    query,
  );
  return {
    ...page,
    ...quoteRef(quote),
    interval,
    start_timestamp: timestamp(start),
    end_timestamp: timestamp(end),
    page_size: query.page_size ?? 20,
  };
}

/** Parses an interval and returns its ms. Throws 400 if it is not one. */
function intervalOf(text: string): number {
  const ms = durationOf(text);
  if (ms !== undefined && INTERVALS_MS.includes(ms)) return ms;
  const message = 'must be 1, 5, 15, 30 or 60 minutes, 4 hours, or 1, 7 or 15 days, for example PT1H';
  throw badRequest({ field: 'interval', message });
}
