import type { ApiPromise, ListOptions, PagedList, RequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetLabel, type AssetType, assetLabel, type FundingMethod, fundingMethod } from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** An address that takes deposits. */
export interface DepositAddress {
  address: string;
  /** Name of the method. */
  name?: string | undefined;
  /** Without it a deposit on a network that requires one is not credited. */
  tag?: string | null | undefined;
  /** As `tag`, on networks that call it so. */
  memo?: string | null | undefined;
  /** ISO 8601, UTC. Null: the address does not expire. */
  expire_time?: string | null | undefined;
  /** True if this call has made the address. */
  is_new?: boolean | undefined;
}

/** A deposit address in the list. */
export interface DepositAddressEntry {
  asset?: AssetLabel | undefined;
  method?: FundingMethod | undefined;
  address: string;
  /** Without it a deposit on a network that requires one is not credited. */
  tag?: string | null | undefined;
  /** As `tag`, on networks that call it so. */
  memo?: string | null | undefined;
  /** ISO 8601, UTC. Null: the address does not expire. */
  expire_time?: string | null | undefined;
}

/** The deposit address to make. */
export interface DepositAddressCreateBody {
  /** `id` of one that `depositMethods.list` answers for the asset. */
  method_id: string;
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
}

/** Asset and page of the list of deposit addresses. */
export interface DepositAddressListParams {
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
  /** At least 1. The service documents neither a limit nor a default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

const createBody = s.input<DepositAddressCreateBody>()(() =>
  z.object({ method_id: z.string(), asset_symbol: s.symbol(), asset_type: s.withDefault('crypto', s.assetType()) }),
);
const listParams = s.input<DepositAddressListParams>()(() =>
  z.object({ asset_symbol: s.symbol(), asset_type: s.withDefault('crypto', s.assetType()), ...s.paging() }),
);

/** The members that both answers have. */
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
    body: createBody,
    answer: s.data(depositAddress),
    retrySafety: 'keyed',
  },
);

export const listDepositAddresses = defineList(
  'funds.depositAddresses.list',
  `GET ${ACCOUNT}/funds/deposits/addresses`,
  {
    query: listParams,
    answer: s.page(depositAddressEntry),
  },
);

/** `client.funds.depositAddresses`: addresses at which an account takes deposits. */
export class DepositAddresses extends Resource {
  /**
   * Makes an address that takes deposits, or returns one that is there: `is_new` tells which. Show
   * its `tag` or `memo` with it if it has one. Sent with an `Idempotency-Key`.
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
