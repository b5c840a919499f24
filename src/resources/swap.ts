import type { ListOptions, PagedList } from '../call/caller.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { type OpenPageParams, openPageParams } from './common.js';
import { defineList } from './define-operation.js';
import { Resource } from './resource.js';

/** An asset that can be swapped. Further members are returned unchanged. */
export interface SwapAsset {
  /** The rails that `wallets.whitelist` takes as `via`. The form of a rail is not documented. */
  supported_rails?: unknown[] | undefined;
  [member: string]: unknown;
}

/** A page of the assets that can be swapped. Any further parameter is sent unchanged. */
export type SwapAssetListParams = OpenPageParams;

const swapAsset = s.output<SwapAsset>()(() => z.looseObject({ supported_rails: z.optional(z.array(z.unknown())) }));

export const listSwapAssets = defineList('swap.assets.list', 'GET /v1/swap/assets', {
  query: openPageParams,
  answer: s.page(swapAsset, { arrange: s.listAsData }),
});

/** `client.swap.assets`: the assets that can be swapped, with their rails. */
export class SwapAssets extends Resource {
  /**
   * Lists the assets that can be swapped. Of an asset, only `supported_rails` is documented; all
   * other members are returned unchanged. The service does not document the container: `data` is
   * the list, or an object with one list. `page.meta` has the other members of both.
   *
   * @example
   * const assets = await client.swap.assets.list().toArray({ limit: 500 });
   * for (const { symbol, supported_rails } of assets) console.log(symbol, supported_rails);
   *
   * @stability partial
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: SwapAssetListParams, options?: ListOptions): PagedList<SwapAsset> {
    return this.api.list(listSwapAssets, [params], options);
  }
}

/** `client.swap`: what can be swapped. */
export class Swap extends Resource {
  readonly assets = new SwapAssets(this.api);
}
