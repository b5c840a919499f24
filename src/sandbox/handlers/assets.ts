import type { AssetListing, AssetListParams } from '../../resources/assets/listing.js';
import { listUserAssets } from '../../resources/users/assets.js';
import { Decimal } from '../../schema/decimal.js';
import type { Wire } from '../../schema/types.js';
import { type Asset, assetKey } from '../state/catalogue.js';
import { priceIn } from '../state/money.js';
import { type Handler, handle, type UserParams } from './handler.js';
import { userOf } from './users.js';

/** The checked query without the members that only paging reads. */
interface AssetSelection {
  readonly type: readonly string[];
  readonly swap_trading: boolean;
  readonly withdraw: boolean;
  readonly deposit: boolean;
  readonly sort: string;
  readonly sort_direction: string;
}

type SortValue = string | number | Decimal;

const VALUE_PLACES = 2;

export const assetHandlers: readonly Handler[] = [
  handle<UserParams, AssetListParams>(listUserAssets, (state, { params, query }) => {
    const { user } = userOf(state, params);
    const quote = state.catalogue.named(query.quote_symbol ?? 'USD', query.quote_type ?? 'fiat', 'quote_symbol');
    const selection = selectionOf(query);
    const items = sorted(
      state.catalogue.assets.filter((asset) => isSelected(asset, selection)),
      selection,
    );
    const rank = new Map(items.map((asset, index) => [assetKey(asset), index]));
    const page = state.pager.page(
      {
        scope: [listUserAssets.name, user.id, selection],
        items,
        position: assetKey,
        isAfter: (asset, position) => (rank.get(assetKey(asset)) ?? 0) > (rank.get(position) ?? -1),
      },
      query,
    );
    return {
      ...page,
      data: page.data.map((asset) => listingIn(asset, quote)),
      quote_symbol: quote.symbol,
      quote_type: quote.type,
      page_size: query.page_size ?? 20,
      ...echoes(selection),
    };
  }),
];

function selectionOf(query: AssetListParams): AssetSelection {
  const { type = [], swap_trading = false, withdraw = false, deposit = false } = query;
  const { sort = 'market_cap_rank', sort_direction = 'asc' } = query;
  return { type, swap_trading, withdraw, deposit, sort, sort_direction };
}

/** A filter that is false is not applied, so it is not echoed. */
function echoes({ type, swap_trading, withdraw, deposit, sort, sort_direction }: AssetSelection) {
  return {
    sort,
    sort_direction,
    type,
    ...(swap_trading ? { swap_trading } : {}),
    ...(withdraw ? { withdraw } : {}),
    ...(deposit ? { deposit } : {}),
  };
}

function isSelected({ type, listing: { status } }: Asset, selection: AssetSelection): boolean {
  return (
    (selection.type.length === 0 || selection.type.includes(type)) &&
    (!selection.swap_trading || status.swap_trading.enabled) &&
    (!selection.withdraw || status.withdraw.enabled) &&
    (!selection.deposit || status.deposit.enabled)
  );
}

/** Assets without the sort value come last; equal ones are sorted by symbol. */
function sorted(assets: readonly Asset[], { sort, sort_direction: direction }: AssetSelection): Asset[] {
  const sign = direction === 'desc' ? -1 : 1;
  const keyed = assets.map((asset) => ({ asset, value: sortValue(asset, sort) }));
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

function sortValue({ usd, market, listing }: Asset, sort: string): SortValue | undefined {
  if (sort === 'symbol' || sort === 'name' || sort === 'listing_date') return listing[sort];
  if (sort === 'market_cap_rank' || sort === 'trending_rank') return listing[sort];
  if (market === undefined) return undefined;
  if (sort === 'price') return usd;
  if (sort === 'market_cap') return market.circulating.times(usd);
  if (sort === 'volume.last_24h') return market.volumeUsd;
  const changes: Readonly<Record<string, string | undefined>> = listing.price_change_percent ?? {};
  const change = changes[sort.replace('price_change_percent.', '')];
  return change === undefined ? undefined : new Decimal(change);
}

/** The entry with its market figures in the quote asset. */
function listingIn(asset: Asset, quote: Asset): Wire<AssetListing> {
  const { listing, market } = asset;
  if (market === undefined) return listing;
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
    volume: { last_24h: inQuote(market.volumeUsd).toFixed(VALUE_PLACES) },
    ...(asset.type === 'xstock'
      ? {}
      : { supply: { ...mapped(supply, (units) => units.toFixed()), in_quote: mapped(supply, valued) } }),
    ath: { value: inQuote(market.athUsd).toSignificantDigits(10).toFixed(), timestamp: market.athTimestamp },
  };
}

function mapped(figures: Record<string, Decimal>, write: (value: Decimal) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, write(value)]));
}
