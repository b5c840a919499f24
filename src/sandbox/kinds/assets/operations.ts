import { type AssetGetParams, getAsset, listAssets } from '../../../resources/assets/assets.js';
import type { AssetListParams } from '../../../resources/assets/listing.js';
import { type AssetRateListParams, listAssetRates } from '../../../resources/assets/rates.js';
import { listSwapAssets, type SwapAssetListParams } from '../../../resources/swap.js';
import { listUserAssets } from '../../../resources/users/assets.js';
import type { Operation } from '../../../schema/operation.js';
import { type Handler, handle, type UserParams } from '../../core/kind/handler.js';
import { type Asset, assetKey, assetRef, quoteRef } from '../../core/market/catalogue.js';
import type { State } from '../../core/records/state.js';
import { asListed } from '../../core/request/paging.js';
import { existing } from '../../core/request/refusal.js';
import { userOf } from '../users.js';
import { type AssetSelection, listingOf, listingsOf, selectionOf } from './listings.js';
import { ratesOf } from './rates.js';

interface AssetParams {
  readonly asset_type: string;
  readonly asset_symbol: string;
}

/** The operations of assets. */
export const assetOperations: readonly Handler[] = [
  handle<UserParams, AssetListParams>(listUserAssets, (state, { params, query }) => {
    const { user } = userOf(state, params).record;
    return listed(state, [listUserAssets.name, user.id], query);
  }),
  handle<unknown, AssetListParams>(listAssets, (state, { query }) => listed(state, [listAssets.name], query)),
  handle<AssetParams, AssetGetParams>(getAsset, (state, { params, query }) => ({
    data: listingOf(state, assetOf(state, getAsset, params), state.catalogue.quoteOf(query)),
  })),
  handle<AssetParams, AssetRateListParams>(listAssetRates, (state, { params, query }) =>
    ratesOf(state, assetOf(state, listAssetRates, params), state.catalogue.quoteOf(query), query),
  ),
  handle<unknown, SwapAssetListParams>(listSwapAssets, (state, { query }) => {
    const items = state.catalogue.assets.filter(({ listing }) => listing.status.swap_trading.enabled);
    const page = state.pager.page({ scope: [listSwapAssets.name], ...asListed<Asset>(items, assetKey) }, query);
    return { ...page, data: page.data.map((asset) => ({ ...assetRef(asset), supported_rails: railsOf(asset) })) };
  }),
];

function listed(state: State, owner: readonly string[], query: AssetListParams) {
  const quote = state.catalogue.quoteOf(query);
  const selection = selectionOf(query);
  const listing = { scope: [...owner, selection], ...listingsOf(state, selection, quote) };
  const page = state.pager.page(listing, query);
  return { ...page, ...quoteRef(quote), page_size: query.page_size ?? 20, ...echoes(selection) };
}

/** A filter that is false is not applied, so the answer does not repeat it. */
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

function assetOf(state: State, operation: Operation, { asset_symbol, asset_type }: AssetParams): Asset {
  return existing(operation, state.catalogue.find(asset_symbol, asset_type));
}

/** Rails and networks by symbol. All other assets have those of their class. */
const BY_SYMBOL: Readonly<Record<string, readonly string[]>> = {
  ...{ USD: ['ach', 'fedwire', 'swift'], EUR: ['sepa', 'swift'], GBP: ['fps', 'swift'] },
  ...{ BTC: ['bitcoin'], ETH: ['ethereum', 'arbitrum'], SOL: ['solana'], TRX: ['tron'], ARB: ['arbitrum'] },
  ...{ XRP: ['xrp'], XLM: ['xlm'], ATOM: ['cosmos'], USDC: ['ethereum', 'solana', 'polygon', 'arbitrum'] },
  ...{ USDT: ['ethereum', 'tron', 'polygon'] },
};

const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  ...{ fiat: ['swift'], stablecoin: ['ethereum'], xstock: ['ethereum', 'solana'] },
};

/** Returns the values of `via` that are accepted when a wallet is whitelisted for the asset. */
const railsOf = ({ symbol, type }: Asset): readonly string[] =>
  (type === 'xstock' ? undefined : BY_SYMBOL[symbol]) ?? BY_TYPE[type] ?? [];
