import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type RampSidesParams, rampSides } from './limits.js';

/** The checkout to link to. Any further parameter is sent as it is. */
export interface RampCheckoutParams extends RampSidesParams {
  /** Amount to spend: plain decimal text, sent unchanged, or a `Decimal`. */
  in_amount?: Decimal | string | undefined;
  /** The partner's fee in basis points, as text: 100 = 1 %. */
  affiliate_fee_bps?: string | undefined;
  /** ISO 3166-2 subdivision code suffix, for example `CA`. */
  subdivision?: string | undefined;
  /** The page that the user comes to afterwards. */
  redirect_url?: string | undefined;
  /** The page that the user is sent to if the checkout fails. */
  failure_url?: string | undefined;
  /** The partner's id of the user. */
  external_user_id?: string | undefined;
  /** The partner's id of the transaction. */
  external_transaction_id?: string | undefined;
  /** The network of `wallet_address`. */
  network?: string | undefined;
  /** The wallet that the bought asset is sent to. */
  wallet_address?: string | undefined;
  /** Memo or tag of the wallet. */
  memo?: string | undefined;
  [parameter: string]: unknown;
}

/** A link to a hosted checkout. Further members are kept unchanged. */
export interface RampCheckout {
  /** The page to send the user to. It belongs to this user: keep it out of logs. */
  checkout_url?: string | undefined;
  /** The checkout as the service understood it. Its form is not documented. */
  request_data?: unknown;
  [member: string]: unknown;
}

const checkoutParams = s.input<RampCheckoutParams>()(() => {
  const text = s.optionalText();
  return z.looseObject({
    ...rampSides(),
    in_amount: z.optional(s.amountInput()),
    affiliate_fee_bps: text,
    subdivision: text,
    redirect_url: text,
    failure_url: text,
    external_user_id: text,
    external_transaction_id: text,
    network: text,
    wallet_address: text,
    memo: text,
  });
});

const checkout = s.output<RampCheckout>()(() =>
  z.looseObject({ checkout_url: s.optionalText(), request_data: z.optional(z.unknown()) }),
);

export const getRampCheckout = defineOperation('ramp.checkout.get', 'GET /v1/ramp/checkout', {
  query: checkoutParams,
  answer: s.data(checkout),
});

/** `client.ramp.checkout`: links to the hosted checkout. */
export class RampCheckouts extends Resource {
  /**
   * Returns a link to the hosted checkout, where a user pays with fiat money and receives crypto.
   * The documented names are of an older edition of the API (`in_asset_symbol`, where
   * `rampQuotes.prospective` has `from_symbol`). So the TypeScript client sends any other
   * parameter, too, and keeps further members of the answer.
   *
   * @example
   * const { checkout_url } = await client.ramp.checkout.get({
   *   in_asset_symbol: 'EUR',
   *   out_asset_symbol: 'BTC',
   *   in_amount: '100',
   *   external_transaction_id: orderId,
   * });
   *
   * @stability partial
   * @param params The service does not document which it requires.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  get(params: RampCheckoutParams, options?: UnkeyedRequestOptions): ApiPromise<RampCheckout> {
    return this.api.call(getRampCheckout, [params], options);
  }
}
