import {
  createQuote,
  executeQuote,
  getQuote,
  type Quote,
  type QuoteCreateBody,
} from '../../resources/accounts/quotes.js';
import { assetRef } from '../catalogue.js';
import { timestamp } from '../clock.js';
import { badRequest, conflict, notFound, Refusal } from '../errors.js';
import type { AccountState, State } from '../state.js';
import type { Wire } from '../wire.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';
import { priceSwap } from './swaps.js';

/** How long a quote is offered, in milliseconds (reference §3). */
export const QUOTE_TTL_MS = 30_000;

/** How long an execution takes, in milliseconds. */
const EXECUTION_MS = 2_000;

/** The sandbox's own bound: beyond it nothing would be left to convert. */
const MAX_PARTNER_FEE_BPS = 5_000;

interface QuoteParams extends AccountParams {
  readonly quote_id: string;
}

export const quoteHandlers: readonly Handler[] = [
  handle<QuoteParams>(getQuote, (state, { params }) => ({ data: quoteOf(accountOf(state, params), params) })),
  handle<AccountParams, unknown, Wire<QuoteCreateBody>>(createQuote, (state, { params, body }) => ({
    data: offerQuote(state, accountOf(state, params), body),
  })),
  handle<QuoteParams>(executeQuote, (state, { params }) => {
    const quote = quoteOf(accountOf(state, params), params);
    if (quote.status === 'expired') throw new Refusal(410, 'gone', [{ field: 'quote_id', message: 'has expired' }]);
    if (quote.status !== 'offered') throw conflict('quote_id', `is ${quote.status} already`);
    quote.status = 'executing';
    state.clock.plan(state.clock.now() + EXECUTION_MS, () => {
      quote.status = 'executed';
    });
    return { data: { id: quote.id, status: quote.status } };
  }),
];

/** Locks a price for a while. */
export function offerQuote(state: State, account: AccountState, body: Wire<QuoteCreateBody>): Wire<Quote> {
  const bps = body.fee?.bps ?? 0;
  if (!(bps >= 0 && bps <= MAX_PARTNER_FEE_BPS)) {
    throw badRequest({ field: 'fee.bps', message: `must be from 0 to ${MAX_PARTNER_FEE_BPS}` });
  }
  const { from, to, fromAmount, toAmount, fee, rate } = priceSwap(state, body.from, body.to, bps);
  const expiresAt = state.clock.now() + QUOTE_TTL_MS;
  const quote: Wire<Quote> = {
    id: state.random.uuid(),
    status: 'offered',
    expires_at: timestamp(expiresAt),
    from: { ...assetRef(from), amount: fromAmount },
    to: { ...assetRef(to), amount: toAmount },
    fees: { trade: { ...assetRef(from), amount: fee.toFixed(from.places) } },
    rate: { base: assetRef(rate.base), quote: assetRef(rate.quote), price: rate.price.toFixed() },
  };
  account.quotes.set(quote.id, quote);
  state.clock.plan(expiresAt, () => {
    if (quote.status === 'offered') quote.status = 'expired';
  });
  return quote;
}

function quoteOf(account: AccountState, { quote_id: id }: QuoteParams): Wire<Quote> {
  const quote = account.quotes.get(id);
  if (quote === undefined) throw notFound('quote_id');
  return quote;
}
