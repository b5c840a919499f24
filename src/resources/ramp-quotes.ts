import type { ApiPromise, UnkeyedRequestOptions } from '../call/caller.js';
import type { Decimal } from '../schema/decimal.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { type AssetType, type NamedAsset, type NamedAssetRef, namedAsset, namedAssetRef } from './common.js';
import { defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** Costs and proceeds of a hosted checkout that has not begun. */
export interface RampQuote {
  from: RampQuoteSide;
  to: RampQuoteSide;
  /** `unit_price`: the price of one unit of `asset` in `denomination_asset`. */
  unit_price: { asset: NamedAsset; denomination_asset: NamedAsset; unit_price: Decimal };
}

/** One side of a ramp quote. An amount that does not apply is null. */
export interface RampQuoteSide {
  asset: NamedAssetRef;
  total: Decimal | null;
  subtotal: Decimal | null;
  fee: Decimal | null;
  deposit_fee: Decimal | null;
  /** The partner's portion of the fee. */
  affiliate_fee: Decimal | null;
  withdrawal_fee: Decimal | null;
}

/** Parameters of a preview. The service does not document which it requires. */
export interface RampQuoteProspectiveParams {
  /** Asset the user pays with, 3 to 16 characters. */
  from_symbol?: string | undefined;
  /** Default `fiat`, the only class that the service supports at present. */
  from_type?: AssetType | undefined;
  /** Funding method, from the payment-methods discovery operation. */
  from_method?: string | undefined;
  /** Amount to pay: plain decimal string of 1 to 64 characters, sent unchanged, or a `Decimal`. */
  from_amount?: Decimal | string | undefined;
  /** Asset the user receives, 3 to 16 characters. */
  to_symbol?: string | undefined;
  /** Default `crypto`. At present the service supports `crypto` and `stablecoin`. */
  to_type?: AssetType | undefined;
  /** Withdrawal method of the destination asset. */
  to_method?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
  /** ISO 3166-2 subdivision code suffix, for example `CA`. */
  subdivision?: string | undefined;
  /** The partner's fee, in basis points: `"0"` to `"10000"`, 100 = 1 %. Added to the platform's. */
  affiliate_fee_bps?: string | undefined;
}

const side = () =>
  z.looseObject({
    asset: namedAssetRef(),
    total: z.nullable(s.amount()),
    subtotal: z.nullable(s.amount()),
    fee: z.nullable(s.amount()),
    deposit_fee: z.nullable(s.amount()),
    affiliate_fee: z.nullable(s.amount()),
    withdrawal_fee: z.nullable(s.amount()),
  });

const rampQuote = s.output<RampQuote>()(() =>
  z.looseObject({
    from: side(),
    to: side(),
    unit_price: z.looseObject({
      asset: namedAsset(),
      denomination_asset: namedAsset(),
      unit_price: s.amount(),
    }),
  }),
);

export const getRampProspectiveQuote = defineOperation('rampQuotes.prospective', 'GET /v1/ramp/quotes/prospective', {
  query: s.input<RampQuoteProspectiveParams>()(() =>
    z.object({
      from_symbol: z.optional(s.symbol()),
      from_type: s.withDefault('fiat', s.assetType()),
      from_method: s.optionalText(),
      from_amount: z.optional(s.amountInput(64)),
      to_symbol: z.optional(s.symbol()),
      to_type: s.withDefault('crypto', s.assetType()),
      to_method: s.optionalText(),
      country: z.optional(s.text(2, 2)),
      subdivision: s.optionalText(),
      affiliate_fee_bps: z.optional(
        z.string().check(z.regex(/^(10000|[0-9]{1,4})$/, 'must be basis points as a string, "0" to "10000"')),
      ),
    }),
  ),
  answer: s.data(rampQuote),
});

/** `client.rampQuotes`: previews of hosted fiat-to-crypto checkouts. */
export class RampQuotes extends Resource {
  /**
   * Previews the amounts of a checkout, without reserving liquidity.
   *
   * @example
   * const params = { from_symbol: 'USD', from_amount: '250.50', to_symbol: 'BTC' };
   * const { to, unit_price } = await client.rampQuotes.prospective(params);
   * console.log(to.total?.toFixed(), unit_price.unit_price.toFixed());
   *
   * @stability specified
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  prospective(params: RampQuoteProspectiveParams, options?: UnkeyedRequestOptions): ApiPromise<RampQuote> {
    return this.api.call(getRampProspectiveQuote, [params], options);
  }
}
