import type { ApiPromise, RequestOptions, UnkeyedRequestOptions } from '../../call/caller.js';
import { type Polling, pollingOfStatus } from '../../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../../call/wait/poll-options.js';
import { Resource } from '../resource.js';
import {
  createQuote,
  executeQuote,
  getQuote,
  type Quote,
  type QuoteCreateBody,
  type QuoteExecution,
  type QuoteWithStatus,
  type TerminalQuote,
  type TerminalQuoteStatus,
} from './quote.js';
import { newDecisions, type Trade, type TradeOptions, trade } from './trade.js';

const TERMINAL: readonly TerminalQuoteStatus[] = ['executed', 'expired', 'failed'];

const quotePolling: Polling<Quote> = {
  ...pollingOfStatus(getQuote, TERMINAL),
  // Only the service says that a quote has expired. The time says when to look.
  changesAt: (quote) => (quote?.status === 'offered' ? Date.parse(quote.expires_at) : undefined),
};

/** `client.accounts.quotes`: prices to convert at. */
export class Quotes extends Resource {
  readonly #decisions = newDecisions();

  /**
   * Reads one quote. `waitFor` polls it until its status is final.
   *
   * @example
   * const quote = await client.accounts.quotes.get(accountId, quoteId);
   * console.log(quote.status, quote.rate.price.toFixed(), quote.expires_at);
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, quoteId: string, options?: UnkeyedRequestOptions): ApiPromise<Quote> {
    return this.api.call(getQuote, [accountId, quoteId], options);
  }

  /**
   * Requests a price, locked for about 30 s. Sent with an `Idempotency-Key`.
   *
   * @example
   * const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
   * const body = { from, to: { symbol: 'BTC', type: 'crypto' } };
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.quotes.create', accountId, orderId);
   * const quote = await client.accounts.quotes.create(accountId, body, { idempotencyKey });
   * console.log(quote.to.amount.toFixed(), quote.fees.trade.amount.toFixed(), quote.expires_at);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `from.amount` and `to.amount` is set.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   *   ResponseValidationError with the `outcome` `unknown` when the quote has other assets, or
   *   another amount than the one you set, because it belongs to another call. A retry with the
   *   same `idempotencyKey` returns your own quote.
   */
  create(accountId: string, body: QuoteCreateBody, options?: RequestOptions): ApiPromise<Quote> {
    return this.api.call(createQuote, [accountId, body], options);
  }

  /**
   * Executes an offered quote. Sent with an `Idempotency-Key`. `waitFor` polls until it is executed
   * or has failed.
   *
   * @example
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.quotes.execute', accountId, orderId);
   * await client.accounts.quotes.execute(accountId, quoteId, { idempotencyKey });
   * const end = await client.accounts.quotes.waitFor(accountId, quoteId);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws GoneError when the quote has expired, and the errors of every call.
   */
  execute(accountId: string, quoteId: string, options?: RequestOptions): ApiPromise<QuoteExecution> {
    return this.api.call(executeQuote, [accountId, quoteId], options);
  }

  /**
   * Trades: requests a quote, lets `accept` decide, executes the quote and waits until its status
   * is final. When a quote has expired, it requests a new one.
   *
   * The idempotency keys of all its writes are derived from `reference`. So a program that was
   * killed can make the same call again and continue. While the service remembers these keys,
   * nothing is bought twice. A quote of the killed program that is still offered is left to expire,
   * which takes about 30 s, because `accept` may already have been called for it.
   *
   * Once an execution may have happened, only the final status of its quote tells whether it did.
   * Neither a rejection of its retry nor the status `offered` does. Until then, no other quote is
   * requested, and the `outcome` of every error is `unknown`. After such an execution, `trade`
   * believes `expired` only after a 410 to one more execution, or if a read 5 s later still shows
   * it.
   *
   * @example
   * const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
   * const body = { from, to: { symbol: 'BTC', type: 'crypto' } };
   * const end = await client.accounts.quotes.trade(accountId, body, {
   *   reference: orderId,
   *   accept: ({ to }) => to.amount.gte('0.0005'),
   * });
   * if (end.status === 'executed') console.log(end.quote.to.amount.toFixed());
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @param body As for `create`. After a restart it must be the same.
   * @throws TradeError when the execution failed, when `maxQuotes` quotes have expired, or when its
   *   final status could not be learned (`outcome` is `unknown`). TimeoutError, AbortedError, and
   *   the errors of `create` and `execute`.
   */
  trade(accountId: string, body: QuoteCreateBody, options: TradeOptions): Promise<Trade> {
    return trade(this, this.#decisions, createQuote, accountId, body, options);
  }

  /**
   * Polls `get` until the quote is `executed`, `expired` or `failed`, or until `until` is met. The
   * type of the result tells the outcome.
   *
   * A terminal status ends the wait even if `until` names another one, because the quote will not
   * change any more. An unknown status does not end it. The delays grow from about 0.2 s to 5 s,
   * with jitter. An offered quote is polled right after its `expires_at`.
   *
   * A `get` that failed after its own retries with a connection error, a timeout, a 5xx or a body
   * that is not JSON does not end the wait. Any other error does, and is thrown unchanged.
   *
   * @example
   * await client.accounts.quotes.execute(accountId, quoteId);
   * const end = await client.accounts.quotes.waitFor(accountId, quoteId, { timeout: 30_000 });
   * if (end.status === 'executed') console.log(end.to.amount.toFixed());
   *
   * @stability specified
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   *
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s). Its `cause`
   *   is the last failure of a `get`, if one failed. AbortedError, and the errors of `get`.
   */
  waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote, never>): ApiPromise<TerminalQuote>;
  /** If `until` is one or several statuses, the result has a final status or one of these. */
  waitFor<const Status extends KnownStatus<Quote>>(
    accountId: string,
    quoteId: string,
    options: WaitOptions<Quote, Status | readonly Status[]>,
  ): ApiPromise<QuoteWithStatus<TerminalQuoteStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(accountId: string, quoteId: string, options: WaitOptions<Quote> | undefined): ApiPromise<Quote>;
  waitFor(accountId: string, quoteId: string, options?: WaitOptions<Quote>): ApiPromise<Quote> {
    return this.api.waitFor(quotePolling, [accountId, quoteId], options);
  }
}
