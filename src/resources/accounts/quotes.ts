import * as z from 'zod/mini';
import type { ApiPromise, RequestOptions, UnkeyedRequestOptions } from '../../call/caller.js';
import type { Polling } from '../../call/poll.js';
import type { WaitOptions } from '../../call/poll-options.js';
import type { Correlation } from '../../schema/correlation.js';
import type { Decimal } from '../../schema/decimal.js';
import { defineOperation, type Operation, once } from '../../schema/operation.js';
import { amount, data, input, output, principalId, text } from '../../schema/schema.js';
import {
  type AssetAmount,
  accountParams,
  assetAmount,
  BOTH_SIDES,
  type ComputedQuoteSide,
  type FixedQuoteSide,
  type NamedAssetRef,
  namedAssetRef,
  quoteSideInput,
  quoteSidesInput,
} from '../common.js';
import { Resource } from '../resource.js';

/** `offered → executing → executed | failed`, or `offered → expired` by time. The set is open. */
export type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

/** A price, locked until `expires_at`. */
export interface Quote {
  id: string;
  status: QuoteStatus;
  /** ISO 8601, UTC. About 30 s after creation. */
  expires_at: string;
  /** The account gives this. */
  from: AssetAmount;
  /** The account receives this. */
  to: AssetAmount;
  fees: {
    /** The platform's fee. */
    trade: AssetAmount;
  };
  /** `price`: one unit of `base` in `quote`. */
  rate: { base: NamedAssetRef; quote: NamedAssetRef; price: Decimal };
}

/** A quote keeps these statuses for good. */
type TerminalQuoteStatus = 'executed' | 'expired' | 'failed';

/** A quote with one of these statuses, which `status` tells apart. Any quote for any text. */
export type QuoteWithStatus<Status extends QuoteStatus> = string extends Status
  ? Quote
  : Status extends unknown
    ? Quote & { status: Status }
    : never;

/** A quote that does not change any more. */
export type TerminalQuote = QuoteWithStatus<TerminalQuoteStatus>;

/** The quote to ask for. Exactly one of `from.amount` and `to.amount` is set. */
export type QuoteCreateBody = QuoteTerms &
  ({ from: FixedQuoteSide; to: ComputedQuoteSide } | { from: ComputedQuoteSide; to: FixedQuoteSide });

type QuoteTerms = {
  /** The partner's fee in basis points, 100 = 1 %. Default: none. */
  fee?: { bps: number } | undefined;
};

/** The answer to an execution, not a whole quote: `quotes.waitFor` gives the end. */
export interface QuoteExecution {
  id: string;
  status?: QuoteStatus | undefined;
  /** ISO 8601, UTC. */
  executed_at?: string | undefined;
}

const quoteParams = once(() => z.object({ account_id: principalId(), quote_id: text(1, 64) }));

const quote = output<Quote>()(() =>
  z.looseObject({
    id: z.string(),
    status: z.string(),
    expires_at: z.string(),
    from: assetAmount(),
    to: assetAmount(),
    fees: z.looseObject({ trade: assetAmount() }),
    rate: z.looseObject({ base: namedAssetRef(), quote: namedAssetRef(), price: amount() }),
  }),
);

const quoteCreateBody = input<QuoteCreateBody>()(() =>
  quoteSidesInput(quoteSideInput(), quoteSideInput(), { fee: z.optional(z.object({ bps: z.number() })) }),
);

const quoteExecution = output<QuoteExecution>()(() =>
  z.looseObject({ id: z.string(), status: z.optional(z.string()), executed_at: z.optional(z.string()) }),
);

const quoteIdOfPath: readonly Correlation[] = [{ member: ['id'], param: 'quote_id' }];

export const getQuote: Operation<Quote> = defineOperation({
  name: 'accounts.quotes.get',
  title: 'Get quote',
  stability: 'specified',
  route: 'GET /v1/accounts/{account_id}/quotes/{quote_id}',
  params: quoteParams,
  answer: data(quote),
  correlation: quoteIdOfPath,
});

export const createQuote: Operation<Quote> = defineOperation({
  name: 'accounts.quotes.create',
  title: 'Create quote',
  stability: 'documented',
  route: 'POST /v1/accounts/{account_id}/quotes',
  params: accountParams,
  body: quoteCreateBody,
  answer: data(quote),
  correlation: BOTH_SIDES,
  retrySafety: 'keyed',
});

export const executeQuote: Operation<QuoteExecution> = defineOperation({
  name: 'accounts.quotes.execute',
  title: 'Execute quote',
  stability: 'documented',
  route: 'POST /v1/accounts/{account_id}/quotes/{quote_id}/execute',
  params: quoteParams,
  answer: data(quoteExecution),
  correlation: quoteIdOfPath,
  retrySafety: 'keyed',
});

const TERMINAL: ReadonlySet<QuoteStatus> = new Set<TerminalQuoteStatus>(['executed', 'expired', 'failed']);

// With `responseValidation: 'warn'` a quote may be anything. The wait goes on then.
const quotePolling: Polling<Quote> = {
  operation: getQuote,
  statusOf: (quote) => quote?.status,
  isTerminal: (quote) => TERMINAL.has(quote?.status),
  until: () => false,
  // Only the service says that a quote has expired. The time tells when to look.
  changesAt: (quote) => (quote?.status === 'offered' ? Date.parse(quote.expires_at) : undefined),
};

/** `client.accounts.quotes`: prices to convert at. */
export class Quotes extends Resource {
  /**
   * Reads one quote. `waitFor` polls it until its end.
   *
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<Quote> {
    return this.caller.call(getQuote, { params: { account_id: accountId, quote_id: quoteId } }, options);
  }

  /**
   * Asks for a price, locked for about 30 s. Sent with an `Idempotency-Key`.
   *
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `from.amount` and `to.amount` is set.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: QuoteCreateBody, options?: RequestOptions): ApiPromise<Quote> {
    return this.caller.call(createQuote, { params: { account_id: accountId }, body }, options);
  }

  /**
   * Executes an offered quote. Sent with an `Idempotency-Key`. `waitFor` polls until it is executed
   * or has failed.
   *
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws GoneError when the quote has expired, and the errors of every call.
   */
  execute(accountId: string, quoteId: string, options?: RequestOptions): ApiPromise<QuoteExecution> {
    return this.caller.call(executeQuote, { params: { account_id: accountId, quote_id: quoteId } }, options);
  }

  /**
   * Polls `get` until the quote is `executed`, `expired` or `failed`, or until `until` is met. The
   * type of the result tells the outcome:
   *
   * ```ts
   * await client.accounts.quotes.execute(accountId, quoteId);
   * const end = await client.accounts.quotes.waitFor(accountId, quoteId, { timeout: 30_000 });
   * if (end.status === 'executed') console.log(end.to.amount.toFixed());
   * ```
   *
   * A terminal status ends the wait also if `until` names another one, since the quote does not
   * change any more. An unknown status does not end it. The delays grow from about 0.2 s to 5 s,
   * with jitter. An offered quote is polled right after its `expires_at`.
   *
   * A `get` that failed after its own retries with a connection error, a timeout or a 5xx does not
   * end the wait. Any other error does, unchanged.
   *
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   *
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s). Its `cause`
   *   is the last failure of a `get`, if one failed. AbortedError, and the errors of `get`.
   */
  waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote, never>): ApiPromise<TerminalQuote>;
  /** With one or several statuses as `until`, the result may also have one of them. */
  waitFor<const Status extends QuoteStatus>(
    accountId: string,
    quoteId: string,
    options: WaitOptions<Quote, Status | readonly Status[]>,
  ): ApiPromise<QuoteWithStatus<TerminalQuoteStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(accountId: string, quoteId: string, options: WaitOptions<Quote> | undefined): ApiPromise<Quote>;
  waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote>): ApiPromise<Quote> {
    return this.caller.waitFor(quotePolling, { params: { account_id: accountId, quote_id: quoteId } }, options);
  }
}
