import type { ListOptions, PagedList } from '../../call/caller.js';
import type { Decimal } from '../../schema/decimal.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetLabel, assetLabel } from '../common.js';
import { defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/**
 * The statuses that are public: the reference shows `pending`, `success` and `settled`, an older
 * guide `pending`, `held`, `success` and `failure`, and events are named `completed` and `failed`.
 * The set is open, and no source says which are final.
 */
export type FundsTransactionStatus =
  | 'pending'
  | 'held'
  | 'success'
  | 'settled'
  | 'failure'
  | 'failed'
  | 'completed'
  | (string & {});

/** A deposit or a withdrawal in the ledger. */
export interface FundsTransaction {
  type?: 'withdrawal' | 'deposit' | (string & {}) | undefined;
  /** ISO 8601, UTC, milliseconds. */
  timestamp?: string | undefined;
  asset?: AssetLabel | undefined;
  amount?: Decimal | undefined;
  status?: FundsTransactionStatus | undefined;
  /** The `ref_id` of a withdrawal. */
  ref_id: string;
}

/** Kind and page of the ledger. */
export interface FundsTransactionListParams {
  type: 'withdrawal' | 'deposit' | (string & {});
  /** 1 to 500; the service's default is 25. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  cursor?: string | undefined;
}

const transaction = s.output<FundsTransaction>()(() =>
  z.looseObject({
    type: s.optionalText(),
    timestamp: s.optionalText(),
    asset: z.optional(assetLabel()),
    amount: s.optionalAmount(),
    status: s.optionalText(),
    ref_id: z.string(),
  }),
);

export const listFundsTransactions = defineOperation('funds.transactions.list', 'GET /v1/funds/transactions', {
  query: s.input<FundsTransactionListParams>()(() =>
    z.object({
      type: s.oneOf(['withdrawal', 'deposit']),
      page_size: s.paging({ max: 500, default: 25 }).page_size,
      cursor: z.optional(s.text(1, s.MAX_TOKEN_LENGTH)),
    }),
  ),
  answer: s.page(transaction),
  cursor: 'cursor',
  waitFor: 'funds.withdrawals.waitFor',
});

/** `client.funds.transactions`: the ledger of deposits and withdrawals. */
export class FundsTransactions extends Resource {
  /**
   * Lists the deposits, or the withdrawals, of all accounts. To get the next page, pass the
   * `nextPageToken` of the page before as `cursor`.
   *
   * @example
   * for await (const entry of client.funds.transactions.list({ type: 'withdrawal' })) {
   *   console.log(entry.timestamp, entry.ref_id, entry.amount?.toFixed(), entry.status);
   * }
   *
   * @stability documented
   * @param params `type` is required.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params: FundsTransactionListParams, options?: ListOptions): PagedList<FundsTransaction> {
    return this.api.list(listFundsTransactions, [params], options);
  }
}
