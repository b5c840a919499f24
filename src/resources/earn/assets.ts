import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetLabel, assetLabel } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type EarnListParams, earnAccountParams, earnListParams, earnPaging, MAX_EARN_TOKEN_LENGTH } from './common.js';

/** An asset that earns rewards by itself while it is held. */
export interface EarnAsset extends AssetLabel {
  /** The origin of the yield, for example `staking`. */
  yield_source?: string | undefined;
  /** Yield of a year in percent: `12.50` is 12.5 %. */
  apy?: Decimal | undefined;
  /** The limit of one user. Its asset is not documented. */
  user_cap?: Decimal | undefined;
}

/** Country and page of the assets that earn. */
export interface EarnAssetListParams extends EarnListParams {
  /** ISO 3166-1 alpha-2, two capital letters, for example `DE`. */
  country: string;
}

const assetListParams = s.input<EarnAssetListParams>()(() =>
  z.object({
    country: z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters, such as "DE"')),
    ...earnPaging(),
  }),
);

const earnAsset = s.output<EarnAsset>()(() =>
  z.looseObject({
    ...assetLabel().shape,
    yield_source: s.optionalText(),
    apy: s.optionalAmount(),
    user_cap: s.optionalAmount(),
  }),
);

const earnAssets = s.page(earnAsset, undefined, MAX_EARN_TOKEN_LENGTH);

export const listEarnAssets = defineList('earn.auto.assets.list', 'GET /v1/earn/auto/assets', {
  query: assetListParams,
  answer: earnAssets,
});

export const listAccountEarnAssets = defineList('accounts.earn.auto.assets.list', `GET ${ACCOUNT}/earn/auto/assets`, {
  params: earnAccountParams,
  query: earnListParams,
  answer: earnAssets,
});

/** `client.earn.auto.assets`: the assets that earn in a country. */
export class EarnAssets extends Resource {
  /**
   * Lists the assets that earn rewards in a country.
   *
   * @example
   * for await (const { symbol, apy } of client.earn.auto.assets.list({ country: 'DE' })) {
   *   console.log(symbol, apy?.toFixed());
   * }
   *
   * @stability documented
   * @param params `country` is required.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params: EarnAssetListParams, options?: ListOptions): PagedList<EarnAsset> {
    return this.api.list(listEarnAssets, [params], options);
  }
}

/** `client.accounts.earn.auto.assets`: the assets that earn in one account. */
export class AccountEarnAssets extends Resource {
  /**
   * Lists the assets that can earn rewards in an account.
   *
   * @example
   * for await (const { symbol, apy } of client.accounts.earn.auto.assets.list(accountId)) {
   *   console.log(symbol, apy?.toFixed());
   * }
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: EarnListParams, options?: ListOptions): PagedList<EarnAsset> {
    return this.api.list(listAccountEarnAssets, [accountId, params], options);
  }
}
