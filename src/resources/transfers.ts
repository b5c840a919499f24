import type { ApiPromise, ListOptions, PagedList, RequestOptions, UnkeyedRequestOptions } from '../call/caller.js';
import { type Polling, pollingOfStatus } from '../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../call/wait/poll-options.js';
import type { Decimal } from '../schema/decimal.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { ownMember } from '../util/members.js';
import { type AssetType, type OpenPageParams, openPageParams, unpromisedAsset, type WithStatus } from './common.js';
import { ACCOUNT, defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** `pending → processing → completed | failed`, or `pending → cancelled`. The set is open. */
export type TransferStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | (string & {});

/** A transfer out of an account. Only these members are known; others are returned unchanged. */
export interface Transfer {
  id: string;
  status?: TransferStatus | undefined;
  /** The reason of a `failed` transfer. */
  failure_reason?: string | undefined;
  /** The asset that is sent, and its quantity. */
  from?: { asset?: TransferAsset | undefined } | undefined;
  /** Exact quantity in the asset, if the service shows it here. */
  amount?: Decimal | undefined;
  readonly [member: string]: unknown;
}

/** The asset of a transfer. */
type TransferAsset = {
  /** Ticker, for example `BTC`. */
  symbol?: string | undefined;
  type?: AssetType | undefined;
  /** Exact quantity in the asset. */
  amount?: Decimal | undefined;
};

/** The transfer to create. Other members are sent unchanged. */
export interface TransferCreateBody {
  from?:
    | {
        asset?:
          | (Omit<TransferAsset, 'amount'> & {
              /** Plain decimal string, sent unchanged, or a `Decimal`. At most 256 digits. */
              amount?: Decimal | string | undefined;
              readonly [member: string]: unknown;
            })
          | undefined;
        readonly [member: string]: unknown;
      }
    | undefined;
  to: TransferRecipient;
  readonly [member: string]: unknown;
}

/** The recipient of a transfer: exactly one of `account`, `tag` and `email` is set. */
export type TransferRecipient = { readonly [member: string]: unknown } & (
  | {
      /** Id of an account. */
      account: string;
      tag?: undefined;
      email?: undefined;
    }
  | { tag: string; account?: undefined; email?: undefined }
  | { email: string; account?: undefined; tag?: undefined }
);

/** Page of the list of transfers. Other members are sent unchanged. */
export type TransferListParams = OpenPageParams;

const RECIPIENTS = ['account', 'tag', 'email'] as const;

const recipient = (): z.core.$ZodType<unknown, TransferRecipient> => {
  const name = () => s.optionalText();
  const schema = z.looseObject({ account: name(), tag: name(), email: name() }).check(({ value, issues }) => {
    const given = RECIPIENTS.filter((member) => ownMember(value, member) !== undefined);
    if (given.length === 1) return;
    const found = given.length === 0 ? 'none is' : `${given.join(' and ')} are`;
    const message = `exactly one of account, tag and email must be set, ${found}`;
    issues.push({ code: 'custom', path: [], message, input: value });
  });
  return schema as unknown as z.core.$ZodType<unknown, TransferRecipient>;
};

export const transfer = s.output<Transfer>()(() => {
  const asset = z.looseObject({ symbol: s.optionalText(), type: s.optionalText(), amount: s.optionalAmount() });
  return z.looseObject({
    id: z.string(),
    status: s.optionalText(),
    failure_reason: s.optionalText(),
    from: z.optional(z.looseObject({ asset: z.optional(asset) })),
    amount: s.optionalAmount(),
  });
});

export const createTransfer = defineOperation('accounts.transfers.create', `POST ${ACCOUNT}/transfers`, {
  body: s.input<TransferCreateBody>()(() =>
    z.looseObject({
      from: z.optional(
        z.looseObject({
          asset: z.optional(
            z.looseObject({
              symbol: s.optionalText(),
              type: s.optionalText(),
              amount: z.optional(s.amountInput()),
            }),
          ),
        }),
      ),
      to: recipient(),
    }),
  ),
  answer: s.data(transfer),
  correlation: [
    ...unpromisedAsset('from', 'asset'),
    { member: ['amount'], body: ['from', 'asset', 'amount'], as: 'amount', isUnpromised: true },
  ],
  retrySafety: 'keyed',
});

export const listTransfers = defineList('accounts.transfers.list', `GET ${ACCOUNT}/transfers`, {
  query: openPageParams,
  answer: s.page(transfer),
});

/** `client.accounts.transfers`: creates and lists. `client.transfers` reads and cancels one. */
export class AccountTransfers extends Resource {
  /**
   * Sends money to another account, or to a tag or an email address. Sent with an
   * `Idempotency-Key`. `client.transfers.waitFor` polls until the transfer has finished.
   *
   * @example
   * const body = {
   *   from: { asset: { symbol: 'USD', type: 'fiat', amount: '5.00' } },
   *   to: { email: 'ada@customer.example' },
   * };
   * const idempotencyKey = idempotencyKeyFor('payouts', 'accounts.transfers.create', accountId, orderId);
   * const { id } = await client.accounts.transfers.create(accountId, body, { idempotencyKey });
   *
   * @stability partial
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `to.account`, `to.tag` and `to.email` is set. Further members are
   *   sent unchanged.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: TransferCreateBody, options?: RequestOptions): ApiPromise<Transfer> {
    return this.api.call(createTransfer, [accountId, body], options);
  }

  /**
   * Lists the transfers of an account.
   *
   * @example
   * for await (const { id, status, amount } of client.accounts.transfers.list(accountId)) {
   *   console.log(id, status, amount?.toFixed());
   * }
   *
   * @stability partial
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: TransferListParams, options?: ListOptions): PagedList<Transfer> {
    return this.api.list(listTransfers, [accountId, params], options);
  }
}

export const getTransfer = defineOperation('transfers.get', 'GET /v1/transfers/{transfer_id}', {
  answer: s.data(transfer),
  correlation: [{ member: ['id'], param: 'transfer_id' }],
  waitFor: true,
});

export const cancelTransfer = defineOperation('transfers.cancel', 'POST /v1/transfers/{transfer_id}/cancel', {
  answer: { kind: 'json', unwrap: true },
});

/** The final statuses of a transfer. */
const TERMINAL = ['completed', 'failed', 'cancelled'] as const;
type TerminalTransferStatus = (typeof TERMINAL)[number];

const polling: Polling<Transfer> = pollingOfStatus(getTransfer, TERMINAL);

/** `client.transfers`: reads and cancels the transfers of all accounts. */
export class Transfers extends Resource {
  /**
   * Reads one transfer. `waitFor` polls it until it has finished.
   *
   * @example
   * const { status, failure_reason } = await client.transfers.get(transferId);
   * if (status === 'failed') console.log(failure_reason);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws NotFoundError, and the errors of every call.
   */
  get(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<Transfer> {
    return this.api.call(getTransfer, [transferId], options);
  }

  /**
   * Cancels a `pending` transfer. It takes no idempotency key, so the outcome is `unknown` if the
   * response is lost. Then read the transfer with `transfers.get`. The service does not document
   * the response: the value is its `data`, or all of it if there is none.
   *
   * @example
   * await client.transfers.cancel(transferId);
   * const { status } = await client.transfers.get(transferId);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws The errors of every call.
   */
  cancel(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<unknown> {
    return this.api.call(cancelTransfer, [transferId], options);
  }

  /**
   * Polls `get` until the transfer is `completed`, `failed` or `cancelled`, or until `until` is
   * met. An unknown status does not end the wait. For the rest, see `accounts.quotes.waitFor`.
   *
   * @example
   * const end = await client.transfers.waitFor(transferId, { timeout: 300_000 });
   * if (end.status === 'failed') console.log(end.failure_reason);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `get`.
   */
  waitFor(
    transferId: string,
    options?: WaitOptions<Transfer, never>,
  ): ApiPromise<WithStatus<Transfer, TerminalTransferStatus>>;
  /** If `until` is one or several statuses, the result has a final status or one of these. */
  waitFor<const Status extends KnownStatus<Transfer>>(
    transferId: string,
    options: WaitOptions<Transfer, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<Transfer, TerminalTransferStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(transferId: string, options: WaitOptions<Transfer> | undefined): ApiPromise<Transfer>;
  waitFor(transferId: string, options?: WaitOptions<Transfer>): ApiPromise<Transfer> {
    return this.api.waitFor(polling, [transferId], options);
  }
}
