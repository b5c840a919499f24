import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../call/caller.js';
import type { Decimal } from '../schema/decimal.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { type AssetQuantity, type AssetType, assetQuantity, type OpenPageParams, openPageParams } from './common.js';
import { defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** A country whose residents can use the hosted checkout. */
export interface RampCountry {
  /** ISO 3166-1 alpha-2, for example `US`. */
  country: string;
  /** Subdivisions of the country, for example states. Their codes are not documented. */
  subdivisions?: string[] | undefined;
}

/** A page of the countries. */
export interface RampCountryListParams {
  /** 1 to 200; the service's default is 50. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 512 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

/** Longest page token of countries and currencies. */
const MAX_TOKEN_LENGTH = 512;

const country = s.output<RampCountry>()(() =>
  z.looseObject({ country: z.string(), subdivisions: z.optional(z.array(z.string())) }),
);

export const listRampCountries = defineList('ramp.countries.list', 'GET /v1/ramp/countries', {
  query: s.input<RampCountryListParams>()(() =>
    z.object(s.paging({ max: 200, default: 50, maxTokenLength: MAX_TOKEN_LENGTH })),
  ),
  answer: s.page(country, { maxTokenLength: MAX_TOKEN_LENGTH }),
});

/** `client.ramp.countries`: the countries of the hosted checkout. */
export class RampCountries extends Resource {
  /**
   * Lists the countries in which the hosted checkout can be used.
   *
   * @example
   * const countries = await client.ramp.countries.list().toArray({ limit: 300 });
   * const canBuy = countries.some(({ country }) => country === 'DE');
   *
   * @stability documented
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: RampCountryListParams, options?: ListOptions): PagedList<RampCountry> {
    return this.api.list(listRampCountries, [params], options);
  }
}

/** A page of the currencies. Any other parameter is sent unchanged. */
export interface RampFiatCurrencyListParams {
  /** At least 1; the service's default is 50. */
  page_size?: number | undefined;
  /**
   * `nextPageToken` of an earlier page with the same country and subdivision, 1 to 512 characters.
   * Default: from the beginning.
   */
  page_token?: string | undefined;
  [parameter: string]: unknown;
}

export const listRampFiatCurrencies = defineList('ramp.fiatCurrencies.list', 'GET /v1/ramp/fiat-currencies', {
  query: s.input<RampFiatCurrencyListParams>()(() =>
    z.looseObject(s.paging({ default: 50, maxTokenLength: MAX_TOKEN_LENGTH })),
  ),
  answer: s.page(z.unknown, { arrange: s.anythingAsData, maxTokenLength: MAX_TOKEN_LENGTH }),
});

/** `client.ramp.fiatCurrencies`: the currencies that the hosted checkout accepts. */
export class RampFiatCurrencies extends Resource {
  /**
   * Lists the currencies that the hosted checkout accepts. The form of the response is not
   * documented, so each item is returned unchanged. If `data` is neither a list nor an object with
   * one list, it is the only item. The currencies are said to depend on the country and the
   * subdivision, which `ramp.checkout` calls `country` and `subdivision`; their names here are not
   * known.
   *
   * @example
   * const currencies = await client.ramp.fiatCurrencies.list().toArray({ limit: 500 });
   * console.log(currencies.length); // unknown: check them before use
   *
   * @stability partial
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: RampFiatCurrencyListParams, options?: ListOptions): PagedList<unknown> {
    return this.api.list(listRampFiatCurrencies, [params], options);
  }
}

/** A page of the payment methods. Any further parameter is sent unchanged. */
export type RampPaymentMethodListParams = OpenPageParams;

export const listRampPaymentMethods = defineList('ramp.paymentMethods.list', 'GET /v1/ramp/payment-methods', {
  query: openPageParams,
  answer: s.page(z.unknown, { arrange: s.anythingAsData }),
  isAssumed: true,
});

/** `client.ramp.paymentMethods`: the ways to pay in the hosted checkout. */
export class RampPaymentMethods extends Resource {
  /**
   * Lists the payment methods, which `ramp.limits`, `ramp.checkout` and `rampQuotes` take as the
   * method of a side. The path is that of an older edition of the API, with `/v1` added, and the
   * form of the response is not known, so each item is returned unchanged. If `data` is neither a
   * list nor an object with one list, it is the only item.
   *
   * @example
   * const methods = await client.ramp.paymentMethods.list().toArray({ limit: 100 });
   * console.log(methods.length); // unknown: check them before use
   *
   * @stability assumed
   * @throws NotFoundError or UnimplementedError when the service has another path, and the errors
   *   of every call.
   */
  list(params?: RampPaymentMethodListParams, options?: ListOptions): PagedList<unknown> {
    return this.api.list(listRampPaymentMethods, [params], options);
  }
}

/** The location of the buyer, and a page of the assets. Any further parameter is sent unchanged. */
export interface RampAssetListParams extends OpenPageParams {
  /** ISO 3166-1 alpha-2, for example `US`. */
  country: string;
  /** ISO 3166-2 subdivision code suffix, for example `CA`. */
  subdivision?: string | undefined;
}

export const listRampAssets = defineList('ramp.assets.list', 'GET /v1/ramp/buy/crypto', {
  query: s.input<RampAssetListParams>()(() =>
    z.looseObject({ country: z.string(), subdivision: s.optionalText(), ...s.paging() }),
  ),
  answer: s.page(z.unknown, { arrange: s.anythingAsData }),
  isAssumed: true,
});

/** `client.ramp.assets`: what can be bought in the hosted checkout. */
export class RampAssets extends Resource {
  /**
   * Lists the assets that can be bought in a country. The path is that of an older edition of the
   * API, with `/v1` added, and the form of the response is not known, so each item is returned
   * unchanged. If `data` is neither a list nor an object with one list, it is the only item.
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

/**
 * The two sides of a hosted checkout. The names are those of an older edition of the API, where
 * `in` is what the user pays with.
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

/** The smallest and the largest quantity of an asset. */
export interface RampLimitRange {
  minimum?: AssetQuantity | undefined;
  maximum?: AssetQuantity | undefined;
  [member: string]: unknown;
}

/** The limits of a hosted checkout. Further members are returned unchanged. */
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
const rampSides = () => {
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
  query: s.input<RampLimitParams>()(() => z.looseObject({ ...rampSides(), in_asset_symbol: z.string() })),
  answer: s.data(limit),
});

/** `client.ramp.limits`: the smallest and the largest amounts of a hosted checkout. */
export class RampLimits extends Resource {
  /**
   * Reads the limits of a checkout. The documented names are those of an older edition of the API
   * (`in_asset_symbol`, where `rampQuotes.prospective` has `from_symbol`). So the TypeScript client
   * also sends any other parameter, and returns further members of the response unchanged.
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

/** The checkout to link to. Any further parameter is sent unchanged. */
export interface RampCheckoutParams extends RampSidesParams {
  /** Amount to spend: plain decimal string, sent unchanged, or a `Decimal`. */
  in_amount?: Decimal | string | undefined;
  /** The partner's fee in basis points, as a string: 100 = 1 %. */
  affiliate_fee_bps?: string | undefined;
  /** ISO 3166-2 subdivision code suffix, for example `CA`. */
  subdivision?: string | undefined;
  /** The page to which the user returns afterwards. */
  redirect_url?: string | undefined;
  /** The page that the user is sent to if the checkout fails. */
  failure_url?: string | undefined;
  /** The partner's id of the user. */
  external_user_id?: string | undefined;
  /** The partner's id of the transaction. */
  external_transaction_id?: string | undefined;
  /** The network of `wallet_address`. */
  network?: string | undefined;
  /** The wallet that receives the bought asset. */
  wallet_address?: string | undefined;
  /** Memo or tag of the wallet. */
  memo?: string | undefined;
  [parameter: string]: unknown;
}

/** A link to a hosted checkout. Further members are returned unchanged. */
export interface RampCheckout {
  /** The page to send the user to. It belongs to this user, so keep it out of logs. */
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
   * The documented names are those of an older edition of the API (`in_asset_symbol`, where
   * `rampQuotes.prospective` has `from_symbol`). So the TypeScript client also sends any other
   * parameter, and returns further members of the response unchanged.
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

/** `client.ramp`: the hosted checkout. `client.rampQuotes` previews its amounts. */
export class Ramp extends Resource {
  readonly countries = new RampCountries(this.api);
  readonly fiatCurrencies = new RampFiatCurrencies(this.api);
  readonly paymentMethods = new RampPaymentMethods(this.api);
  readonly assets = new RampAssets(this.api);
  readonly limits = new RampLimits(this.api);
  readonly checkout = new RampCheckouts(this.api);
}
