import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../../call/caller.js';
import { type Polling, pollingOfStatus } from '../../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../../call/wait/poll-options.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import {
  type AssetAmount,
  assetAmount,
  BOTH_SIDES,
  type PageParams,
  pageParams,
  QUOTE_ID_OF_PATH,
  type QuoteSides,
  quoteSideInput,
  quoteSidesInput,
  type WithStatus,
} from '../common.js';
import { ACCOUNT, defineList, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';

/**
 * `pending → offered | failed`, `offered → executing → executed | failed`, or `offered → expired`
 * by time. The set is open.
 */
export type OnchainQuoteStatus =
  | 'pending'
  | 'offered'
  | 'executing'
  | 'executed'
  | 'expired'
  | 'failed'
  | (string & {});

/** A quote that a wallet funds. Your application submits its execution on-chain. */
export interface OnchainQuote {
  id: string;
  status: OnchainQuoteStatus;
  /** ISO 8601, UTC. */
  expires_at: string;
  /** What the wallet pays. */
  from: AssetAmount;
  /** What the wallet receives. */
  to: AssetAmount;
  /** Absent while the quote is `pending`, and perhaps once its status is final. */
  execution_details?: OnchainExecutionDetails | undefined;
}

/** The data to submit on-chain. Amounts are base units in signed data, so they stay strings. */
export interface OnchainExecutionDetails {
  chain_id: string;
  /** On-chain address of the proxy contract. */
  proxy_address: string;
  proxy_swap_message: {
    atomic_message: {
      quote_id: string;
      /** Unix time. The specification does not name the unit. */
      expiration: number;
      incoming_transfer: OnchainTransfer;
      outgoing_transfer: OnchainTransfer;
    };
    /** Hex. */
    atomic_signature: string;
    /** Hex. */
    signature: string;
    client_address: string;
  };
}

/** One transfer of the atomic message. */
type OnchainTransfer = {
  /** Address. */
  from: string;
  /** Address. */
  to: string;
  /** Address of the token's contract. */
  token: string;
  /** Integer in base units. It is signed data, so it is a string and not a `Decimal`. */
  amount: string;
};

/** The on-chain quote to request. Exactly one of `from.amount` and `to.amount` is set. */
export type OnchainQuoteCreateBody = QuoteSides<FromWallet>;

/** A page of the on-chain quotes of an account. */
export type OnchainQuoteListParams = PageParams;

type FromWallet = {
  /** The wallet that funds the quote. `network` is, for example, `ethereum`. */
  wallet: { address: string; network: string };
};

const transfer = () => z.looseObject({ from: z.string(), to: z.string(), token: z.string(), amount: s.baseUnits() });

const onchainQuote = s.output<OnchainQuote>()(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    expires_at: z.string(),
    from: assetAmount(),
    to: assetAmount(),
    execution_details: z.optional(
      z.looseObject({
        chain_id: z.string(),
        proxy_address: z.string(),
        proxy_swap_message: z.looseObject({
          atomic_message: z.looseObject({
            quote_id: z.string(),
            expiration: z.int(),
            incoming_transfer: transfer(),
            outgoing_transfer: transfer(),
          }),
          atomic_signature: z.string(),
          signature: z.string(),
          client_address: z.string(),
        }),
      }),
    ),
  }),
);

export const createOnchainQuote = defineOperation('accounts.onchainQuotes.create', `POST ${ACCOUNT}/onchain-quotes`, {
  body: s.input<OnchainQuoteCreateBody>()(() =>
    quoteSidesInput(
      z.object({ ...quoteSideInput().shape, wallet: z.object({ address: z.string(), network: z.string() }) }),
      quoteSideInput(),
      {},
    ),
  ),
  answer: s.data(onchainQuote),
  correlation: BOTH_SIDES,
  // It takes no idempotency key, and needs none, because a second offer moves nothing.
  retrySafety: 'always',
});

export const getOnchainQuote = defineOperation(
  'accounts.onchainQuotes.get',
  `GET ${ACCOUNT}/onchain-quotes/{quote_id}`,
  { answer: s.data(onchainQuote), correlation: QUOTE_ID_OF_PATH, waitFor: true },
);

export const listOnchainQuotes = defineList('accounts.onchainQuotes.list', `GET ${ACCOUNT}/onchain-quotes`, {
  query: pageParams,
  answer: s.page(onchainQuote),
});

/** The final statuses of an on-chain quote. */
const TERMINAL = ['executed', 'expired', 'failed'] as const;
type TerminalOnchainQuoteStatus = (typeof TERMINAL)[number];

const onchainQuotePolling: Polling<OnchainQuote> = {
  ...pollingOfStatus(getOnchainQuote, TERMINAL),
  until: (quote) => quote?.status === 'offered',
  // Only the service says that a quote has expired. The time says when to look.
  changesAt: (quote) => (quote?.status === 'offered' ? Date.parse(quote.expires_at) : undefined),
};

/** `client.accounts.onchainQuotes`: wallet-funded quotes for tokenised stock and stablecoins. */
export class OnchainQuotes extends Resource {
  /**
   * Requests a price that a wallet funds. Your application submits the execution on-chain, with
   * `execution_details`. The call takes no idempotency key. A lost call is still retried, because a
   * second offer moves nothing.
   *
   * @example
   * const wallet = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', network: 'ethereum' };
   * const { id } = await client.accounts.onchainQuotes.create(accountId, {
   *   from: { symbol: 'USDC', type: 'stablecoin', amount: '100', wallet },
   *   to: { symbol: 'AAPLx', type: 'xstock' },
   * });
   * const quote = await client.accounts.onchainQuotes.waitFor(accountId, id);
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `from.amount` and `to.amount` is set.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   *   ResponseValidationError with the `outcome` `unknown` when the quote has other assets, or
   *   another amount than the one you set, because it belongs to another call.
   */
  create(accountId: string, body: OnchainQuoteCreateBody, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote> {
    return this.api.call(createOnchainQuote, [accountId, body], options);
  }

  /**
   * Reads one on-chain quote. `waitFor` polls it.
   *
   * @example
   * const quote = await client.accounts.onchainQuotes.get(accountId, onchainQuoteId);
   * if (quote.status === 'offered') console.log(quote.execution_details?.proxy_address);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<OnchainQuote> {
    return this.api.call(getOnchainQuote, [accountId, quoteId], options);
  }

  /**
   * Lists the on-chain quotes of an account.
   *
   * @example
   * for await (const { id, status, to } of client.accounts.onchainQuotes.list(accountId)) {
   *   console.log(id, status, to.amount.toFixed(), to.symbol);
   * }
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(accountId: string, params?: OnchainQuoteListParams, options?: ListOptions): PagedList<OnchainQuote> {
    return this.api.list(listOnchainQuotes, [accountId, params], options);
  }

  /**
   * Polls `get` until the quote is `offered`, `failed` or `expired`, or until `until` is met. Then
   * its `execution_details` can be submitted, or never will be. It waits as `quotes.waitFor` does,
   * with the same options. `until: 'executed'` waits until a submitted quote has finished.
   *
   * A terminal status (`executed`, `expired`, `failed`) always ends the wait.
   *
   * @example
   * const quote = await client.accounts.onchainQuotes.waitFor(accountId, onchainQuoteId);
   * if (quote.status === 'offered') console.log(quote.execution_details?.proxy_swap_message);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   *
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s). Its `cause`
   *   is the last failure of a `get`, if one failed. AbortedError, and the errors of `get`.
   */
  waitFor(
    accountId: string,
    quoteId: string,
    options?: WaitOptions<OnchainQuote, never>,
  ): ApiPromise<WithStatus<OnchainQuote, TerminalOnchainQuoteStatus | 'offered'>>;
  /** With one or several statuses as `until`, the result has one of them, or a terminal one. */
  waitFor<const Status extends KnownStatus<OnchainQuote>>(
    accountId: string,
    quoteId: string,
    options: WaitOptions<OnchainQuote, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<OnchainQuote, TerminalOnchainQuoteStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(accountId: string, quoteId: string, options: WaitOptions<OnchainQuote> | undefined): ApiPromise<OnchainQuote>;
  waitFor(accountId: string, quoteId: string, options?: WaitOptions<OnchainQuote>): ApiPromise<OnchainQuote> {
    return this.api.waitFor(onchainQuotePolling, [accountId, quoteId], options);
  }
}
