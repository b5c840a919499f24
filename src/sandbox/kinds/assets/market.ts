import type { AssetListing, AssetListParams } from '../../../resources/assets/listing.js';
import { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { priceIn } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';

/** The figures of a traded asset that depend on prices, in US dollars. */
interface MarketFigures {
  readonly capUsd: Decimal;
  /** 1 for the largest market capitalisation. */
  readonly rank: number;
  /** In percent, by their names in the API. They are no amounts, so numbers are exact enough. */
  readonly changes: Readonly<Record<string, number>>;
  readonly ath: { readonly usd: Decimal; readonly timestamp: string };
}

type Market = ReadonlyMap<Asset, MarketFigures>;

const HOUR_MS = 60 * 60 * 1000;

/** The periods of changes, in ms. */
const PERIODS: Readonly<Record<string, number>> = {
  last_1h: HOUR_MS,
  last_24h: DAY_MS,
  last_7d: 7 * DAY_MS,
  last_30d: 30 * DAY_MS,
  last_1y: 365 * DAY_MS,
};

const VALUE_PLACES = 2;

export function marketOf({ catalogue, clock }: State): Market {
  const now = clock.now();
  const caps = catalogue.assets.flatMap((asset) =>
    asset.market === undefined
      ? []
      : [{ asset, market: asset.market, capUsd: asset.market.circulating.times(asset.usd) }],
  );
  caps.sort((a, b) => b.capUsd.cmp(a.capUsd));
  return new Map(
    caps.map(({ asset, market, capUsd }, index) => {
      const ath = asset.usd.gt(market.athUsd)
        ? { usd: asset.usd, timestamp: timestamp(now) }
        : { usd: market.athUsd, timestamp: market.athTimestamp };
      return [asset, { capUsd, rank: index + 1, changes: changesOf(asset, now), ath }];
    }),
  );
}

function changesOf({ price, usd }: Asset, now: number): Record<string, number> {
  const present = usd.toNumber();
  const changes = Object.entries(PERIODS).map(([name, ms]) => {
    return [name, (present / price.at(now - ms).toNumber() - 1) * 100] as const;
  });
  return Object.fromEntries(changes);
}

export function listingIn(asset: Asset, quote: Asset, figures: Market): Wire<AssetListing> {
  const { listing, market } = asset;
  const own = figures.get(asset);
  if (market === undefined || own === undefined) return listing;
  const price = priceIn(asset, quote);
  const valued = (units: Decimal): string => units.times(price).toFixed(VALUE_PLACES);
  const inQuote = (usd: Decimal): Decimal => usd.div(quote.usd);
  const supply = {
    circulating: market.circulating,
    total: market.circulating,
    ...(market.max ? { max: market.max } : {}),
  };
  return {
    ...listing,
    price: price.toFixed(),
    market_cap: valued(market.circulating),
    market_cap_rank: own.rank,
    price_change_percent: mapped(own.changes, (percent) => percent.toFixed(4)),
    volume: { last_24h: inQuote(market.volumeUsd).toFixed(VALUE_PLACES) },
    ...(asset.type === 'xstock'
      ? {}
      : { supply: { ...mapped(supply, (units) => units.toFixed()), in_quote: mapped(supply, valued) } }),
    ath: { value: inQuote(own.ath.usd).toSignificantDigits(10).toFixed(), timestamp: own.ath.timestamp },
  };
}

function mapped<T>(figures: Readonly<Record<string, T>>, write: (value: T) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, write(value)]));
}

type SortValue = string | number | Decimal;

/** Sorts as the API does: assets without the value come last, equal ones by their keys. */
function sorted(assets: readonly Asset[], sort: string, direction: string, figures: Market): Asset[] {
  const sign = direction === 'desc' ? -1 : 1;
  const keyed = assets.map((asset) => ({ asset, value: sortValue(asset, sort, figures.get(asset)) }));
  keyed.sort((a, b) => {
    const tie = compare(assetKey(a.asset), assetKey(b.asset));
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined) || tie;
    }
    return sign * compare(a.value, b.value) || tie;
  });
  return keyed.map(({ asset }) => asset);
}

function compare(a: SortValue, b: SortValue): number {
  if (Decimal.isDecimal(a) && Decimal.isDecimal(b)) return a.comparedTo(b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortValue({ usd, market, listing }: Asset, sort: string, figures?: MarketFigures): SortValue | undefined {
  if (sort === 'symbol' || sort === 'name' || sort === 'listing_date') return listing[sort];
  if (market === undefined || figures === undefined) return undefined;
  if (sort === 'trending_rank') return listing.trending_rank;
  if (sort === 'market_cap_rank') return figures.rank;
  if (sort === 'price') return usd;
  if (sort === 'market_cap') return figures.capUsd;
  if (sort === 'volume.last_24h') return market.volumeUsd;
  return figures.changes[sort.replace('price_change_percent.', '')];
}

export type AssetSelection = ReturnType<typeof selectionOf>;

/** Returns the query without the paging parameters. */
export function selectionOf(query: AssetListParams) {
  const { type = [], swap_trading = false, withdraw = false, deposit = false } = query;
  const { sort = 'market_cap_rank', sort_direction = 'asc' } = query;
  return { type, swap_trading, withdraw, deposit, sort, sort_direction };
}

/** An asset of a list, with those behind it. */
interface Listed {
  readonly asset: Asset;
  readonly behind: readonly Asset[];
}

/**
 * A list of assets in the order of its first page: a position holds all that is behind it, as
 * places in the catalogue. So while prices and statuses change, no asset is lost or repeated.
 */
function inFirstOrder(assets: readonly Asset[], isListed: (asset: Asset) => boolean, first: () => readonly Asset[]) {
  const placed = (position: string) => [...Buffer.from(position, 'base64url')].flatMap((place) => assets[place] ?? []);
  return {
    position: ({ behind }: Listed): string =>
      Buffer.from(behind.map((asset) => assets.indexOf(asset))).toString('base64url'),
    next(position: string | undefined, count: number): Listed[] {
      const order = position === undefined ? first() : placed(position);
      const all = order.map((asset, index) => ({ asset, behind: order.slice(index + 1) }));
      return all.filter(({ asset }) => isListed(asset)).slice(0, count);
    },
  };
}

/** The assets of a selection, in its order. */
export function selected({ catalogue: { assets } }: State, selection: AssetSelection, market: Market) {
  const { sort, sort_direction: direction } = selection;
  return inFirstOrder(
    assets,
    (asset) => isSelected(asset, selection),
    () => sorted(assets, sort, direction, market),
  );
}

/** The assets that can be swapped, in the order of the catalogue. */
export const swappable = ({ catalogue: { assets } }: State) =>
  inFirstOrder(
    assets,
    ({ listing }) => listing.status.swap_trading.enabled,
    () => assets,
  );

function isSelected({ type, listing: { status } }: Asset, selection: AssetSelection): boolean {
  return (
    (selection.type.length === 0 || selection.type.includes(type)) &&
    (!selection.swap_trading || status.swap_trading.enabled) &&
    (!selection.withdraw || status.withdraw.enabled) &&
    (!selection.deposit || status.deposit.enabled)
  );
}
