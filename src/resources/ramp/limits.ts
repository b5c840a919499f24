import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetQuantity, type AssetType, assetQuantity } from '../common.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/**
 * The two sides of a hosted checkout. The names are of an older edition of the API, where `in` is
 * what the user pays with.
 */
export interface RampSidesParams {
  /** Ticker of the asset the user pays with, for example `USD`. */
  in_asset_symbol?: string | undefined;
  in_asset_type?: AssetType | undefined;
  /** Funding method. */
  in_method?: string | undefined;
  /** Ticker of the asset the user receives, for example `BTC`. */
  out_asset_symbol?: string | undefined;
  out_asset_type?: AssetType | undefined;
  /** Withdrawal method of that asset. */
  out_method?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
}

/** The checkout to get limits for. Further parameters are sent unchanged. */
export interface RampLimitParams extends RampSidesParams {
  in_asset_symbol: string;
  [parameter: string]: unknown;
}

/** The smallest and the greatest quantity of an asset. */
export interface RampLimitRange {
  minimum?: AssetQuantity | undefined;
  maximum?: AssetQuantity | undefined;
  [member: string]: unknown;
}

/** The limits of a hosted checkout. Further members are kept unchanged. */
export interface RampLimit {
  /** The limits of each method on its own. */
  limits?:
    | { deposit?: RampLimitRange | undefined; withdrawal?: RampLimitRange | undefined; [member: string]: unknown }
    | undefined;
  /** The limits of the whole checkout, in the asset of each side. */
  final_combined?:
    | { in_asset?: RampLimitRange | undefined; out_asset?: RampLimitRange | undefined; [member: string]: unknown }
    | undefined;
  [member: string]: unknown;
}

/** The rules of `RampSidesParams`. */
export const rampSides = () => {
  const text = s.optionalText();
  return {
    in_asset_symbol: text,
    in_asset_type: text,
    in_method: text,
    out_asset_symbol: text,
    out_asset_type: text,
    out_method: text,
    country: text,
  };
};

const limitParams = s.input<RampLimitParams>()(() => z.looseObject({ ...rampSides(), in_asset_symbol: z.string() }));

const limit = s.output<RampLimit>()(() => {
  const range = z.optional(
    z.looseObject({ minimum: z.optional(assetQuantity()), maximum: z.optional(assetQuantity()) }),
  );
  return z.looseObject({
    limits: z.optional(z.looseObject({ deposit: range, withdrawal: range })),
    final_combined: z.optional(z.looseObject({ in_asset: range, out_asset: range })),
  });
});

export const getRampLimits = defineOperation('ramp.limits.get', 'GET /v1/ramp/limits', {
  query: limitParams,
  answer: s.data(limit),
});

/** `client.ramp.limits`: the smallest and the greatest amounts of a hosted checkout. */
export class RampLimits extends Resource {
  /**
   * Reads the limits of a checkout. The documented names are of an older edition of the API
   * (`in_asset_symbol`, where `rampQuotes.prospective` has `from_symbol`). So the TypeScript client
   * sends any other parameter, too, and keeps further members of the answer.
   *
   * @example
   * const sides = { in_asset_symbol: 'EUR', out_asset_symbol: 'BTC' };
   * const { final_combined } = await client.ramp.limits.get(sides);
   * console.log(final_combined?.in_asset?.minimum?.amount.toFixed());
   *
   * @stability partial
   * @param params `in_asset_symbol` is required.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  get(params: RampLimitParams, options?: UnkeyedRequestOptions): ApiPromise<RampLimit> {
    return this.api.call(getRampLimits, [params], options);
  }
}
