import * as z from 'zod/mini';
import {
  type Conversion,
  type ConversionCreateBody,
  type ConversionListParams,
  createConversion,
  getConversion,
  listConversions,
} from '../../../resources/conversions.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { find, newest, recordsOf } from '../../core/kind/find.js';
import type { Found, Kind, Moves, SampleSource } from '../../core/kind/kind.js';
import { statesOf } from '../../core/kind/states.js';
import { type Asset, assetKey, assetRef } from '../../core/market/catalogue.js';
import { Money, priceIn, rateBetween, roundedUp, share, written } from '../../core/money/money.js';
import { scheduleStep, willFail } from '../../core/moves.js';
import { move, put } from '../../core/mutations.js';
import { failsLater, outcomesOf, slow } from '../../core/outcomes.js';
import { handleCreation, listNewest, showNamed } from '../../core/reading.js';
import { amountText, answered, knownAsset } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';
import { creditInbound } from '../funds/deposits.js';
import { openInbound, transactionId } from '../funds/inbounds.js';
import { endQuote, type QuoteRecord, quotes, reserveQuote } from '../quotes.js';
import { networkNamed } from '../shared/addresses/networks.js';
import { CONVERTING_FROM_BALANCE_MS, payIn, payOut, releaseSource, SETTLING_MS } from '../shared/settling.js';
import { feesOf } from '../shared/trade-terms.js';
import {
  BALANCE,
  type ConversionRecord,
  type ConversionStart,
  settlementOf,
  startOf,
  type WireConversion,
} from './request.js';

/** `sandbox.conversions`: moves conversions of `accounts.conversions` to their next state. */
export interface SandboxConversions {
  /**
   * Settles a converting conversion now: `settling`, or `failed` after `fail`. Its completion is
   * scheduled as usual.
   */
  settle(conversionId: string): Wire<Conversion>;
  /** Finishes a converting or settling conversion now: `completed`, or `failed` after `fail`. */
  complete(conversionId: string): Wire<Conversion>;
  /**
   * Makes a conversion of `accounts.conversions` end in `failed`: immediately while it waits for
   * its deposit, otherwise when it would settle. The account keeps a deposit that has arrived.
   */
  fail(conversionId: string): void;
}

/** The conversions of an account, oldest first. */
export const conversions: Kind<ConversionRecord> = {
  name: 'conversions',
  noun: 'conversion',
  owner: 'account',
  schema,
  shown: ({ conversion }) => conversion,
  stateOf: ({ conversion }) => conversion.status,
  inState: (record, status, now) => ({
    ...record,
    conversion: { ...record.conversion, status, updated_at: timestamp(now) },
  }),
  holds: ({ conversion, from, money }) => {
    const [type = '', symbol = ''] = from.split(':');
    return conversion.status === 'converting' && money !== undefined ? [{ type, symbol, amount: money.gross }] : [];
  },
  initial: ['pending_deposit'],
  steps: {
    'conversion.pay_in': {
      from: ['converting'],
      to: 'settling',
      after: { fail: 'failed' },
      effect: (id) => `Conversion ${id} settles, or fails.`,
      run: settle,
    },
    'conversion.pay_out': {
      from: ['settling'],
      to: 'completed',
      effect: (id) => `Conversion ${id} is completed.`,
      run: deliver,
    },
  },
  idName: 'conversionId',
  moves: {
    settle: { from: ['converting'], steps: ['conversion.pay_in'] },
    complete: { from: ['converting', 'settling'], steps: ['conversion.pay_in', 'conversion.pay_out'] },
    fail: { from: ['pending_deposit', 'converting'], run: reject },
  } satisfies Moves<keyof SandboxConversions, ConversionRecord>,
  transitions: [
    { from: 'pending_deposit', to: 'converting' },
    { from: 'pending_deposit', to: 'failed' },
  ],
  operations: [
    handleCreation<Wire<ConversionCreateBody>>(createConversion, create),
    listNewest<ConversionListParams, ConversionRecord>(
      listConversions,
      () => conversions,
      ({ conversion_rule_id: rule, status }) => ({
        filters: [rule, status],
        isWanted: ({ conversion }) =>
          (rule === undefined || conversion.conversion_rule_id === rule) &&
          (status === undefined || conversion.status === status),
      }),
    ),
    showNamed(getConversion, () => conversions),
  ],
  outcomes: [
    outcomesOf(createConversion, 'id', {
      failed: failsLater('The conversion fails when it would settle.', () => conversions),
      slow: slow('A conversion from the balance settles', 'conversion.pay_in'),
    }),
  ],
  choices: {
    [createConversion.name]: [
      "Takes the money from the account's balance, and holds it, if `source.type` is `balance` or there is no `source`. With every other `source.type` the conversion waits for a deposit at an `inbound`. A source without `type` is a `deposit` if it has `via`, and otherwise the `balance`.",
      "Pays out to an approved wallet of the account if `destination.type` is `wallet`, or if there is a `wallet_id` without a type. With every other type it pays to the account's balance. It ignores `user_id`.",
      'Takes 30 s to convert and 90 s to settle. The fee is 40 bps, or that of the quote, and a payout is free.',
      'Executes the quote of `swap_quote_id` as part of the conversion, which fails if a different amount arrives. Without a quote, the sandbox converts whatever amount arrives.',
      'If a conversion fails, leaves what has arrived for it in the account.',
    ],
  },
  events: {
    'swap.completed': (source) => sample(source, 'completed'),
    'swap.failed': (source) => sample(source, 'failed'),
  },
};

const UNDER_WAY: readonly string[] = ['converting', 'settling', 'completed'];

function schema() {
  const asset = z.looseObject({ symbol: z.string(), type: z.string() });
  const from = z.looseObject({ asset, source: z.looseObject({ type: z.string() }) });
  const to = z.looseObject({ asset, destination: z.looseObject({ type: z.string() }) });
  const record = z.object({
    conversion: answered<WireConversion>(getConversion, ['data'], { status: z.enum(statesOf(conversions)), from, to }),
    sequence: z.int(),
    from: knownAsset,
    to: knownAsset,
    fails: z.boolean(),
    quote: z.optional(z.string()),
    references: z.object({ deposit: z.string(), withdraw: z.string() }),
    money: z.optional(z.object({ gross: amountText, fee: amountText, net: amountText })),
  });
  return record.check(
    z.refine(({ conversion, money }) => money !== undefined || !UNDER_WAY.includes(conversion.status), {
      path: ['money'],
      message: 'is missing: the conversion is in progress',
    }),
  );
}

/** Starts a conversion of the account's balance, or one that waits for a deposit. */
function create(state: State, account: AccountState, body: Wire<ConversionCreateBody>): WireConversion {
  const start = startOf(state, account, body);
  const { from: asset, source } = start;
  if (source.type === BALANCE) return convertBalance(state, account, start);
  const order = { asset, via: source.via, lifecycle: 'single_use', field: 'from.source.via' } as const;
  const inbound = openInbound(state, order);
  return startConversion(state, account, { ...start, inbound }).record.conversion;
}

function convertBalance(state: State, account: AccountState, start: ConversionStart): WireConversion {
  const { from, to, amount, quote } = start;
  const field = 'from.asset.amount';
  if (amount === undefined) throw badRequest({ field, message: 'is needed: the balance pays it' });
  const gross = new Money(amount);
  const money = priced(state, [from, to], gross, quote?.record);
  if (money === undefined) throw badRequest({ field, message: 'is too small' });
  if (account.holdings.available(from).lt(gross)) throw badRequest({ field, message: 'is more than is available' });
  return convert(state, startConversion(state, account, start), gross);
}

/** Adds a conversion. It is `pending_deposit` until its money arrives. */
export function startConversion(state: State, account: AccountState, start: ConversionStart): Found<ConversionRecord> {
  const { from, to, source, destination, amount, inbound, quote, more } = start;
  const id = state.random.uuid();
  const now = timestamp(state.clock.now());
  const sequence = (recordsOf(state, conversions, account).newest()?.sequence ?? 0) + 1;
  const record: ConversionRecord = {
    conversion: {
      id,
      status: 'pending_deposit',
      from: { asset: { ...assetRef(from), ...(amount === undefined ? {} : { amount }) }, source },
      to: { asset: assetRef(to), destination },
      fees: {},
      chain_references: {},
      ...more,
      ...(quote === undefined ? {} : { swap_quote: quote.record.quote }),
      ...(inbound === undefined ? {} : { inbound }),
      created_at: now,
      updated_at: now,
    },
    sequence,
    from: assetKey(from),
    to: assetKey(to),
    fails: false,
    ...(quote === undefined ? {} : { quote: quote.id }),
    // Drawn now, so the data does not depend on when the clock is advanced.
    references: { deposit: transactionId(state.random), withdraw: transactionId(state.random) },
  };
  if (quote !== undefined) reserveQuote(state, quote, id);
  const found = { account, id, record };
  for (const one of put(state, conversions, found)) {
    endDropped(state, { account, id: one.conversion.id, record: one });
  }
  return found;
}

/** Ends a conversion that was dropped because of the limit while it was open. */
function endDropped(state: State, found: Found<ConversionRecord>): void {
  const { status } = found.record.conversion;
  if (status === 'settling') deliver(state, found);
  else if (status === 'pending_deposit' || status === 'converting') fail(state, found);
}

/** Credits the deposit of a conversion to the account, and converts it. */
export function depositArrived(state: State, found: Found<ConversionRecord>, amount: Decimal): WireConversion {
  const { account, id, record } = found;
  const { conversion, references } = record;
  creditInbound(state, account, { asset: state.catalogue.keyed(record.from), amount }, id);
  const isOnChain = networkNamed(conversion.from.source.via ?? conversion.inbound?.via ?? '') !== undefined;
  if (!isOnChain) return convert(state, found, amount);
  const arrived = { ...conversion, chain_references: { deposit_txid: references.deposit } };
  return convert(state, { ...found, record: { ...record, conversion: arrived } }, amount);
}

/**
 * `pending_deposit → converting`, or `failed` if nothing would be left or the amount is not the
 * quote's.
 */
function convert(state: State, found: Found<ConversionRecord>, gross: Decimal): WireConversion {
  const { account, record } = found;
  const { from, to } = record.conversion;
  const [asset, bought] = [state.catalogue.keyed(record.from), state.catalogue.keyed(record.to)];
  const money = priced(state, [asset, bought], gross, quoteOf(state, found)?.record);
  const paid = { ...from, asset: { ...from.asset, amount: written(gross, asset.places) } };
  const conversion = { ...record.conversion, from: paid };
  if (money === undefined || !account.holdings.hold({ asset, amount: gross })) {
    return fail(state, { ...found, record: { ...record, conversion } });
  }
  const received = { ...to, asset: { ...to.asset, amount: written(new Money(money.net), bought.places) } };
  const fees = { trade: { ...assetRef(asset), amount: written(new Money(money.fee), asset.places) } };
  const converting = { ...record, money, conversion: { ...conversion, to: received, fees } };
  const moved = move(state, conversions, { ...found, record: converting }, 'converting');
  scheduleStep(state, 'conversion.pay_in', found, CONVERTING_FROM_BALANCE_MS);
  return moved.conversion;
}

/**
 * Returns what the quote says, undefined if `gross` is not its amount. Without a quote, net =
 * (gross − fee) at the rate, rounded down, undefined if nothing is left.
 */
function priced(
  state: State,
  [from, to]: readonly [from: Asset, to: Asset],
  gross: Decimal,
  quote: QuoteRecord | undefined,
): ConversionRecord['money'] {
  if (quote !== undefined) {
    const { from: given, to: bought, fees } = quote.quote;
    return gross.eq(given.amount) ? { gross: gross.toFixed(), fee: fees.trade.amount, net: bought.amount } : undefined;
  }
  const fee = Money.min(roundedUp(share(gross, feesOf(state).conversions), from.places), gross);
  const net = rateBetween(from, to).convert(gross.minus(fee));
  return net.gt(0) ? { gross: gross.toFixed(), fee: fee.toFixed(), net: net.toFixed() } : undefined;
}

/** `converting → settling | failed`. */
function settle(state: State, found: Found<ConversionRecord>): void {
  const { account, record } = found;
  const quote = quoteOf(state, found);
  if (record.fails || quote?.record.fails === true) {
    fail(state, found);
    return;
  }
  payIn(state, account, settlementOf(state, record));
  const { conversion } = move(state, conversions, found, 'settling');
  if (quote !== undefined) endQuote(state, quote, 'executed');
  state.events.emit('swap.completed', conversion);
  scheduleStep(state, 'conversion.pay_out', found, SETTLING_MS);
}

/** `settling → completed`. */
function deliver(state: State, found: Found<ConversionRecord>): void {
  const settlement = settlementOf(state, found.record);
  payOut(state, found.account, settlement);
  const { conversion } = move(state, conversions, found, 'completed', settlement.toBalance ? undefined : withPayout);
  if (!settlement.toBalance) state.events.emit('conversion.withdrawal_completed', conversion);
}

function withPayout({ conversion, references, ...record }: ConversionRecord): ConversionRecord {
  const chain_references = { ...conversion.chain_references, withdraw_txid: references.withdraw };
  return { ...record, references, conversion: { ...conversion, chain_references } };
}

/** Makes a conversion end in `failed`: at once while it waits, otherwise when it would settle. */
function reject(state: State, found: Found<ConversionRecord>): void {
  if (found.record.conversion.status === 'pending_deposit') fail(state, found);
  else willFail(state, conversions, found);
}

/** Ends a conversion as `failed`. The account keeps money that has arrived. */
function fail(state: State, found: Found<ConversionRecord>): WireConversion {
  const { account, record } = found;
  if (record.money !== undefined) releaseSource(state, account, settlementOf(state, record));
  const quote = quoteOf(state, found);
  if (quote !== undefined) endQuote(state, quote, 'failed');
  const { conversion } = move(state, conversions, found, 'failed');
  state.events.emit('conversion.quote_execution_failed', conversion);
  state.events.emit('swap.failed', conversion);
  return conversion;
}

function quoteOf(
  state: State,
  { account, record: { quote } }: Found<ConversionRecord>,
): Found<QuoteRecord> | undefined {
  return quote === undefined ? undefined : find(state, quotes, quote, account.id);
}

function sample({ state, random, now }: SampleSource, status: string): object {
  const [usd, btc] = [state.catalogue.get('USD', 'fiat'), state.catalogue.get('BTC', 'crypto')];
  const bought = written(priceIn(usd, btc).times(100), btc.places);
  const balance = { type: BALANCE };
  const made = {
    id: random.uuid(),
    from: { asset: { ...assetRef(usd), amount: '100.00' }, source: balance },
    to: { asset: { ...assetRef(btc), amount: bought }, destination: balance },
    fees: {},
    chain_references: {},
    created_at: now,
    updated_at: now,
  };
  return { ...made, ...newest(state, conversions)?.conversion, status };
}
