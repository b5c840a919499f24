import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import {
  type AssetListing,
  type AssetListParams,
  type AssetPageMeta,
  assetListing,
  assetListParams,
  assetPageMeta,
} from '../assets/listing.js';
import { defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

export const listUserAssets = defineList('users.assets.list', 'GET /v1/users/{user_id}/assets', {
  query: assetListParams,
  answer: s.page(assetListing, assetPageMeta),
});

/** `client.users.assets`: the assets that one user may use. */
export class UserAssets extends Resource {
  /**
   * Lists the assets that a user may use, with market data. `page.meta` has valuation asset, order
   * and filters.
   *
   * @example
   * const params = { type: ['stablecoin'], swap_trading: true };
   * for await (const asset of client.users.assets.list(userId, params)) {
   *   console.log(asset.symbol, asset.price?.toFixed());
   * }
   *
   * @param userId 14 to 42 characters.
   * @stability specified
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(userId: string, params?: AssetListParams, options?: ListOptions): PagedList<AssetListing, AssetPageMeta> {
    return this.api.list(listUserAssets, [userId, params], options);
  }
}
