import type { ApiPromise, ListOptions, PagedList, RequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetAmount,
  type AssetLabel,
  type AssetQuantity,
  type AssetRef,
  type AssetType,
  assetAmount,
  assetLabel,
  assetQuantity,
  assetRef,
  type FundingMethod,
  fundingMethod,
  type PageParams,
  pageParams,
} from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A way to deposit one asset. */
export interface DepositMethod {
  /** UUID: the `method_id` of deposit addresses and deposit limits. */
  id: string;
  /** Name of the network. */
  network?: string | undefined;
  /** Facts about the network. Their form is not documented. */
  network_info?: unknown;
  /** Deducted from each deposit. */
  fee?: AssetQuantity | undefined;
  /** Smallest deposit. */
  minimum?: AssetQuantity | undefined;
  /** Largest deposit. */
  maximum?: AssetQuantity | undefined;
  /** Charged once, for a new address. */
  address_setup_fee?: AssetQuantity | undefined;
  /** Deducted from each deposit, in addition to `fee`. */
  fee_percentage?: Decimal | undefined;
  /** Facts about the limits. Their form is not documented. */
  deposit_limit_meta?: unknown;
}

/** Page of the list of deposit methods. */
export type DepositMethodListParams = PageParams;

const depositMethod = s.output<DepositMethod>()(() => {
  const quantity = z.optional(assetQuantity());
  return z.looseObject({
    id: z.string(),
    network: s.optionalText(),
    network_info: z.optional(z.unknown()),
    fee: quantity,
    minimum: quantity,
    maximum: quantity,
    address_setup_fee: quantity,
    fee_percentage: s.optionalAmount(),
    deposit_limit_meta: z.optional(z.unknown()),
  });
});

export const listDepositMethods = defineList(
  'funds.depositMethods.list',
  `GET ${ACCOUNT}/funds/deposits/methods/{asset_symbol}`,
  { query: pageParams, answer: s.page(depositMethod, { arrange: s.listAsData }) },
);

/** `client.funds.depositMethods`: the ways to deposit an asset. */
export class DepositMethods extends Resource {
  /**
   * Lists the ways to deposit one asset, with their fees. `depositAddresses.create` takes the `id`
   * of a method, and `depositLimits.list` has its current limits. The service does not document the
   * container: `data` is the list, or an object with one list. `page.meta` has the other members of
   * both.
   *
   * @example
   * for await (const method of client.funds.depositMethods.list(accountId, 'BTC')) {
   *   console.log(method.id, method.network, method.minimum?.amount.toFixed());
   * }
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param assetSymbol A symbol of the assets API, here 1 to 16 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    accountId: string,
    assetSymbol: string,
    params?: DepositMethodListParams,
    options?: ListOptions,
  ): PagedList<DepositMethod> {
    return this.api.list(listDepositMethods, [accountId, assetSymbol, params], options);
  }
}

/** The limits of one deposit method at this moment. They may change before a deposit. */
export interface DepositLimit {
  /** UUID. Use only methods that are among the deposit methods of the account and asset. */
  method_id: string;
  /** Presumably the limit of one deposit. The specification shows only the form of this member. */
  maximum_amount: AssetAmount;
  /** What may still be deposited in each period. */
  period_limits: {
    type: 'amount' | (string & {});
    period: 'daily' | (string & {});
    /** Length of the period in seconds. */
    period_seconds: number;
    asset: AssetRef;
    /** What remains of `maximum`. */
    remaining: Decimal;
    maximum: Decimal;
  }[];
}

/** Page of the list of deposit limits. */
export interface DepositLimitListParams extends PageParams {
  /** 1 to 25; the service's default is 20. The service ignores it next to a `page_token`. */
  page_size?: number | undefined;
}

const depositLimit = s.output<DepositLimit>()(() =>
  z.looseObject({
    method_id: z.string(),
    maximum_amount: assetAmount(),
    period_limits: z.array(
      z.looseObject({
        type: z.string(),
        period: z.string(),
        period_seconds: z.int(),
        asset: assetRef(),
        remaining: s.amount(),
        maximum: s.amount(),
      }),
    ),
  }),
);

export const listDepositLimits = defineList(
  'funds.depositLimits.list',
  `GET ${ACCOUNT}/funds/deposits/limits/{asset_symbol}`,
  { query: s.input<DepositLimitListParams>()(() => s.pagingBySizeOfToken(25, 20)), answer: s.page(depositLimit) },
);

/** `client.funds.depositLimits`: the limits of deposits, by method. */
export class DepositLimits extends Resource {
  /**
   * Lists the deposit limits of one asset, grouped by method.
   *
   * @example
   * for await (const limit of client.funds.depositLimits.list(accountId, 'BTC')) {
   *   const [daily] = limit.period_limits.filter(({ period }) => period === 'daily');
   *   console.log(limit.method_id, daily?.remaining.toFixed());
   * }
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param assetSymbol A symbol of the assets API, here 1 to 16 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(
    accountId: string,
    assetSymbol: string,
    params?: DepositLimitListParams,
    options?: ListOptions,
  ): PagedList<DepositLimit> {
    return this.api.list(listDepositLimits, [accountId, assetSymbol, params], options);
  }
}

/** The members that a deposit address has in every response. */
interface DepositDestination {
  address: string;
  /** Without it, a deposit on a network that requires one is not credited. */
  tag?: string | null | undefined;
  /** Like `tag`, on networks that call it a memo. */
  memo?: string | null | undefined;
  /** ISO 8601, UTC. Null if the address does not expire. */
  expire_time?: string | null | undefined;
}

/** An address that takes deposits. */
export interface DepositAddress extends DepositDestination {
  /** Name of the method. */
  name?: string | undefined;
  /** True if this call created the address. */
  is_new?: boolean | undefined;
}

/** A deposit address in the list. */
export interface DepositAddressEntry extends DepositDestination {
  asset?: AssetLabel | undefined;
  method?: FundingMethod | undefined;
}

/** The asset of a deposit address. */
interface DepositAsset {
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
}

/** The deposit address to create. */
export interface DepositAddressCreateBody extends DepositAsset {
  /** `id` of a method that `depositMethods.list` returns for the asset. */
  method_id: string;
}

/** Asset and page of the list of deposit addresses. */
export interface DepositAddressListParams extends DepositAsset, PageParams {}

const destination = () => {
  const mark = z.nullish(z.string());
  return { address: z.string(), tag: mark, memo: mark, expire_time: mark };
};

const depositAddress = s.output<DepositAddress>()(() =>
  z.looseObject({ ...destination(), name: s.optionalText(), is_new: z.optional(z.boolean()) }),
);
const depositAddressEntry = s.output<DepositAddressEntry>()(() =>
  z.looseObject({ asset: z.optional(assetLabel()), method: z.optional(fundingMethod()), ...destination() }),
);

export const createDepositAddress = defineOperation(
  'funds.depositAddresses.create',
  `POST ${ACCOUNT}/funds/deposits/addresses`,
  {
    body: s.input<DepositAddressCreateBody>()(() =>
      z.object({ method_id: z.string(), asset_symbol: s.symbol(), asset_type: s.withDefault('crypto', s.assetType()) }),
    ),
    answer: s.data(depositAddress),
    retrySafety: 'keyed',
  },
);

export const listDepositAddresses = defineList(
  'funds.depositAddresses.list',
  `GET ${ACCOUNT}/funds/deposits/addresses`,
  {
    query: s.input<DepositAddressListParams>()(() =>
      z.object({ asset_symbol: s.symbol(), asset_type: s.withDefault('crypto', s.assetType()), ...s.paging() }),
    ),
    answer: s.page(depositAddressEntry),
  },
);

/** `client.funds.depositAddresses`: addresses at which an account takes deposits. */
export class DepositAddresses extends Resource {
  /**
   * Creates an address that takes deposits, or returns an existing one: `is_new` tells which. If
   * the address has a `tag` or `memo`, show that as well. Sent with an `Idempotency-Key`.
   *
   * @example
   * const [method] = await client.funds.depositMethods.list(accountId, 'XRP');
   * if (method === undefined) throw new Error('XRP cannot be deposited');
   * const body = { asset_symbol: 'XRP', method_id: method.id };
   * const { address, tag } = await client.funds.depositAddresses.create(accountId, body);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body `method_id` comes from `depositMethods.list`.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: DepositAddressCreateBody, options?: RequestOptions): ApiPromise<DepositAddress> {
    return this.api.call(createDepositAddress, [accountId, body], options);
  }

  /**
   * Lists the deposit addresses of one asset.
   *
   * @example
   * const addresses = client.funds.depositAddresses.list(accountId, { asset_symbol: 'XRP' });
   * for await (const { address, tag, memo } of addresses) console.log(address, tag, memo);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param params `asset_symbol` is required.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params: DepositAddressListParams, options?: ListOptions): PagedList<DepositAddressEntry> {
    return this.api.list(listDepositAddresses, [accountId, params], options);
  }
}
