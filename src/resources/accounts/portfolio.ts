import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import { once } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetQuantity,
  type AssetRef,
  type AssetType,
  assetQuantity,
  assetRef,
  type Valuation,
  valuation,
} from '../common.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import { type AssetFilter, assetFilters, PortfolioTransactions } from './portfolio-transactions.js';

/** The holding of one asset in an account. */
export interface PortfolioEntry extends AssetRef {
  /** Price of one unit in the quote asset. */
  index_price: Decimal;
  /** Quantity in the asset. */
  total: Decimal;
  /** Quantity that is free to use. */
  available: Decimal;
  /** Quantity reserved by open orders. */
  open_orders: Decimal;
  /** `total`, valued in the quote asset. */
  total_in_quote: Decimal;
  /** `available`, valued in the quote asset. */
  available_in_quote: Decimal;
  /** Null for fiat. */
  avg_entry_price_in_quote: Decimal | null;
  /** Null for fiat. */
  cost_basis_in_quote: Decimal | null;
  /** Profit and loss; absent for fiat. */
  pnl?:
    | {
        /** In `reference_currency`. */
        unrealized: Decimal;
        /** In `reference_currency`. */
        realized: Decimal;
        reference_currency: AssetRef;
        /** `ready` is the only value seen. */
        status: { unrealized: 'ready' | (string & {}); realized: 'ready' | (string & {}) };
      }
    | undefined;
}

/** The assets of an account, and the asset that they are valued in. */
export interface PortfolioDetails {
  items: PortfolioEntry[];
  quote_symbol: string;
  quote_type: AssetType;
}

/** The asset to value the portfolio in. */
export interface PortfolioDetailsParams {
  /** 3 to 16 characters. Default `USD`. */
  quote_symbol?: string | undefined;
  /** `fiat` or `stablecoin`. Default `fiat`. */
  quote_type?: 'fiat' | 'stablecoin' | undefined;
}

const portfolioEntry = s.output<PortfolioEntry>()(() =>
  z.looseObject({
    ...assetRef().shape,
    index_price: s.amount(),
    total: s.amount(),
    available: s.amount(),
    open_orders: s.amount(),
    total_in_quote: s.amount(),
    available_in_quote: s.amount(),
    avg_entry_price_in_quote: z.nullable(s.amount()),
    cost_basis_in_quote: z.nullable(s.amount()),
    pnl: z.optional(
      z.looseObject({
        unrealized: s.amount(),
        realized: s.amount(),
        reference_currency: assetRef(),
        status: z.looseObject({ unrealized: z.string(), realized: z.string() }),
      }),
    ),
  }),
);

const detailsBody = once(() =>
  z.looseObject({ data: s.essential(z.array(portfolioEntry())), quote_symbol: z.string(), quote_type: z.string() }),
);

type Echoes<Body> = { [Name in keyof Body as Name extends 'data' ? never : Name]: Body[Name] };

/** Returns the members of an envelope with `items` instead of `data`. */
function withItems<Body extends { data: unknown }, Item>(body: Body, items: Item[]): Echoes<Body> & { items: Item[] } {
  return Object.assign(s.without(body, 'data'), { items }) as Echoes<Body> & { items: Item[] };
}

export const listPortfolioDetails = defineOperation('accounts.portfolio.details', `GET ${ACCOUNT}/portfolio/details`, {
  query: s.input<PortfolioDetailsParams>()(() =>
    z.object({
      quote_symbol: s.withDefault('USD', s.symbol()),
      quote_type: s.withDefault('fiat', z.literal(['fiat', 'stablecoin'])),
    }),
  ),
  answer: s.answer(detailsBody, (body) => withItems(body, s.arrayOf<PortfolioEntry>(body.data))),
});

/** An account's value as a whole. Its figures are in the quote asset. */
export interface PortfolioSummary extends Valuation {
  /** Value of all holdings. */
  value?: Decimal | undefined;
  /** Cost of the holdings. */
  cost_basis?: Decimal | undefined;
  /** Value of what is free to use. */
  available?: Decimal | undefined;
  /** Value of what the service withholds: pending withdrawals, bonding, holds. */
  withheld?: Decimal | undefined;
  /** Value of what open orders reserve. */
  open_orders?: Decimal | undefined;
  /** Profit and loss. */
  pnl?: { unrealized?: Decimal | undefined } | undefined;
}

/** The money to value the portfolio in. */
export interface PortfolioSummaryParams {
  /** 3 to 16 characters. Default `USD`. */
  quote_symbol?: string | undefined;
  /** `fiat` is the only value. */
  quote_type?: 'fiat' | undefined;
}

const portfolioSummary = s.output<PortfolioSummary>()(() =>
  z.looseObject({
    ...valuation(),
    value: s.optionalAmount(),
    cost_basis: s.optionalAmount(),
    available: s.optionalAmount(),
    withheld: s.optionalAmount(),
    open_orders: s.optionalAmount(),
    pnl: z.optional(z.looseObject({ unrealized: s.optionalAmount() })),
  }),
);

export const getPortfolioSummary = defineOperation('accounts.portfolio.summary', `GET ${ACCOUNT}/portfolio/summary`, {
  query: s.input<PortfolioSummaryParams>()(() =>
    z.object({ quote_symbol: s.withDefault('USD', s.symbol()), quote_type: z.optional(z.literal('fiat')) }),
  ),
  answer: s.data(portfolioSummary),
});

/** The holdings of an account at one moment. */
export interface PortfolioHistoryPoint {
  /** ISO 8601, UTC. */
  timestamp?: string | undefined;
  assets?: AssetQuantity[] | undefined;
  /** Value of the assets in the quote asset. */
  value?: Decimal | undefined;
  /** Profit and loss in the quote asset. */
  total_pnl?: Decimal | undefined;
}

/** The holdings of an account over time. The other members repeat the parameters of the request. */
export interface PortfolioHistory extends Valuation {
  items: PortfolioHistoryPoint[];
  /** ISO 8601, UTC. */
  start_timestamp?: string | undefined;
  /** ISO 8601, UTC. */
  end_timestamp?: string | undefined;
}

/** The period of a history, its assets, and the asset to value them in. */
export interface PortfolioHistoryParams {
  /** Only these assets. Default: all. */
  assets?: readonly AssetFilter[] | undefined;
  /** ISO 8601, inclusive. The service documents no default. */
  start_timestamp?: string | undefined;
  /** ISO 8601, exclusive. The service documents no default. */
  end_timestamp?: string | undefined;
  /** 3 to 16 characters. Default `USD`. */
  quote_symbol?: string | undefined;
  quote_type?: 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | undefined;
}

const historyPoint = s.output<PortfolioHistoryPoint>()(() =>
  z.looseObject({
    timestamp: s.optionalText(),
    assets: z.optional(z.array(assetQuantity())),
    value: s.optionalAmount(),
    total_pnl: s.optionalAmount(),
  }),
);

const historyBody = once(() =>
  z.looseObject({
    data: s.essential(z.array(historyPoint())),
    ...valuation(),
    start_timestamp: s.optionalText(),
    end_timestamp: s.optionalText(),
  }),
);

export const getPortfolioHistory = defineOperation('accounts.portfolio.history', `GET ${ACCOUNT}/portfolio/history`, {
  query: s.input<PortfolioHistoryParams>()(() =>
    z.object({
      assets: z.optional(assetFilters()),
      start_timestamp: s.optionalText(),
      end_timestamp: s.optionalText(),
      quote_symbol: s.withDefault('USD', s.symbol()),
      quote_type: z.optional(z.literal(s.ASSET_TYPES)),
    }),
  ),
  answer: s.answer(historyBody, (body) => withItems(body, s.arrayOf<PortfolioHistoryPoint>(body.data))),
});

/** `client.accounts.portfolio`: balances, valuations, profit and loss, transactions. */
export class Portfolio extends Resource {
  readonly transactions = new PortfolioTransactions(this.api);

  /**
   * Returns the balances of an account: all its assets, valued in one. The response is not paged.
   *
   * @example
   * const euros = { quote_symbol: 'EUR' };
   * const { items } = await client.accounts.portfolio.details(accountId, euros);
   * for (const { symbol, available } of items) console.log(symbol, available.toFixed());
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  details(
    accountId: string,
    params?: PortfolioDetailsParams,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<PortfolioDetails> {
    return this.api.call(listPortfolioDetails, [accountId, params], options);
  }

  /**
   * Returns the value of an account as a whole: what is available, withheld and in open orders.
   *
   * @example
   * const { value, available, withheld } = await client.accounts.portfolio.summary(accountId);
   * console.log(value?.toFixed(2), available?.toFixed(2), withheld?.toFixed(2));
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  summary(
    accountId: string,
    params?: PortfolioSummaryParams,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<PortfolioSummary> {
    return this.api.call(getPortfolioSummary, [accountId, params], options);
  }

  /**
   * Returns holdings, value, and profit and loss at moments of a period. The service chooses the
   * moments. The response is not paged.
   *
   * @example
   * const assets = [{ symbol: 'BTC', type: 'crypto' }];
   * const { items } = await client.accounts.portfolio.history(accountId, { assets });
   * for (const { timestamp, value } of items) console.log(timestamp, value?.toFixed(2));
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  history(
    accountId: string,
    params?: PortfolioHistoryParams,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<PortfolioHistory> {
    return this.api.call(getPortfolioHistory, [accountId, params], options);
  }
}
