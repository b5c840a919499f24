import { getQuote, type Quote, type QuoteCreateBody } from '../../../resources/accounts/quote.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { assetRef } from '../../core/market/catalogue.js';
import { NOTHING, type Sum } from '../../core/money/ledger.js';
import { Money, written } from '../../core/money/money.js';
import type { AccountState, QuoteRecord, State } from '../../core/records/state.js';
import { badRequest, conflict, notFound, Refusal } from '../../core/request/refusal.js';
import { noteEntry } from '../shared/entries.js';
import { checkPartnerFee, moveSwap, priceSwap } from './swaps.js';

export const QUOTE_TTL_MS = 30_000;

const EXECUTION_MS = 2_000;

/** Offers a quote: `offered` for 30 s. */
export function offerQuote(state: State, account: AccountState, body: Wire<QuoteCreateBody>): Wire<Quote> {
  const bps = body.fee?.bps ?? 0;
  checkPartnerFee('fee.bps', bps);
  const { from, to, fromAmount, toAmount, fee, rate } = priceSwap(state, body.from, body.to, bps);
  const quote: Wire<Quote> = {
    id: state.random.uuid(),
    status: 'offered',
    expires_at: timestamp(state.clock.now() + QUOTE_TTL_MS),
    from: { ...assetRef(from), amount: fromAmount },
    to: { ...assetRef(to), amount: toAmount },
    fees: { trade: { ...assetRef(from), amount: written(fee, from.places) } },
    rate: { base: assetRef(rate.base), quote: assetRef(rate.quote), price: rate.price.toFixed() },
  };
  keep(state, account, { quote, held: false, fails: false });
  return quote;
}

/** Returns the quote as it is now, or throws 404. An old offer is `expired`. */
export function findQuote(state: State, account: AccountState, id: string): QuoteRecord {
  const record = account.quotes.get(id);
  if (record === undefined) throw notFound(getQuote);
  const { quote } = record;
  if (quote.status === 'offered' && Date.parse(quote.expires_at) <= state.clock.now()) quote.status = 'expired';
  return record;
}

/** `offered → executing`. Holds the amount; without it the executor will reject the quote. */
export function startExecution(state: State, account: AccountState, id: string): Wire<Quote> {
  const record = stillOffered(findQuote(state, account, id), 'quote_id');
  const { quote } = record;
  quote.status = 'executing';
  record.held = account.holdings.hold(sumOf(state, quote.from));
  record.fails ||= !record.held;
  keep(state, account, record);
  state.clock.plan(state.clock.now() + EXECUTION_MS, { kind: 'quote.finish', account: account.id, quote: id });
  return quote;
}

/** `executing → executed | failed`. */
export function finishQuote(state: State, task: { readonly account: string; readonly quote: string }): void {
  const account = state.accounts.get(task.account);
  const record = account?.quotes.get(task.quote);
  if (account !== undefined && record?.quote.status === 'executing') finish(state, account, record);
}

/** `offered → expired`, before its time. */
export function expireNow({ clock }: State, { quote }: QuoteRecord): Wire<Quote> {
  quote.expires_at = timestamp(clock.now());
  quote.status = 'expired';
  return quote;
}

/** `executing → executed | failed`, before its time. */
export function finishNow(state: State, account: AccountState, record: QuoteRecord): void {
  state.clock.drop((task) => task.kind === 'quote.finish' && task.quote === record.quote.id);
  finish(state, account, record);
}

function finish(state: State, account: AccountState, record: QuoteRecord): void {
  const { quote } = record;
  if (record.held) account.holdings.release(sumOf(state, quote.from));
  record.held = false;
  if (record.fails) noteFailure(state, account, quote);
  else settle(state, account, quote);
  quote.status = record.fails ? 'failed' : 'executed';
  if (!record.fails) state.events.emit('quote.executed', quote);
}

/** Returns a quote that is still offered, for a conversion at its price. */
export function offeredQuote(state: State, account: AccountState, id: string, field: string): QuoteRecord {
  const record = account.quotes.has(id) ? findQuote(state, account, id) : undefined;
  if (record === undefined) throw badRequest({ field, message: 'is not a quote of the account' });
  return stillOffered(record, field);
}

/** The conversion of a quote has paid, or has failed. */
export function endQuote(state: State, { quote }: QuoteRecord, status: 'executed' | 'failed'): void {
  quote.status = status;
  if (status === 'executed') state.events.emit('quote.executed', quote);
}

function stillOffered(record: QuoteRecord, field: string): QuoteRecord {
  const { status } = record.quote;
  // The API documents the status; the sandbox chose the code.
  if (status === 'expired') throw new Refusal(410, 'gone', [{ field, message: 'has expired' }]);
  if (status !== 'offered') throw conflict(field, `is ${status} already`);
  return record;
}

/** Moves the money of an executed quote, and notes it in the account's ledger. */
function settle(state: State, account: AccountState, quote: Wire<Quote>): void {
  const movement = moveSwap(state, account, moneyOf(state, quote), quote.id);
  noteEntry(state, account, { ...movement, type: 'simple_order', reference: quote.id });
}

function noteFailure(state: State, account: AccountState, quote: Wire<Quote>): void {
  const { from, to } = moneyOf(state, quote);
  const sides = { spend: { asset: from, total: NOTHING }, receive: { asset: to, total: NOTHING } };
  noteEntry(state, account, { ...sides, type: 'simple_order_failed', status: 'failed', reference: quote.id });
}

function moneyOf({ catalogue }: State, { from, to, fees }: Wire<Quote>) {
  return {
    ...{ from: catalogue.get(from.symbol, from.type), to: catalogue.get(to.symbol, to.type) },
    ...{ fromAmount: from.amount, toAmount: to.amount, fee: new Money(fees.trade.amount) },
  };
}

/** Keeps the newest records. A forgotten one that is executing ends at once. */
function keep(state: State, account: AccountState, record: QuoteRecord): void {
  for (const forgotten of account.quotes.set(record.quote.id, record)) {
    if (forgotten.quote.status !== 'executing' || forgotten.conversion !== undefined) continue;
    finishNow(state, account, forgotten);
  }
}

function sumOf({ catalogue }: State, { symbol, type, amount }: Wire<Quote>['from']): Sum {
  return { asset: catalogue.get(symbol, type), amount: new Money(amount) };
}
