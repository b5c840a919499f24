import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetAmount, type AssetRef, assetAmount, assetRef } from '../common.js';
import { ACCOUNT, defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** The limits of one deposit method at the time of the answer. They may change before a deposit. */
export interface DepositLimit {
  /** UUID. Use only methods that are among the deposit methods of the account and asset. */
  method_id: string;
  /** Presumably of one deposit: the specification shows the form of this member alone. */
  maximum_amount: AssetAmount;
  /** The rest that may be deposited in each period. */
  period_limits: {
    type: 'amount' | (string & {});
    period: 'daily' | (string & {});
    /** Length of the period in seconds. */
    period_seconds: number;
    asset: AssetRef;
    /** The rest of `maximum`. */
    remaining: Decimal;
    maximum: Decimal;
  }[];
}

/** Page of the list of deposit limits. */
export interface DepositLimitListParams {
  /** 1 to 25; the service's default is 20. The service ignores it beside a `page_token`. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

const listParams = s.input<DepositLimitListParams>()(() => s.pagingBySizeOfToken(25, 20));

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
  {
    query: listParams,
    answer: s.page(depositLimit),
  },
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
