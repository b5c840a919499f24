import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import type { AssetType } from '../common.js';
import { defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import {
  type AssetListing,
  type AssetListParams,
  type AssetPageMeta,
  assetListing,
  assetListParams,
  assetPageMeta,
} from './listing.js';
import { AssetRates } from './rates.js';

/** The valuation of one asset. */
export interface AssetGetParams {
  /** Asset to value in, 3 to 16 characters. The service documents no default. */
  quote_symbol?: string | undefined;
  /** Class of the asset to value in. The service documents no default. */
  quote_type?: 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | undefined;
}

const assetGetParams = s.input<AssetGetParams>()(() =>
  z.object({ quote_symbol: z.optional(s.symbol()), quote_type: z.optional(z.literal(s.ASSET_TYPES)) }),
);

export const listAssets = defineList('assets.list', 'GET /v1/assets', {
  query: assetListParams,
  answer: s.page(assetListing, assetPageMeta),
});

export const getAsset = defineOperation('assets.get', 'GET /v1/assets/{asset_type}/{asset_symbol}', {
  query: assetGetParams,
  answer: s.data(assetListing),
});

/** `client.assets`: all assets of the service, without regard to a user. */
export class Assets extends Resource {
  readonly rates = new AssetRates(this.api);

  /**
   * Lists all assets with market data. `page.meta` has valuation asset, order and filters.
   * `users.assets.list` lists those that one user may use.
   *
   * @example
   * const page = await client.assets.list({ type: ['crypto'], sort: 'market_cap_rank' });
   * for (const { symbol, price } of page.items) console.log(symbol, price?.toFixed());
   * console.log(page.meta.quote_symbol); // the currency of the prices
   *
   * @stability documented
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: AssetListParams, options?: ListOptions): PagedList<AssetListing, AssetPageMeta> {
    return this.api.list(listAssets, [params], options);
  }

  /**
   * Reads one asset with its market data.
   *
   * @example
   * const euros = { quote_symbol: 'EUR', quote_type: 'fiat' } as const;
   * const bitcoin = await client.assets.get('crypto', 'BTC', euros);
   * if (bitcoin.status.withdraw.enabled) console.log(bitcoin.price?.toFixed());
   *
   * @stability documented
   * @param assetType For example `crypto`: one ticker can exist in several classes.
   * @param assetSymbol Ticker, 1 to 16 characters.
   * @throws NotFoundError for an asset that does not exist, and the errors of every call.
   */
  get(
    assetType: AssetType,
    assetSymbol: string,
    params?: AssetGetParams,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<AssetListing> {
    return this.api.call(getAsset, [assetType, assetSymbol, params], options);
  }
}
