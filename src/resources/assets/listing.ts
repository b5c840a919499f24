import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetType, type NamedAssetRef, namedAssetRef, type PageParams } from '../common.js';

/** One asset with its display and market data. Plain fiat money has no market members. */
export interface AssetListing {
  /** Ticker, for example `BTC`. */
  symbol: string;
  type: AssetType;
  /** Display name. */
  name: string;
  status: {
    swap_trading: {
      enabled: boolean;
      /** Assets against which swap trading is disabled. */
      disabled_against: NamedAssetRef[];
    };
    withdraw: { enabled: boolean };
    deposit: { enabled: boolean };
  };
  logo: {
    /** The service documents no unit; the sandbox uses pixels. */
    width: number;
    /** In the unit of `width`. */
    height: number;
    /** URL. */
    href: string;
    /** Media type. */
    type: string;
  };
  /** Decimal places in which the asset is funded and swapped. */
  decimals: { funding: number; swap: number };
  /** `YYYY-MM-DD`. */
  listing_date: string;
  /** In the quote asset (`page.meta.quote_symbol`). */
  price?: Decimal | undefined;
  /** In the quote asset. */
  market_cap?: Decimal | undefined;
  market_cap_rank?: number | undefined;
  trending_rank?: number | undefined;
  volume?: { last_24h?: Decimal | undefined } | undefined;
  /** Units in existence; `in_quote`: the same, valued in the quote asset. */
  supply?: (SupplyFigures & { in_quote?: SupplyFigures | undefined }) | undefined;
  /** Percent, for example `-1.25`, over each period. */
  price_change_percent?:
    | {
        last_1h?: Decimal | undefined;
        last_24h?: Decimal | undefined;
        last_7d?: Decimal | undefined;
        last_30d?: Decimal | undefined;
        last_1y?: Decimal | undefined;
      }
    | undefined;
  /** All-time high, in the quote asset. */
  ath?: { value: Decimal; timestamp: string } | undefined;
}

/** Units in existence. Each figure may be missing. */
type SupplyFigures = {
  circulating?: Decimal | undefined;
  total?: Decimal | undefined;
  max?: Decimal | undefined;
};

/** Filters, order and page of an asset list. */
export interface AssetListParams extends PageParams {
  /** Only these classes, at most 4. Default: all. */
  type?: readonly AssetType[] | undefined;
  /** `true`: only assets that can be swapped now. Default: no filter. */
  swap_trading?: boolean | undefined;
  /** `true`: only assets that can be withdrawn now. Default: no filter. */
  withdraw?: boolean | undefined;
  /** `true`: only assets that can be deposited now. Default: no filter. */
  deposit?: boolean | undefined;
  /** Default `market_cap_rank`. */
  sort?: AssetSort | undefined;
  /** Default `asc`. */
  sort_direction?: 'asc' | 'desc' | undefined;
  /** 1 to 100; the service's default is 20. */
  page_size?: number | undefined;
  /** Fiat money to value in, 3 to 16 characters. Default `USD`. */
  quote_symbol?: string | undefined;
  /** Default `fiat`, the only value. */
  quote_type?: 'fiat' | undefined;
}

const SORTS = [
  'trending_rank',
  'market_cap_rank',
  'market_cap',
  'price',
  'volume.last_24h',
  'price_change_percent.last_1h',
  'price_change_percent.last_24h',
  'price_change_percent.last_7d',
  'price_change_percent.last_30d',
  'price_change_percent.last_1y',
  'symbol',
  'name',
  'listing_date',
] as const;

/** The order of a list of assets. */
export type AssetSort = (typeof SORTS)[number];

/** The filters and the order of a list of assets, as every page has them in `page.meta`. */
export interface AssetPageMeta {
  quote_symbol: string;
  quote_type: AssetType;
  page_size: number;
  sort: AssetSort | (string & {});
  sort_direction: 'asc' | 'desc' | (string & {});
  /** The classes that the filter selects. Empty if the request had no such filter. */
  type: AssetType[];
  /** Present only when the filter is applied. */
  swap_trading?: boolean | undefined;
  /** Present only when the filter is applied. */
  withdraw?: boolean | undefined;
  /** Present only when the filter is applied. */
  deposit?: boolean | undefined;
}

export const assetListParams = s.input<AssetListParams>()(() =>
  z.object({
    type: z.optional(s.readonlyList(z.array(s.assetType()).check(z.maxLength(4)))),
    swap_trading: z.optional(z.boolean()),
    withdraw: z.optional(z.boolean()),
    deposit: z.optional(z.boolean()),
    sort: s.withDefault('market_cap_rank', z.literal(SORTS)),
    sort_direction: s.withDefault('asc', z.literal(['asc', 'desc'])),
    ...s.paging({ max: 100, default: 20 }),
    quote_symbol: s.withDefault('USD', s.symbol()),
    quote_type: s.withDefault('fiat', z.literal('fiat')),
  }),
);

const enabled = () => z.looseObject({ enabled: z.boolean() });
const supplyFigures = () => ({
  circulating: s.optionalAmount(),
  total: s.optionalAmount(),
  max: s.optionalAmount(),
});

export const assetListing = s.output<AssetListing>()(() =>
  z.looseObject({
    symbol: z.string(),
    type: z.string(),
    name: z.string(),
    status: z.looseObject({
      swap_trading: z.looseObject({
        enabled: z.boolean(),
        disabled_against: z.array(namedAssetRef()),
      }),
      withdraw: enabled(),
      deposit: enabled(),
    }),
    logo: z.looseObject({ width: z.int(), height: z.int(), href: z.string(), type: z.string() }),
    decimals: z.looseObject({ funding: z.int(), swap: z.int() }),
    listing_date: z.string(),
    price: s.optionalAmount(),
    market_cap: s.optionalAmount(),
    market_cap_rank: z.optional(z.int()),
    trending_rank: z.optional(z.int()),
    volume: z.optional(z.looseObject({ last_24h: s.optionalAmount() })),
    supply: z.optional(z.looseObject({ ...supplyFigures(), in_quote: z.optional(z.looseObject(supplyFigures())) })),
    price_change_percent: z.optional(
      z.looseObject({
        last_1h: s.optionalAmount(),
        last_24h: s.optionalAmount(),
        last_7d: s.optionalAmount(),
        last_30d: s.optionalAmount(),
        last_1y: s.optionalAmount(),
      }),
    ),
    ath: z.optional(z.looseObject({ value: s.amount(), timestamp: z.string() })),
  }),
);

export const assetPageMeta = s.output<AssetPageMeta>()(() =>
  z.looseObject({
    quote_symbol: z.string(),
    quote_type: z.string(),
    page_size: z.int(),
    sort: z.string(),
    sort_direction: z.string(),
    type: z.array(z.string()),
    swap_trading: z.optional(z.boolean()),
    withdraw: z.optional(z.boolean()),
    deposit: z.optional(z.boolean()),
  }),
);
