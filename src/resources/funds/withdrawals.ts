import * as z from 'zod/mini';
import type { ApiPromise, RequestOptions } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import type { Operation } from '../../schema/operation.js';
import {
  amountInput,
  assetType,
  data,
  input,
  optionalAmount,
  optionalText,
  output,
  symbol,
  withDefault,
} from '../../schema/schema.js';
import type { AssetType } from '../common.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A withdrawal that the service has taken on. Its amounts are in the asset. */
export interface Withdrawal {
  /**
   * Its id in the ledger (`funds.transactions`). A preview may lack it: its answer is not
   * documented.
   */
  ref_id: string;
  amount?: Decimal | undefined;
  fee?: Decimal | undefined;
  total?: Decimal | undefined;
  /** Null if none was given. */
  fee_token?: string | null | undefined;
}

/** The withdrawal to make. */
export interface WithdrawalCreateBody {
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** The name of a saved withdrawal address. */
  key: string;
  /** Plain decimal text, sent unchanged, or a `Decimal`: 1 to 64 characters. */
  amount: Decimal | string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
  /** The documentation shows this parameter without its name: `fee_token` is inferred. */
  fee_token?: string | undefined;
  /**
   * `true` asks what the withdrawal would cost. The documentation shows this parameter without its
   * name: `preview` is inferred. A service that does not know it may refuse it, or withdraw.
   */
  preview?: boolean | undefined;
}

const createBody = input<WithdrawalCreateBody>()(() =>
  z.object({
    asset_symbol: symbol(),
    key: z.string(),
    amount: amountInput(64),
    asset_type: withDefault('crypto', assetType()),
    fee_token: optionalText(),
    preview: z.optional(z.boolean()),
  }),
);

const withdrawal = output<Withdrawal>()(() => {
  const money = optionalAmount();
  return z.looseObject({
    ref_id: z.string(),
    amount: money,
    fee: money,
    total: money,
    fee_token: z.nullish(z.string()),
  });
});

export const createWithdrawal: Operation<Withdrawal> = defineOperation(
  'funds.withdrawals.create',
  `POST ${ACCOUNT}/funds/withdrawals`,
  {
    title: 'Create withdrawal',
    stability: 'documented',
    body: createBody,
    answer: data(withdrawal),
    retrySafety: 'keyed',
  },
);

/** `client.funds.withdrawals`: money out, to saved addresses. */
export class Withdrawals extends Resource {
  /**
   * Withdraws to a saved address. Sent with an `Idempotency-Key`. The names `fee_token` and
   * `preview` are inferred: the documentation shows both parameters without their names.
   *
   * The service documents no read of a withdrawal. Its end comes by the webhooks
   * `withdrawal.completed` and `withdrawal.failed`, and stands in the ledger under its `ref_id`:
   *
   * ```ts
   * const { ref_id } = await client.funds.withdrawals.create(accountId, { asset_symbol: 'BTC', key, amount: '0.5' });
   * const ledger = client.funds.transactions.list({ type: 'withdrawal' });
   * for await (const entry of ledger) if (entry.ref_id === ref_id) return entry.status;
   * ```
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body `key` is the name of an address that `withdrawalAddresses.save` has saved.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: WithdrawalCreateBody, options?: RequestOptions): ApiPromise<Withdrawal> {
    return this.api.call(createWithdrawal, [accountId, body], options);
  }
}
