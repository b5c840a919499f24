import * as z from 'zod/mini';
import {
  createQuote,
  executeQuote,
  getQuote,
  type Quote,
  type QuoteCreateBody,
} from '../../resources/accounts/quote.js';
import type { Wire } from '../../schema/types.js';
import { timestamp } from '../core/clock/clock.js';
import { recordsOf } from '../core/kind/find.js';
import type { Found, Kind, Moves } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import type { Sum } from '../core/money/ledger.js';
import { Money } from '../core/money/money.js';
import { dropStep, scheduleStep, willFail } from '../core/moves.js';
import { change, findNow, move, put } from '../core/mutations.js';
import { answeringMade, failsLater, outcomesOf, slow } from '../core/outcomes.js';
import { handleCreation, handleNamed, showNamed } from '../core/reading.js';
import { answered, assetSide, moment } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { badRequest, conflict, Refusal } from '../core/request/refusal.js';
import { noteEntry, noteFailure } from './shared/entries.js';
import { checkPartnerFee, moveSwap, priceSwap, shownSwap } from './shared/swaps.js';

/** Time in ms for which a quote is offered. */
export const QUOTE_TTL_MS = 30_000;

export const EXECUTION_MS = 2_000;

export interface QuoteRecord {
  readonly quote: Wire<Quote>;
  /** True if the account holds the amount. */
  readonly held: boolean;
  /** True if the executor will reject it. */
  readonly fails: boolean;
  /** Id of the conversion at the quote's price. It holds the amount, and ends the quote. */
  readonly conversion?: string | undefined;
}

/** `sandbox.quotes`: moves quotes to their next state. */
export interface SandboxQuotes {
  /** Makes an offered quote expire now: `expires_at` becomes the current time. */
  expire(quoteId: string): Wire<Quote>;
  /**
   * Finishes the execution now: `executed`, or `failed` after `fail` or if the available balance
   * was too low. Money moves and webhooks are sent as usual. A conversion at a quote's price
   * finishes the quote itself.
   */
  settle(quoteId: string): Wire<Quote>;
  /** Makes the executor reject an offered or executing quote: its execution ends in `failed`. */
  fail(quoteId: string): void;
}

/** The quotes of an account, oldest first. */
export const quotes: Kind<QuoteRecord> = {
  name: 'quotes',
  noun: 'quote',
  owner: 'account',
  scope: 'trade',
  schema: savedRecord,
  shown: ({ quote }) => quote,
  stateOf: ({ quote }) => quote.status,
  inState: (record, status) => ({ ...record, quote: { ...record.quote, status } }),
  holds: ({ held, quote }) => (held ? [quote.from] : []),
  initial: ['offered'],
  steps: {
    'quote.finish': {
      from: ['executing'],
      to: 'executed',
      after: { fail: 'failed' },
      effect: (id) => `Quote ${id} is executed, or fails.`,
      run: finish,
    },
  },
  expiry: {
    step: 'quote.expire',
    from: 'offered',
    to: 'expired',
    effect: (id) => `Quote ${id} expires.`,
    at: ({ quote }) => Date.parse(quote.expires_at),
  },
  idName: 'quoteId',
  moves: {
    expire: {
      from: ['offered'],
      to: 'expired',
      run: (state, found) => move(state, quotes, found, 'expired', (record) => endingNow(state, record)).quote,
    },
    settle: { from: ['executing'], steps: ['quote.finish'], check: checkOwnExecution },
    fail: { from: ['offered', 'executing'], run: (state, found) => willFail(state, quotes, found) },
  } satisfies Moves<keyof SandboxQuotes, QuoteRecord>,
  transitions: [{ from: 'offered', to: 'executing', by: executeQuote.name }],
  operations: [
    showNamed(getQuote, () => quotes),
    handleCreation<Wire<QuoteCreateBody>>(createQuote, offerQuote),
    handleNamed(
      executeQuote,
      () => quotes,
      (state, found) => {
        const { id, status } = startExecution(state, found);
        return { data: { id, status } };
      },
    ),
  ],
  outcomes: [
    outcomesOf(createQuote, 'id', {
      expired: {
        summary: 'The quote expires as soon as it is offered.',
        apply: answeringMade(
          () => quotes,
          (state, found) => change(state, quotes, found, endingNow(state, found.record)).quote,
        ),
      },
    }),
    outcomesOf(executeQuote, 'id', {
      failed: failsLater('The executor rejects the quote.', () => quotes),
      slow: slow('The quote is executed', 'quote.finish'),
    }),
  ],
  choices: {
    [executeQuote.name]: 'Answers 410 with the code `gone` if the quote has expired.',
    [createQuote.name]: [
      'Accepts `fee.bps` from 0 to 5,000.',
      'Answers 400, with the amount as the cause, if it is less or more than `assets.setTradeLimits` allows. The same limits apply to on-chain quotes and price-trigger swaps. A new sandbox has no such limits.',
    ],
  },
  announced: {
    state: 'executed',
    event: 'quote.executed',
    check: 'executed_quotes',
    title: 'Each executed quote was delivered',
    failure: ['executed quote was not delivered', 'executed quotes were not delivered'],
    meaning:
      'A webhook was told of each executed quote, and answered 2xx. If it fails, read the quotes that are named, and mend the receiver.',
    pending: 'It was executed, and no webhook has accepted its event yet.',
  },
  events: {
    'quote.executed': ({ state, account }) => ({
      ...recordsOf(state, quotes, account).newest()?.quote,
      status: 'executed',
    }),
  },
};

function savedRecord() {
  const quote = answered<Wire<Quote>>(getQuote, ['data'], {
    status: z.enum(statesOf(quotes)),
    expires_at: moment,
    from: assetSide,
    to: assetSide,
    fees: z.looseObject({ trade: assetSide }),
  });
  return z
    .object({ quote, held: z.boolean(), fails: z.boolean(), conversion: z.optional(z.string()) })
    .check(z.refine(isClaimRight, { path: ['held'], message: CLAIM_RULE }));
}

const CLAIM_RULE =
  'must be true for a quote that is executing and will not fail, and for no quote that is not executing';

const isClaimRight = ({ quote: { status }, held, fails, conversion }: QuoteRecord): boolean =>
  status === 'executing' ? held || fails || conversion !== undefined : !held;

/** Creates a quote, which is `offered` for 30 s. */
export function offerQuote(state: State, account: AccountState, body: Wire<QuoteCreateBody>): Wire<Quote> {
  const bps = body.fee?.bps ?? 0;
  checkPartnerFee('fee.bps', bps);
  const swap = priceSwap(state, body.from, body.to, bps);
  const quote: Wire<Quote> = {
    id: state.random.uuid(),
    status: 'offered',
    expires_at: timestamp(state.clock.now() + QUOTE_TTL_MS),
    ...shownSwap(swap),
  };
  const found = { account, id: quote.id, record: { quote, held: false, fails: false } };
  for (const dropped of put(state, quotes, found)) endDropped(state, account, dropped);
  return quote;
}

/** Ends a quote that was dropped because of the limit while it was open. */
function endDropped(state: State, account: AccountState, record: QuoteRecord): void {
  const { quote, conversion } = record;
  if (quote.status !== 'executing' || conversion !== undefined) return;
  dropStep(state, 'quote.finish', quote.id);
  finish(state, { account, id: quote.id, record });
}

const endingNow = ({ clock }: State, record: QuoteRecord): QuoteRecord => ({
  ...record,
  quote: { ...record.quote, expires_at: timestamp(clock.now()) },
});

/** `offered → executing`. Holds the amount; if it cannot, the executor will reject the quote. */
function startExecution(state: State, found: Found<QuoteRecord>): Wire<Quote> {
  const { account, record } = stillOffered(found, 'quote_id');
  const held = account.holdings.hold(sumOf(state, record.quote.from));
  const { quote } = move(state, quotes, found, 'executing', (one) => ({ ...one, held, fails: one.fails || !held }));
  scheduleStep(state, 'quote.finish', found, EXECUTION_MS);
  return quote;
}

/** `executing → executed | failed`. Moves the money, unless the quote fails. */
function finish(state: State, found: Found<QuoteRecord>): void {
  const { account, id: reference, record } = found;
  const { from, to, fees } = record.quote;
  const assets = { from: sumOf(state, from).asset, to: sumOf(state, to).asset };
  if (record.held) account.holdings.release(sumOf(state, from));
  if (record.fails) noteFailure(state, account, { type: 'simple_order_failed', reference, ...assets });
  else {
    const swap = { ...assets, fromAmount: from.amount, toAmount: to.amount, fee: new Money(fees.trade.amount) };
    noteEntry(state, account, { ...moveSwap(state, account, swap, reference), type: 'simple_order', reference });
  }
  const end = record.fails ? 'failed' : 'executed';
  tell(
    state,
    move(state, quotes, found, end, (one) => ({ ...one, held: false })),
  );
}

function tell({ events }: State, { quote }: QuoteRecord): void {
  if (quote.status === 'executed') events.emit('quote.executed', quote);
}

/** A conversion that executes a quote also ends it. */
function checkOwnExecution({ record: { conversion } }: Found<QuoteRecord>): void {
  if (conversion === undefined) return;
  throw new Error(`quotes.settle: the conversion ${conversion} executes the quote: conversions.settle`);
}

/** Returns an offered quote, for a conversion at its price. */
export function offeredQuote(state: State, account: AccountState, id: string, field: string): Found<QuoteRecord> {
  const found = findNow(state, quotes, id, account.id);
  if (found === undefined) throw badRequest({ field, message: 'is not a quote of the account' });
  return stillOffered(found, field);
}

/** `offered → executing`, by a conversion at its price. */
export function reserveQuote(state: State, found: Found<QuoteRecord>, conversion: string): QuoteRecord {
  return move(state, quotes, found, 'executing', (record) => ({ ...record, conversion }));
}

/** `executing → executed | failed`, because the conversion of the quote has paid or failed. */
export function endQuote(state: State, found: Found<QuoteRecord>, end: 'executed' | 'failed'): void {
  tell(state, move(state, quotes, found, end));
}

function stillOffered(found: Found<QuoteRecord>, field: string): Found<QuoteRecord> {
  const { status } = found.record.quote;
  // The API documents the status 410; the sandbox chose the code.
  if (status === 'expired') throw new Refusal(410, 'gone', [{ field, message: 'has expired' }]);
  if (status !== 'offered') throw conflict(field, `is ${status} already`);
  return found;
}

function sumOf({ catalogue }: State, { symbol, type, amount }: Wire<Quote>['from']): Sum {
  return { asset: catalogue.get(symbol, type), amount: new Money(amount) };
}
