import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/**
 * A way to withdraw one asset. Only the names of its members are known, so those of an unknown form
 * are passed on unchanged: check them before use.
 */
export interface WithdrawalMethod {
  /** UUID: the `method_id` of a withdrawal address. */
  method_id?: string | undefined;
  network?: unknown;
  /** Perhaps a decimal string, or an asset with its `amount`, as deposit methods have it. */
  fee?: unknown;
  /** Holds `fee` for 10 minutes: pass it to `funds.withdrawals.create`. */
  fee_token?: string | null | undefined;
  /** Smallest withdrawal, perhaps in the form of `fee`. */
  minimum?: unknown;
  /** Largest withdrawal, perhaps in the form of `fee`. */
  maximum?: unknown;
  [member: string]: unknown;
}

/** Page of the list of withdrawal methods. Any further parameter is sent unchanged. */
export interface WithdrawalMethodListParams {
  /** At least 1. Neither a limit nor a default is known. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
  [parameter: string]: unknown;
}

const listParams = s.input<WithdrawalMethodListParams>()(() => z.looseObject(s.paging()));

const withdrawalMethod = s.output<WithdrawalMethod>()(() => {
  const unknown = z.optional(z.unknown());
  return z.looseObject({
    method_id: s.optionalText(),
    network: unknown,
    fee: unknown,
    fee_token: z.nullish(z.string()),
    minimum: unknown,
    maximum: unknown,
  });
});

export const listWithdrawalMethods = defineList(
  'funds.withdrawalMethods.list',
  `GET ${ACCOUNT}/funds/withdrawals/methods/{asset_symbol}`,
  {
    query: listParams,
    answer: s.pageOfAnything(withdrawalMethod),
    isAssumed: true,
  },
);

/** `client.funds.withdrawalMethods`: the ways to withdraw an asset. */
export class WithdrawalMethods extends Resource {
  /**
   * Lists the ways to withdraw one asset. `withdrawalAddresses.save` takes the `method_id` of a
   * method. The path is that of an older edition of the API, moved below the account as that of
   * deposit methods is. If `data` is neither a list nor an object with one list, it is the only
   * item.
   *
   * @example
   * const methods = client.funds.withdrawalMethods.list(accountId, 'BTC');
   * for await (const { method_id, network, fee } of methods) console.log(method_id, network, fee);
   *
   * @stability assumed
   * @param accountId 14 to 42 characters.
   * @param assetSymbol A symbol of the assets API, here 1 to 16 characters.
   * @throws NotFoundError or UnimplementedError when the service has another path, and the errors
   *   of every call.
   */
  list(
    accountId: string,
    assetSymbol: string,
    params?: WithdrawalMethodListParams,
    options?: ListOptions,
  ): PagedList<WithdrawalMethod> {
    return this.api.list(listWithdrawalMethods, [accountId, assetSymbol, params], options);
  }
}
