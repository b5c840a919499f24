import type { AssetListing, AssetListParams } from '../../../resources/assets/listing.js';
import type { Wire } from '../../../schema/types.js';
import { BoundedMap } from '../../../util/bounded-map.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { minuteOf } from '../../core/market/prices.js';
import type { State } from '../../core/records/state.js';
import { asListed } from '../../core/request/paging.js';
import { listingIn, type Market, marketOf, sorted } from './market.js';

/** The checked query without the paging parameters. */
export interface AssetSelection {
  readonly type: readonly string[];
  readonly swap_trading: boolean;
  readonly withdraw: boolean;
  readonly deposit: boolean;
  readonly sort: string;
  readonly sort_direction: string;
}

export function selectionOf(query: AssetListParams): AssetSelection {
  const { type = [], swap_trading = false, withdraw = false, deposit = false } = query;
  const { sort = 'market_cap_rank', sort_direction = 'asc' } = query;
  return { type, swap_trading, withdraw, deposit, sort, sort_direction };
}

/** A complete list of assets in its order, computed once. */
type Listings = ReturnType<typeof asListed<Wire<AssetListing>>>;

/** Maximum number of lists cached while prices do not change. */
const MAX_LISTS = 50;

/** Values computed from the prices of one minute. */
interface Kept {
  /** Changes with the prices. */
  readonly version: string;
  readonly market: Market;
  readonly lists: BoundedMap<string, Listings>;
}

const kept = new WeakMap<State, Kept>();

/**
 * Returns the market and the lists of the current prices. Both are computed again when a price
 * changes and in each minute.
 */
function current(state: State): Kept {
  const version = `${minuteOf(state.clock.now())} ${state.catalogue.changes}`;
  const last = kept.get(state);
  if (last?.version === version) return last;
  const fresh = { version, market: marketOf(state), lists: new BoundedMap<string, Listings>(MAX_LISTS) };
  kept.set(state, fresh);
  return fresh;
}

export const listingOf = (state: State, asset: Asset, quote: Asset): Wire<AssetListing> =>
  listingIn(asset, quote, current(state).market);

export function listingsOf(state: State, selection: AssetSelection, quote: Asset): Listings {
  const { market, lists } = current(state);
  const name = JSON.stringify([selection, assetKey(quote)]);
  const found = lists.get(name);
  if (found !== undefined) return found;
  const selected = state.catalogue.assets.filter((asset) => isSelected(asset, selection));
  const { sort, sort_direction: direction } = selection;
  const assets = sorted(selected, sort, direction, market, assetKey);
  const made = asListed<Wire<AssetListing>>(
    assets.map((asset) => listingIn(asset, quote, market)),
    assetKey,
  );
  lists.set(name, made);
  return made;
}

function isSelected({ type, listing: { status } }: Asset, selection: AssetSelection): boolean {
  return (
    (selection.type.length === 0 || selection.type.includes(type)) &&
    (!selection.swap_trading || status.swap_trading.enabled) &&
    (!selection.withdraw || status.withdraw.enabled) &&
    (!selection.deposit || status.deposit.enabled)
  );
}
