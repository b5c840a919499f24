import * as z from 'zod/mini';
import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import { defineOperation, type Operation, once } from '../../schema/operation.js';
import { amount, answer, arrayOf, essential, input, oneOf, output, symbol } from '../../schema/schema.js';
import { type AssetRef, type AssetType, accountParams, assetRef } from '../common.js';
import { Resource } from '../resource.js';

/** The holding of one asset in an account. */
export interface PortfolioEntry extends AssetRef {
  /** Price of one unit in the quote asset. */
  index_price: Decimal;
  /** Quantity in the asset. */
  total: Decimal;
  /** Quantity that is free to use. */
  available: Decimal;
  /** Quantity bound in open orders. */
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
  /** 3 to 16 characters, default `USD`. */
  quote_symbol?: string | undefined;
  /** `fiat` (default) or `stablecoin`. */
  quote_type?: 'fiat' | 'stablecoin' | (string & {}) | undefined;
}

const detailsParams = input<PortfolioDetailsParams>()(() =>
  z.object({ quote_symbol: z.optional(symbol()), quote_type: z.optional(oneOf(['fiat', 'stablecoin'])) }),
);

const pnl = () =>
  z.looseObject({
    unrealized: amount(),
    realized: amount(),
    reference_currency: assetRef(),
    status: z.looseObject({ unrealized: z.string(), realized: z.string() }),
  });

const portfolioEntry = output<PortfolioEntry>()(() =>
  z.extend(assetRef(), {
    index_price: amount(),
    total: amount(),
    available: amount(),
    open_orders: amount(),
    total_in_quote: amount(),
    available_in_quote: amount(),
    avg_entry_price_in_quote: z.nullable(amount()),
    cost_basis_in_quote: z.nullable(amount()),
    pnl: z.optional(pnl()),
  }),
);

const detailsBody = once(() =>
  z.looseObject({ data: essential(z.array(portfolioEntry())), quote_symbol: z.string(), quote_type: z.string() }),
);

export const listPortfolioDetails: Operation<PortfolioDetails> = defineOperation({
  name: 'accounts.portfolio.details',
  title: 'List portfolio details',
  stability: 'specified',
  route: 'GET /v1/accounts/{account_id}/portfolio/details',
  params: accountParams,
  query: detailsParams,
  answer: answer(detailsBody, ({ data, ...echoes }) => ({ items: arrayOf(data), ...echoes })),
});

/** `client.accounts.portfolio`: balances, valuations, profit and loss. */
export class Portfolio extends Resource {
  /**
   * Returns all assets of an account, valued in one asset. The answer is not paged.
   *
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  details(
    accountId: string,
    params?: PortfolioDetailsParams,
    options?: UnkeyedRequestOptions,
  ): ApiPromise<PortfolioDetails> {
    return this.caller.call(listPortfolioDetails, { params: { account_id: accountId }, query: params }, options);
  }
}
