import type { ApiPromise, ListOptions, PagedList, RequestOptions } from '../../call/caller.js';
import { type ItemPolling, shownId } from '../../call/wait/poll.js';
import type { ItemWaitOptions } from '../../call/wait/poll-options.js';
import type { Decimal } from '../../schema/decimal.js';
import { once, type PageBody } from '../../schema/operation.js';
import * as s from '../../schema/schema.js';
import { validate } from '../../schema/validate/validate.js';
import * as z from '../../schema/zod.js';
import { type AssetType, type OpenPageParams, openPageParams } from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import {
  type FundsTransaction,
  type FundsTransactionListParams,
  type FundsTransactionStatus,
  listFundsTransactions,
} from './transactions.js';

/**
 * A way to withdraw one asset. Only the names of its members are known, so those of an unknown form
 * are returned unchanged. Check them before use.
 */
export interface WithdrawalMethod {
  /** UUID: the `method_id` of a withdrawal address. */
  method_id?: string | undefined;
  network?: unknown;
  /** Perhaps a decimal string, or an asset with its `amount`, as in deposit methods. */
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
export type WithdrawalMethodListParams = OpenPageParams;

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
    query: openPageParams,
    answer: s.page(withdrawalMethod, { arrange: s.anythingAsData }),
    isAssumed: true,
  },
);

/** `client.funds.withdrawalMethods`: the ways to withdraw an asset. */
export class WithdrawalMethods extends Resource {
  /**
   * Lists the ways to withdraw one asset. `withdrawalAddresses.save` takes the `method_id` of a
   * method. The path is that of an older edition of the API, moved below the account like that of
   * deposit methods. If `data` is neither a list nor an object with one list, it is the only item.
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

/** A withdrawal that the service accepted. Its amounts are in the asset. */
export interface Withdrawal {
  /**
   * Its id in the ledger (`funds.transactions`). A preview may lack it, as its response is not
   * documented.
   */
  ref_id: string;
  /** The requested amount, which the ledger shows. */
  amount?: Decimal | undefined;
  /** Fee of the service. */
  fee?: Decimal | undefined;
  /** What the account pays, including the fee. Store it, because no read returns it. */
  total?: Decimal | undefined;
  /** Null if none was given. */
  fee_token?: string | null | undefined;
}

/** The withdrawal to create. */
export interface WithdrawalCreateBody {
  /** Ticker, 3 to 16 characters. */
  asset_symbol: string;
  /** The name of a saved withdrawal address. */
  key: string;
  /** Plain decimal string, sent unchanged, or a `Decimal`: 1 to 64 characters. */
  amount: Decimal | string;
  /** Default `crypto`. */
  asset_type?: AssetType | undefined;
  /**
   * From `funds.withdrawalMethods.list`. It holds the fee for 10 minutes. The documentation shows
   * this parameter without its name: `fee_token` is inferred.
   */
  fee_token?: string | undefined;
  /**
   * `true` asks what the withdrawal would cost. The documentation shows this parameter without its
   * name: `preview` is inferred. A service that does not know it may reject it, or withdraw, so try
   * it in the test environment first.
   */
  preview?: boolean | undefined;
}

const withdrawal = s.output<Withdrawal>()(() => {
  const money = s.optionalAmount();
  return z.looseObject({
    ref_id: z.string(),
    amount: money,
    fee: money,
    total: money,
    fee_token: z.nullish(z.string()),
  });
});

export const createWithdrawal = defineOperation('funds.withdrawals.create', `POST ${ACCOUNT}/funds/withdrawals`, {
  body: s.input<WithdrawalCreateBody>()(() =>
    z.object({
      asset_symbol: s.symbol(),
      key: z.string(),
      amount: s.amountInput(64),
      asset_type: s.withDefault('crypto', s.assetType()),
      fee_token: s.optionalText(),
      preview: z.optional(z.boolean()),
    }),
  ),
  answer: s.data(withdrawal),
  correlation: [{ member: ['amount'], as: 'amount', isUnpromised: true }],
  retrySafety: 'keyed',
});

/** The ledger is read in pages of the largest size. */
const LEDGER: FundsTransactionListParams = { type: 'withdrawal', page_size: 500 };

const waitParams = once(() => z.object({ account_id: s.principalId(), ref_id: s.text(1, Number.POSITIVE_INFINITY) }));

/** An assumption, so `until` replaces it: no source says which statuses are final. */
const FINAL: readonly FundsTransactionStatus[] = ['success', 'settled', 'completed', 'failure', 'failed'];

// With `responseValidation: 'warn'` the ledger may have anything. The wait then continues.
const pollingOf = (refId: string): ItemPolling<FundsTransaction, PageBody<FundsTransaction>> => ({
  operation: listFundsTransactions,
  method: 'funds.withdrawals.waitFor',
  searched: shownId('ref_id', refId),
  statusOf: (entry) => entry.status,
  isTerminal: () => false,
  until: ({ status }) => FINAL.includes(status ?? ''),
  find: ({ items }) => items.find((entry) => entry?.ref_id === refId),
});

/** `client.funds.withdrawals`: money out, to saved addresses. */
export class Withdrawals extends Resource {
  /**
   * Withdraws to a saved address. Sent with an `Idempotency-Key`. The names `fee_token` and
   * `preview` are inferred, as the documentation shows both parameters without names.
   *
   * The service documents no read of a withdrawal. The webhooks `withdrawal.completed` and
   * `withdrawal.failed` report its result, and the ledger has it under its `ref_id`, where
   * `waitFor` polls it.
   *
   * @example
   * const body = { asset_symbol: 'BTC', key: addressKey, amount: '0.015' };
   * const idempotencyKey = idempotencyKeyFor('payouts', 'funds.withdrawals.create', accountId, orderId);
   * const { ref_id } = await client.funds.withdrawals.create(accountId, body, { idempotencyKey });
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body `key` is the name of an address that `withdrawalAddresses.save` has saved.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: WithdrawalCreateBody, options?: RequestOptions): ApiPromise<Withdrawal> {
    return this.api.call(createWithdrawal, [accountId, body], options);
  }

  /**
   * Polls the ledger (`funds.transactions.list`) until the entry of the withdrawal is `success`,
   * `settled`, `completed`, `failure` or `failed`. That these are final is an assumption, because
   * no source says so. For example, `success` may come before `settled`. Ask the service
   * (`docs/reference/questions.md` of this package), and check the `status` of the result before
   * you book the withdrawal or pay again. `until` replaces all five, so include the failures.
   *
   * A ledger without the entry counts as pending, and `onPoll` gets undefined. The ledger is that
   * of all accounts, and its order is not documented. A poll reads its first page, and at most four
   * others, continuing where the previous poll stopped. A page has up to 500 entries. For the rest,
   * see `accounts.quotes.waitFor`.
   *
   * A withdrawal may take hours, and many waits read the ledger many times. The webhooks
   * `withdrawal.completed` and `withdrawal.failed` report its result without polling.
   *
   * @example
   * const { status } = await client.funds.withdrawals.waitFor(accountId, refId, { timeout: 300_000 });
   * if (status === 'failure' || status === 'failed') console.log(`${refId} has failed`);
   * // Or with the statuses that the service has confirmed to you:
   * await client.funds.withdrawals.waitFor(accountId, refId, { until: ['success', 'failure'] });
   *
   * @stability partial
   * @param accountId 14 to 42 characters: the account of the withdrawal.
   * @param refId At least one character: the `ref_id` that `create` returned.
   * @throws RequestValidationError for invalid ids and options. TimeoutError when the wait takes
   *   longer than its `timeout` (default 60 s). AbortedError, and the errors of
   *   `funds.transactions.list`.
   */
  waitFor(accountId: string, refId: string, options?: ItemWaitOptions<FundsTransaction>): ApiPromise<FundsTransaction> {
    const issues = validate(waitParams, { account_id: accountId, ref_id: refId });
    return this.api.waitForItem(pollingOf(refId), [LEDGER], options, issues);
  }
}
