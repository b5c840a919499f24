import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetQuantity, type AssetType, assetQuantity, type OpenPageParams } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

const TYPES = [
  'simple_order',
  'simple_order_failed',
  'price_trigger_swap',
  'price_trigger_swap_failed',
  'earn_reward',
  'deposit',
] as const;

/** Kind of a transaction. The set is open; as input, only the known kinds are sent. */
export type PortfolioTransactionType = (typeof TYPES)[number] | (string & {});

/** A quantity of an asset, and its value. */
export interface ValuedAssetQuantity extends AssetQuantity {
  /** Its value in the quote asset, a fiat currency: by default US dollars. */
  amount_in_quote?: Decimal | undefined;
}

/** The spent or the received side of a transaction. */
export interface PortfolioTransactionSide {
  /** ISO 8601, UTC. */
  timestamp?: string | undefined;
  /** Without the fee. */
  sub_total?: ValuedAssetQuantity | undefined;
  fee?: ValuedAssetQuantity | undefined;
  /** With the fee. */
  total?: ValuedAssetQuantity | undefined;
  /** The account's balance of the asset afterwards. */
  balance?: ValuedAssetQuantity | undefined;
}

/** A movement of an account's balances, or an order that has failed. */
export interface PortfolioTransaction {
  id: string;
  /** ISO 8601, UTC. */
  timestamp?: string | undefined;
  type?: PortfolioTransactionType | undefined;
  status?: 'in_progress' | 'successful' | 'failed' | 'no_status' | 'uncategorized' | (string & {}) | undefined;
  /** The side that left the account. */
  spend?: PortfolioTransactionSide | undefined;
  /** The side that the account received. */
  receive?: PortfolioTransactionSide | undefined;
}

/** Selects assets: by ticker, by class, or by both. */
export interface AssetFilter {
  /** 3 to 16 characters. */
  symbol?: string | undefined;
  type?: AssetType | undefined;
}

/**
 * Filters and page of an account's transactions. The service also filters by status and by ids,
 * sorts (`asc`, `desc`) and takes another quote asset than USD. The names of these parameters are
 * not known, so any other parameter is sent unchanged.
 */
export interface PortfolioTransactionListParams extends OpenPageParams {
  /** Only these kinds. Default: all. */
  types?: readonly PortfolioTransactionType[] | undefined;
  /** Only transactions of these assets. Default: all. */
  assets?: readonly (AssetFilter & { [member: string]: unknown })[] | undefined;
  /** ISO 8601, inclusive. Default: from the beginning. */
  start_timestamp?: string | undefined;
  /** ISO 8601, inclusive. Default: to the end. */
  end_timestamp?: string | undefined;
  /** 1 to 25; the service's default is 20. */
  page_size?: number | undefined;
}

/** The schema of `assets`. An empty filter would not be sent, and would select everything. */
export const assetFilters = (object: typeof z.object = z.object) =>
  s.readonlyList(
    z.array(
      object({ symbol: z.optional(s.symbol()), type: z.optional(s.assetType()) }).check(
        z.refine(({ symbol, type }) => symbol !== undefined || type !== undefined, 'must have symbol or type'),
      ),
    ),
  );

const valued = () => z.optional(z.looseObject({ ...assetQuantity().shape, amount_in_quote: s.optionalAmount() }));
const side = () =>
  z.optional(
    z.looseObject({
      timestamp: s.optionalText(),
      sub_total: valued(),
      fee: valued(),
      total: valued(),
      balance: valued(),
    }),
  );

const transaction = s.output<PortfolioTransaction>()(() =>
  z.looseObject({
    id: z.string(),
    timestamp: s.optionalText(),
    type: s.optionalText(),
    status: s.optionalText(),
    spend: side(),
    receive: side(),
  }),
);

export const listPortfolioTransactions = defineList(
  'accounts.portfolio.transactions.list',
  `GET ${ACCOUNT}/portfolio/transactions`,
  {
    query: s.input<PortfolioTransactionListParams>()(() =>
      z.looseObject({
        types: z.optional(s.readonlyList(z.array(s.oneOf(TYPES)))),
        assets: z.optional(assetFilters(z.looseObject as unknown as typeof z.object)),
        start_timestamp: s.optionalText(),
        end_timestamp: s.optionalText(),
        ...s.paging({ max: 25, default: 20 }),
      }),
    ),
    answer: s.page(transaction),
  },
);

/** `client.accounts.portfolio.transactions`: orders, rewards and deposits of an account. */
export class PortfolioTransactions extends Resource {
  /**
   * Lists orders, earn rewards and deposits of an account.
   *
   * @example
   * const params = { types: ['deposit'], assets: [{ symbol: 'BTC', type: 'crypto' }] };
   * const deposits = client.accounts.portfolio.transactions.list(accountId, params);
   * for await (const { receive } of deposits) console.log(receive?.total?.amount.toFixed());
   *
   * @stability partial
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    accountId: string,
    params?: PortfolioTransactionListParams,
    options?: ListOptions,
  ): PagedList<PortfolioTransaction> {
    return this.api.list(listPortfolioTransactions, [accountId, params], options);
  }
}
