import { createQuote, executeQuote, getQuote, type QuoteCreateBody } from '../../../resources/accounts/quote.js';
import type { Wire } from '../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import { findQuote, offerQuote, startExecution } from '../lifecycles/quotes.js';

interface QuoteParams extends AccountParams {
  readonly quote_id: string;
}

export const quoteHandlers: readonly Handler[] = [
  handle<QuoteParams>(getQuote, (state, { params }) => ({
    data: findQuote(state, accountOf(state, params), params.quote_id).quote,
  })),
  handle<AccountParams, unknown, Wire<QuoteCreateBody>>(createQuote, (state, { params, body }) => ({
    data: offerQuote(state, accountOf(state, params), body),
  })),
  handle<QuoteParams>(executeQuote, (state, { params }) => {
    const { id, status } = startExecution(state, accountOf(state, params), params.quote_id);
    return { data: { id, status } };
  }),
];
