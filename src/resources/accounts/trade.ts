import type { ApiPromise, RequestOptions, UnkeyedRequestOptions } from '../../call/caller.js';
import { CallEnded, Deadline } from '../../call/deadline.js';
import type { WaitOptions } from '../../call/wait/poll-options.js';
import {
  AbortedError,
  ApiError,
  type CallFacts,
  GoneError,
  type Outcome,
  PartnerError,
  ProviderError,
  RequestValidationError,
  ResponseValidationError,
  TimeoutError,
} from '../../errors.js';
import { brand } from '../../partner-error.js';
import { idempotencyKeyLater, isMissingId } from '../../request/idempotency-key.js';
import { REQUEST_RULES, readOptionsBy } from '../../request/options.js';
import { beforeSending } from '../../request/prepare.js';
import type { Operation } from '../../schema/operation.js';
import { BoundedMap } from '../../util/bounded-map.js';
import { FUNCTION, type Rules, rule, wholeNumber } from '../../util/options.js';
import type { Quote, QuoteCreateBody, QuoteExecution, QuoteWithStatus, TerminalQuote } from './quote.js';

/** Options of `quotes.trade()`. The options of every call apply to each call of the trade. */
export interface TradeOptions extends UnkeyedRequestOptions {
  /**
   * Your id of this trade, for example an order number: 1 to 256 characters. With the same
   * reference and body, a restarted program continues the same trade, as long as the service
   * remembers its idempotency keys. The service does not document how long that is. A second trade
   * with the same reference and body returns the first one, so the id of a customer is no
   * reference. Required.
   */
  readonly reference: string;
  /**
   * Decides about an offered quote: return true to execute it, false to decline it. It is called
   * once for each quote. If it throws, or returns anything else, the trade fails with a
   * `ProviderError`. Required.
   *
   * @example
   * const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
   * const body = { from, to: { symbol: 'BTC', type: 'crypto' } };
   * await client.accounts.quotes.trade(accountId, body, {
   *   reference: orderId,
   *   accept: ({ rate }) => rate.price.lte('120000'),
   * });
   */
  readonly accept: (quote: Quote) => boolean | Promise<boolean>;
  /** Maximum number of quotes, 1 or more: a new one is requested when one expires. Default 5. */
  readonly maxQuotes?: number | undefined;
  /** Time limit of the trade in ms, over all its calls and waits. Default 120,000. */
  readonly timeout?: number | undefined;
}

/** The result of a trade. */
export type Trade =
  | {
      readonly status: 'executed';
      readonly quote: QuoteWithStatus<'executed'>;
      /** Number of quotes that were requested. */
      readonly quotes: number;
    }
  | {
      /** `accept` returned false. */
      readonly status: 'declined';
      readonly quote: Quote;
    };

/**
 * A trade did not finish. `outcome` tells whether money may have moved.
 *
 * @example
 * const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
 * const body = { from, to: { symbol: 'BTC', type: 'crypto' } };
 * const options = { reference: orderId, accept: () => true, maxQuotes: 1 };
 * const trade = client.accounts.quotes.trade(accountId, body, options);
 * await trade.catch((error: unknown) => {
 *   if (!(error instanceof TradeError)) throw error;
 *   console.error(error.outcome, error.quote?.status);
 * });
 */
export class TradeError extends PartnerError {
  /** The last quote; undefined when there was none. */
  readonly quote: Quote | undefined;
  constructor(message: string, facts: CallFacts, quote: Quote | undefined, options?: { cause?: unknown }) {
    super(message, facts, options);
    this.quote = quote;
  }
}
brand(TradeError, 'TradeError');

/** The calls of a trade. */
export interface TradeCalls {
  create(accountId: string, body: QuoteCreateBody, options: RequestOptions): ApiPromise<Quote>;
  get(accountId: string, quoteId: string, options: UnkeyedRequestOptions): ApiPromise<Quote>;
  execute(accountId: string, quoteId: string, options: RequestOptions): ApiPromise<QuoteExecution>;
  waitFor(accountId: string, quoteId: string, options: WaitOptions<Quote, never>): ApiPromise<TerminalQuote>;
}

const NAME = 'accounts.quotes.trade';
const NAMESPACE = 'partner-sdk.trade';
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_QUOTES = 5;

/** Most calls for one quote, because their responses, too, may be swapped with another call's. */
const MAX_CREATIONS = 3;

/** The pause before a call of unknown outcome is retried. */
const AGAIN_MS = 1_000;

/** Time after which a read shows an execution that the service has received before. */
const MAX_LAG_MS = 5_000;

const MAX_REFERENCE_LENGTH = 256;

const RULES = {
  ...REQUEST_RULES,
  reference: {
    ...rule(
      (value) => typeof value === 'string' && value.length <= MAX_REFERENCE_LENGTH && !isMissingId(value),
      `must be a string of 1 to ${MAX_REFERENCE_LENGTH} characters: your id of this trade`,
    ),
    required: true,
  },
  accept: { ...FUNCTION, required: true },
  maxQuotes: wholeNumber(1),
} satisfies Rules<TradeOptions>;

/** The oldest are dropped, because their quotes expired long ago. */
const MAX_DECISIONS = 10_000;

/** Results of `accept` for quotes, by account and id. A client calls it once for each quote. */
type Decisions = BoundedMap<string, Promise<boolean>>;
export const newDecisions = (): Decisions => new BoundedMap(MAX_DECISIONS);

/** Trades at the first quote that is accepted and executed. */
export async function trade(
  calls: TradeCalls,
  decisions: Decisions,
  operation: Operation,
  accountId: string,
  body: QuoteCreateBody,
  given: TradeOptions,
): Promise<Trade> {
  const { options, issues } = readOptionsBy<TradeOptions>(given, RULES, operation);
  if (issues.length > 0) throw new RequestValidationError(issues, beforeSending(NAME));
  return new TradeRun(calls, decisions, accountId, body, options).run();
}

/** A function that forgets its `return` must not decline every quote. */
function decided(accepted: unknown): boolean {
  if (typeof accepted === 'boolean') return accepted;
  throw new TypeError('the accept function must return true or false');
}

class TradeRun {
  readonly #calls: TradeCalls;
  readonly #decisions: Decisions;
  readonly #accountId: string;
  readonly #body: QuoteCreateBody;
  readonly #options: TradeOptions;
  readonly #requestOptions: UnkeyedRequestOptions;
  readonly #deadline: Deadline;
  readonly #timeout: number;
  #quotes = 0;
  #quote: Quote | undefined;
  /**
   * The combined outcome of all executions of the last quote: once one of them may have happened,
   * `unknown` until the final status is known. No later rejection turns that into `not_applied`.
   */
  #outcome: Outcome = 'not_applied';
  /** What this run knows about the executions of the last quote, apart from rejections. */
  #execution: 'none' | 'doubtful' | 'accepted' = 'none';

  constructor(
    calls: TradeCalls,
    decisions: Decisions,
    accountId: string,
    body: QuoteCreateBody,
    options: TradeOptions,
  ) {
    const { reference: _1, accept: _2, maxQuotes: _3, timeout = DEFAULT_TIMEOUT_MS, ...requestOptions } = options;
    this.#calls = calls;
    this.#decisions = decisions;
    this.#accountId = accountId;
    this.#body = body;
    this.#options = options;
    this.#requestOptions = requestOptions;
    this.#timeout = timeout;
    this.#deadline = new Deadline(timeout, options.signal);
  }

  async run(): Promise<Trade> {
    const { maxQuotes = DEFAULT_MAX_QUOTES } = this.#options;
    try {
      while (this.#quotes < maxQuotes) {
        const end = await this.#tradeQuote(++this.#quotes);
        if (end !== undefined) return end;
      }
      throw this.#error(`${maxQuotes} quotes have expired, one after the other`);
    } catch (error) {
      throw this.#withOutcome(error);
    } finally {
      this.#deadline.close();
    }
  }

  /** Undefined when the quote has expired. */
  async #tradeQuote(number: number): Promise<Trade | undefined> {
    this.#execution = 'none';
    const created = await this.#create(number);
    this.#quote = created.response.replayed ? await this.#resume(created.data.id) : created.data;
    for (;;) {
      const quote = this.#quote;
      switch (quote.status) {
        case 'executed':
          return { status: 'executed', quote: quote as QuoteWithStatus<'executed'>, quotes: number };
        case 'expired':
          if (await this.#canBelieveExpiry(quote.id, number)) {
            this.#outcome = 'not_applied';
            return undefined;
          }
          this.#quote = await this.#read(quote.id);
          break;
        case 'failed':
          this.#outcome = 'not_applied';
          throw this.#error('the execution of the quote failed: check the balance of the account');
        case 'offered':
          if (!(await this.#accepts(quote))) return { status: 'declined', quote };
          this.#quote = await this.#execute(quote.id, number);
          break;
        default:
          this.#outcome = 'unknown';
          if (quote.status === 'executing') this.#execution = 'accepted';
          this.#quote = await this.#waitForEnd(quote.id);
      }
    }
  }

  /** Requests the quote, again with the same key if the response is that of another call. */
  async #create(number: number): Promise<Awaited<ReturnType<ApiPromise<Quote>['withResponse']>>> {
    for (let calls = 1; ; calls++) {
      try {
        const options = await this.#keyed(number, 'create');
        return await this.#calls.create(this.#accountId, this.#body, options).withResponse();
      } catch (error) {
        const isForeign = error instanceof ResponseValidationError && error.outcome === 'unknown';
        if (!isForeign || calls === MAX_CREATIONS || this.#isOver()) throw error;
        await this.#deadline.sleep(AGAIN_MS);
      }
    }
  }

  /**
   * The quote of an earlier run, as it is now. If it is still offered, that run may have called
   * `accept`, and its execution may be on the way, so only the quote's final status tells.
   */
  async #resume(quoteId: string): Promise<Quote> {
    this.#outcome = 'unknown';
    const quote = await this.#read(quoteId);
    if (quote.status !== 'offered') return quote;
    const isDecided = this.#decisions.get(this.#placeOf(quoteId)) !== undefined;
    return isDecided ? quote : this.#waitForEnd(quoteId);
  }

  #placeOf(quoteId: string): string {
    return JSON.stringify([this.#accountId, quoteId]);
  }

  async #accepts(quote: Quote): Promise<boolean> {
    const place = this.#placeOf(quote.id);
    let decision = this.#decisions.get(place);
    if (decision === undefined) {
      const { accept } = this.#options;
      decision = (async () => decided(await accept(quote)))();
      this.#decisions.set(place, decision);
    }
    try {
      return await this.#deadline.wait(decision);
    } catch (cause) {
      if (cause instanceof CallEnded) throw this.#endedError();
      this.#decisions.delete(place);
      throw new ProviderError(`accept failed (${NAME}); see cause`, this.#facts(), { cause });
    }
  }

  /** Executes an accepted quote. Returns it with a status other than `offered`. */
  async #execute(quoteId: string, number: number): Promise<Quote> {
    for (;;) {
      const error = await this.#tryToExecute(quoteId, number);
      if (error === undefined) return this.#waitForEnd(quoteId);
      if (this.#isOver()) throw error;
      const now = await this.#read(quoteId);
      if (now.status !== 'offered') return now;
      if (this.#outcome === 'not_applied') throw error;
      // An execution may still be in progress behind `offered`: only the final status tells.
      if (error.outcome === 'not_applied') return this.#waitForEnd(quoteId);
      await this.#deadline.sleep(AGAIN_MS);
    }
  }

  /** Makes one call to execute the quote. Returns its error. */
  async #tryToExecute(quoteId: string, number: number): Promise<PartnerError | undefined> {
    const options = await this.#keyed(number, 'execute');
    try {
      await this.#calls.execute(this.#accountId, quoteId, options);
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      if (error.outcome !== 'not_applied') this.#outcome = 'unknown';
      if (error.outcome === 'unknown' && this.#execution === 'none') this.#execution = 'doubtful';
      if (error.outcome === 'applied') this.#execution = 'accepted';
      return error;
    }
    this.#outcome = 'unknown';
    this.#execution = 'accepted';
    return undefined;
  }

  /**
   * True if an execution of the quote can neither have happened nor happen any more. A quote
   * expires only before its execution. However, a service that computes `expired` from the time, or
   * reads from a replica, may report it of a quote whose execution has just begun. So `expired` is
   * never believed if the service has accepted the execution. A doubtful execution is requested
   * once more, because a 410 to it settles the doubt. Without a 410, `expired` is believed if a
   * later read still shows it.
   */
  async #canBelieveExpiry(quoteId: string, number: number): Promise<boolean> {
    if (this.#outcome === 'not_applied') return true;
    const error = this.#execution === 'doubtful' ? await this.#tryToExecute(quoteId, number) : undefined;
    if (error instanceof GoneError) return true;
    await this.#deadline.sleep(MAX_LAG_MS);
    return this.#execution !== 'accepted' && (await this.#read(quoteId)).status === 'expired';
  }

  #read(quoteId: string): Promise<Quote> {
    return this.#calls.get(this.#accountId, quoteId, this.#requestOptionsNow());
  }

  #waitForEnd(quoteId: string): Promise<TerminalQuote> {
    return this.#calls.waitFor(this.#accountId, quoteId, this.#requestOptionsNow());
  }

  async #keyed(number: number, step: 'create' | 'execute'): Promise<RequestOptions> {
    const ids = [this.#accountId, this.#options.reference, String(number)] as const;
    const idempotencyKey = await idempotencyKeyLater(NAMESPACE, `accounts.quotes.${step}`, ...ids);
    return { ...this.#requestOptionsNow(), idempotencyKey };
  }

  #requestOptionsNow(): UnkeyedRequestOptions {
    if (this.#isOver()) throw this.#endedError();
    return { ...this.#requestOptions, timeout: Math.max(1, Math.ceil(this.#deadline.remaining())) };
  }

  #isOver(): boolean {
    return this.#deadline.reason !== undefined || this.#deadline.remaining() === 0;
  }

  #endedError(): PartnerError {
    const { reason } = this.#deadline;
    if (reason?.kind === 'aborted') {
      return new AbortedError(`the trade was aborted by its signal; see cause`, this.#facts(), { cause: reason.error });
    }
    return new TimeoutError(`the trade's timeout (${this.#timeout} ms) passed`, this.#facts());
  }

  /**
   * The error of a read says `not_applied`, and that of a creation may say `applied`, which is
   * about the quote: an earlier run of the trade may have executed it. Neither holds for the trade.
   */
  #withOutcome(error: unknown): unknown {
    if (!(error instanceof PartnerError) || error.outcome === 'unknown') return error;
    if (error.outcome === 'applied') this.#outcome = 'unknown';
    if (this.#outcome !== 'unknown') return error;
    const isEnded = this.#isOver() && !(error instanceof ApiError);
    return isEnded ? this.#endedError() : this.#error('the execution may have happened; see cause', error);
  }

  #error(message: string, cause?: unknown): TradeError {
    return new TradeError(`${message} (${NAME})`, this.#facts(), this.#quote, cause === undefined ? {} : { cause });
  }

  #facts(): CallFacts {
    return { ...beforeSending(NAME), outcome: this.#outcome };
  }
}
