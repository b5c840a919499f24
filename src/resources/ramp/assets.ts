import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** The place of the buyer, and a page of the assets. Any further parameter is sent unchanged. */
export interface RampAssetListParams {
  /** ISO 3166-1 alpha-2, for example `US`. */
  country: string;
  /** ISO 3166-2 subdivision code suffix, for example `CA`. */
  subdivision?: string | undefined;
  /** At least 1. Neither a limit nor a default is known. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
  [parameter: string]: unknown;
}

const listParams = s.input<RampAssetListParams>()(() =>
  z.looseObject({ country: z.string(), subdivision: s.optionalText(), ...s.paging() }),
);

export const listRampAssets = defineList('ramp.assets.list', 'GET /v1/ramp/buy/crypto', {
  query: listParams,
  answer: s.pageOfAnything(z.unknown),
  isAssumed: true,
});

/** `client.ramp.assets`: what can be bought in the hosted checkout. */
export class RampAssets extends Resource {
  /**
   * Lists the assets that can be bought in a country. The path is that of an older edition of the
   * API with `/v1`, and the form of the response is not known: each item is passed on unchanged. If
   * `data` is neither a list nor an object with one list, it is the only item.
   *
   * @example
   * const assets = await client.ramp.assets.list({ country: 'DE' }).toArray({ limit: 1_000 });
   * console.log(assets.length); // unknown: check them before use
   *
   * @stability assumed
   * @throws RequestValidationError when `country` is missing, NotFoundError or UnimplementedError
   *   when the service has another path, and the errors of every call.
   */
  list(params: RampAssetListParams, options?: ListOptions): PagedList<unknown> {
    return this.api.list(listRampAssets, [params], options);
  }
}
