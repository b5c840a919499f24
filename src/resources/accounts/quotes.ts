import { z } from 'zod';
import type { ApiPromise, Caller, CallOptions } from '../../core/caller.js';
import type { Decimal } from '../../core/decimal.js';
import { type Operation, once } from '../../core/operation.js';
import { amount, data, input, output, principalId, text } from '../../core/schema.js';
import {
  type AssetAmount,
  accountParams,
  assetAmount,
  type NamedAssetRef,
  namedAssetRef,
  type QuoteSideInput,
  quoteSideInput,
  quoteSidesInput,
} from '../common.js';

/** `offered → executing → executed | failed`, or `offered → expired` by time (`spec.md`, States). Open. */
export type QuoteStatus = 'offered' | 'executing' | 'executed' | 'expired' | 'failed' | (string & {});

/** A price, locked until `expires_at` (`spec.md`, Quote). */
export interface Quote {
  id: string;
  status: QuoteStatus;
  /** ISO 8601, UTC. About 30 s after creation. */
  expires_at: string;
  /** What is given. */
  from: AssetAmount;
  /** What is received. */
  to: AssetAmount;
  fees: {
    /** The platform's fee. */
    trade: AssetAmount;
  };
  /** `price`: one unit of `base` in `quote`. */
  rate: { base: NamedAssetRef; quote: NamedAssetRef; price: Decimal };
}

/** What a quote is asked for. Exactly one of `from.amount` and `to.amount` is set. */
export interface QuoteCreateBody {
  from: QuoteSideInput;
  to: QuoteSideInput;
  /** The partner's fee in basis points, 100 = 1 %. */
  fee?: { bps: number } | undefined;
}

/** The answer to an execution: not a whole quote; poll `quotes.get` for the end of it. */
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
  quoteSidesInput(quoteSideInput(), quoteSideInput(), { fee: z.looseObject({ bps: z.number() }).optional() }),
);

const quoteExecution = output<QuoteExecution>()(() =>
  z.looseObject({ id: z.string(), status: z.string().optional(), executed_at: z.string().optional() }),
);

export const getQuote: Operation<Quote> = {
  name: 'accounts.quotes.get',
  title: 'Get quote',
  stability: 'specified',
  method: 'GET',
  path: '/v1/accounts/{account_id}/quotes/{quote_id}',
  params: quoteParams,
  answer: data(quote),
};

export const createQuote: Operation<Quote> = {
  name: 'accounts.quotes.create',
  title: 'Create quote',
  stability: 'documented',
  method: 'POST',
  path: '/v1/accounts/{account_id}/quotes',
  params: accountParams,
  body: quoteCreateBody,
  answer: data(quote),
  key: true,
};

export const executeQuote: Operation<QuoteExecution> = {
  name: 'accounts.quotes.execute',
  title: 'Execute quote',
  stability: 'documented',
  method: 'POST',
  path: '/v1/accounts/{account_id}/quotes/{quote_id}/execute',
  params: quoteParams,
  answer: data(quoteExecution),
  key: true,
};

/** `client.accounts.quotes`: prices to convert at. */
export class Quotes {
  readonly #caller: Caller;

  /** @internal */
  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Reads one quote, also to poll it after `execute` (`spec.md`, Get quote).
   *
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, quoteId: string, options?: CallOptions): ApiPromise<Quote> {
    return this.#caller.call(getQuote, { params: { account_id: accountId, quote_id: quoteId } }, options);
  }

  /**
   * Asks for a price, locked for about 30 s (reference §4, *documented*). Sent with an `Idempotency-Key`.
   *
   * @param accountId 14 to 42 characters.
   * @param body Exactly one of `from.amount` and `to.amount` set.
   */
  create(accountId: string, body: QuoteCreateBody, options?: CallOptions): ApiPromise<Quote> {
    return this.#caller.call(createQuote, { params: { account_id: accountId }, body }, options);
  }

  /**
   * Executes an offered quote (reference §4, *documented*). Sent with an `Idempotency-Key`. Poll `get` for `executed` or `failed`.
   *
   * @param accountId 14 to 42 characters.
   * @param quoteId 1 to 64 characters.
   * @throws GoneError when the quote has expired.
   */
  execute(accountId: string, quoteId: string, options?: CallOptions): ApiPromise<QuoteExecution> {
    return this.#caller.call(executeQuote, { params: { account_id: accountId, quote_id: quoteId } }, options);
  }
}
