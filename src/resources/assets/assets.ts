import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetType, type PageParams, type Valuation, valuation } from '../common.js';
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

/**
 * Time between two rates, as an ISO 8601 duration: 1, 5, 15, 30 or 60 minutes, 4 hours, 1, 7 or 15
 * days. It is sent exactly as written, because the service documents the durations, but not their
 * spelling. Every ISO 8601 duration is sent, and the service rejects those it does not have.
 */
export type AssetRateInterval =
  | ('PT1M' | 'PT5M' | 'PT15M' | 'PT30M' | 'PT1H' | 'PT60M' | 'PT4H' | 'P1D' | 'P7D' | 'P1W' | 'P15D')
  | (string & {});

const parts = (units: string): string => Array.from(units, (unit) => `(?:\\d+(?:[.,]\\d+)?${unit})?`).join('');

/** `PT1H`, `P1DT12H`, `PT0.5H`; or in the form of a date and a time: `P0000-00-01T00:00:00`. */
const DURATION = new RegExp(
  `^P(?!$)(?:${parts('YMWD')}(?:T(?!$)${parts('HMS')})?|\\d{4}-?\\d\\d-?\\d\\dT\\d\\d:?\\d\\d:?\\d\\d)$`,
);

/** The price of an asset at one moment. */
export interface AssetRate {
  /** ISO 8601, UTC. */
  timestamp?: string | undefined;
  /** One unit of the asset in the quote asset (`page.meta.quote_symbol`). */
  price?: Decimal | undefined;
}

/** Period, interval and page of the rates of an asset. */
export interface AssetRateListParams extends PageParams {
  /** Fiat money to value in, 3 to 16 characters. */
  quote_symbol?: string | undefined;
  /** `fiat`, the only value. */
  quote_type?: 'fiat' | undefined;
  /** First moment, inclusive. ISO 8601, UTC. */
  start_timestamp?: string | undefined;
  /** Last moment, exclusive. ISO 8601, UTC. */
  end_timestamp?: string | undefined;
  /** Time between two rates, for example `PT1H`. */
  interval?: AssetRateInterval | undefined;
  /** 1 to 100; the service's default is 20. */
  page_size?: number | undefined;
}

/** Valuation asset, period and interval of a list of rates, as `page.meta` has them. */
export interface AssetRatePageMeta extends Valuation {
  /** ISO 8601, UTC. */
  start_timestamp?: string | undefined;
  /** ISO 8601, UTC. */
  end_timestamp?: string | undefined;
  interval?: AssetRateInterval | undefined;
  page_size?: number | undefined;
}

const rate = s.output<AssetRate>()(() => z.looseObject({ timestamp: s.optionalText(), price: s.optionalAmount() }));

const ratePageMeta = s.output<AssetRatePageMeta>()(() =>
  z.looseObject({
    ...valuation(),
    start_timestamp: s.optionalText(),
    end_timestamp: s.optionalText(),
    interval: s.optionalText(),
    page_size: z.optional(z.int()),
  }),
);

export const listAssetRates = defineList('assets.rates.list', 'GET /v1/assets/{asset_type}/{asset_symbol}/rates', {
  query: s.input<AssetRateListParams>()(() =>
    z.object({
      quote_symbol: z.optional(s.symbol()),
      quote_type: z.optional(z.literal('fiat')),
      start_timestamp: s.optionalText(),
      end_timestamp: s.optionalText(),
      interval: z.optional(z.string().check(z.regex(DURATION, 'must be an ISO 8601 duration, for example PT1H'))),
      ...s.paging({ max: 100, default: 20 }),
    }),
  ),
  answer: s.page(rate, { echoes: ratePageMeta }),
});

/** `client.assets.rates`: past prices of an asset. */
export class AssetRates extends Resource {
  /**
   * Lists the prices of an asset over a period. `page.meta` has the valuation asset, the period and
   * the interval. Their defaults are those of the service.
   *
   * @example
   * const start_timestamp = new Date(Date.now() - 7 * 86_400_000).toISOString();
   * const params = { interval: 'P1D', start_timestamp };
   * for await (const { timestamp, price } of client.assets.rates.list('crypto', 'BTC', params)) {
   *   console.log(timestamp, price?.toFixed());
   * }
   *
   * @stability documented
   * @param assetType For example `crypto`: one ticker can exist in several classes.
   * @param assetSymbol Ticker, 1 to 16 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    assetType: AssetType,
    assetSymbol: string,
    params?: AssetRateListParams,
    options?: ListOptions,
  ): PagedList<AssetRate, AssetRatePageMeta> {
    return this.api.list(listAssetRates, [assetType, assetSymbol, params], options);
  }
}

/** The valuation of one asset. */
export interface AssetGetParams {
  /** Asset to value in, 3 to 16 characters. The service documents no default. */
  quote_symbol?: string | undefined;
  /** Class of the asset to value in. The service documents no default. */
  quote_type?: 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | undefined;
}

export const listAssets = defineList('assets.list', 'GET /v1/assets', {
  query: assetListParams,
  answer: s.page(assetListing, { echoes: assetPageMeta }),
});

export const getAsset = defineOperation('assets.get', 'GET /v1/assets/{asset_type}/{asset_symbol}', {
  query: s.input<AssetGetParams>()(() =>
    z.object({ quote_symbol: z.optional(s.symbol()), quote_type: z.optional(z.literal(s.ASSET_TYPES)) }),
  ),
  answer: s.data(assetListing),
});

/** `client.assets`: all assets of the service, regardless of the user. */
export class Assets extends Resource {
  readonly rates = new AssetRates(this.api);

  /**
   * Lists all assets with market data. `page.meta` has the valuation asset, order and filters.
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
