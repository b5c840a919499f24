import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetQuantity, assetQuantity } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A way to deposit one asset. */
export interface DepositMethod {
  /** UUID: the `method_id` of deposit addresses and deposit limits. */
  id: string;
  /** Name of the network. */
  network?: string | undefined;
  /** Facts about the network. Their form is not documented. */
  network_info?: unknown;
  /** Taken from each deposit. */
  fee?: AssetQuantity | undefined;
  /** Smallest deposit. */
  minimum?: AssetQuantity | undefined;
  /** Largest deposit. */
  maximum?: AssetQuantity | undefined;
  /** Taken once, for a new address. */
  address_setup_fee?: AssetQuantity | undefined;
  /** Taken from each deposit, beside `fee`. */
  fee_percentage?: Decimal | undefined;
  /** Facts about the limits. Their form is not documented. */
  deposit_limit_meta?: unknown;
}

/** Page of the list of deposit methods. */
export interface DepositMethodListParams {
  /** At least 1. The service documents neither a limit nor a default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

const listParams = s.input<DepositMethodListParams>()(() => z.object(s.paging()));

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
  {
    query: listParams,
    answer: s.pageInAnyContainer(depositMethod),
  },
);

/** `client.funds.depositMethods`: the ways to deposit an asset. */
export class DepositMethods extends Resource {
  /**
   * Lists the ways to deposit one asset, with their fees. `depositAddresses.create` takes the `id`
   * of a method, and `depositLimits.list` has its present limits. The service does not document the
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
