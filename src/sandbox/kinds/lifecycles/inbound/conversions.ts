import type {
  Conversion,
  ConversionCreateBody,
  ConversionDestination,
  ConversionSource,
} from '../../../../resources/accounts/conversions.js';
import type { Inbound } from '../../../../resources/accounts/inbound.js';
import type { Decimal } from '../../../../schema/decimal.js';
import type { Wire } from '../../../../schema/types.js';
import { timestamp } from '../../../core/clock/clock.js';
import type { StepTask } from '../../../core/clock/task.js';
import { find } from '../../../core/kind/find.js';
import type { Found } from '../../../core/kind/kind.js';
import { type Asset, assetKey, assetRef } from '../../../core/market/catalogue.js';
import { NOTHING } from '../../../core/money/ledger.js';
import { Money, rateBetween, roundedUp, share, written } from '../../../core/money/money.js';
import { findRecord } from '../../../core/records/find-record.js';
import type { AccountState, ConversionMoney, State } from '../../../core/records/state.js';
import { badRequest } from '../../../core/request/refusal.js';
import { endQuote, offeredQuote, type QuoteRecord, quotes, reserveQuote } from '../../quotes.js';
import { networkNamed } from '../../shared/addresses/networks.js';
import { positive } from '../../shared/amounts.js';
import { assetsToSwap } from '../../shared/swaps.js';
import { feesOf } from '../../shared/trade-terms.js';
import { wallets } from '../../wallets.js';
import {
  CONVERTING_FROM_BALANCE_MS,
  giveUp,
  payIn,
  payOut,
  SETTLING_MS,
  type Settlement,
} from '../conversions/settling.js';
import { type AccountConversion, accountConversions, type Typed } from './conversion-record.js';
import { credit, openInbound, transactionId } from './inbounds.js';

/** A conversion to start. */
interface ConversionStart {
  readonly from: Asset;
  readonly to: Asset;
  readonly source: Typed<ConversionSource>;
  readonly destination: Typed<ConversionDestination>;
  /** The amount that is wanted. Default: whatever arrives. */
  readonly amount?: string | undefined;
  readonly inbound?: Wire<Inbound> | undefined;
  readonly quote?: Found<QuoteRecord> | undefined;
  readonly more?: Pick<Wire<Conversion>, 'transaction_id' | 'conversion_rule_id'>;
}

/** Starts a conversion of the account's balance, or one that waits for its deposit. */
export function createConversion(
  state: State,
  account: AccountState,
  body: Wire<ConversionCreateBody>,
): Wire<Conversion> {
  const { swap_quote_id: quoteId, transaction_id } = body;
  const quote = quoteId === undefined ? undefined : offeredQuote(state, account, quoteId, 'swap_quote_id');
  const [from, to] = assetsOf(state, body, quote?.record);
  const amount = amountOf(body, quote?.record);
  const destination = destinationOf(account, body.to?.destination);
  const source = sourceOf(body.from?.source);
  const start = { from, to, source, destination, quote, amount };
  const more = transaction_id === undefined ? {} : { transaction_id };
  if (source.type !== BALANCE) {
    const inbound = openInbound(state, {
      ...{ asset: from, via: source.via, lifecycle: 'single_use' as const, field: 'from.source.via' },
    });
    return startConversion(state, account, { ...start, inbound, more }).conversion;
  }
  return convertBalance(state, account, { ...start, more });
}

/** The kind of a source and of a destination that is the account's own money. */
const BALANCE = 'balance';

function convertBalance(state: State, account: AccountState, start: ConversionStart): Wire<Conversion> {
  const { from, to, amount, quote } = start;
  const field = 'from.asset.amount';
  if (amount === undefined) throw badRequest({ field, message: 'is needed: the balance pays it' });
  const gross = new Money(amount);
  if (priced(state, [from, to], gross, quote?.record) === undefined)
    throw badRequest({ field, message: 'is too small' });
  if (account.holdings.available(from).lt(gross)) throw badRequest({ field, message: 'is more than is available' });
  const record = startConversion(state, account, start);
  convert(state, account, record, gross);
  return record.conversion;
}

function assetsOf(state: State, { from, to }: Wire<ConversionCreateBody>, quote: QuoteRecord | undefined) {
  const [source, destination] = [from?.asset ?? quote?.quote.from, to?.asset ?? quote?.quote.to];
  if (source === undefined || destination === undefined) {
    const field = source === undefined ? 'from.asset' : 'to.asset';
    throw badRequest({ field, message: 'is needed without a swap_quote_id' });
  }
  const fields = ['from.asset.symbol', 'to.asset.symbol'] as const;
  const assets = assetsToSwap(state, source, destination, fields);
  const isOther = (asset: Asset, side: 'from' | 'to') => quote && assetKey(asset) !== assetKey(quote.quote[side]);
  if (isOther(assets[0], 'from') || isOther(assets[1], 'to')) {
    throw badRequest({ field: 'swap_quote_id', message: 'is a quote for other assets' });
  }
  return assets;
}

function amountOf({ from }: Wire<ConversionCreateBody>, quote: QuoteRecord | undefined): string | undefined {
  const given = from?.asset?.amount;
  const quoted = quote?.quote.from.amount;
  const field = 'from.asset.amount';
  if (given === undefined) return quoted;
  const amount = positive(given, field);
  if (quoted !== undefined && !amount.eq(quoted)) throw badRequest({ field, message: 'is not that of the quote' });
  return given;
}

/** A source without a type is a deposit if it says how the money comes. */
function sourceOf(given: Wire<ConversionSource> = {}): Typed<ConversionSource> {
  return { ...given, type: given.type ?? (given.via === undefined ? BALANCE : 'deposit') };
}

/** A wallet must be one of the account, approved. Every other kind is the account's balance. */
export function destinationOf(
  { records }: AccountState,
  given: Wire<ConversionDestination> = {},
): Typed<ConversionDestination> {
  const { wallet_id: id, type = id === undefined ? BALANCE : 'wallet' } = given;
  if (type !== 'wallet') return { ...given, type };
  const field = 'to.destination.wallet_id';
  const status = id === undefined ? undefined : records.of(wallets).get(id)?.wallet.status;
  if (status === undefined) throw badRequest({ field, message: 'is not a wallet of the account' });
  if (status !== 'approved') throw badRequest({ field, message: `is ${status}, it must be approved` });
  return { ...given, type };
}

/** Notes a conversion: `pending_deposit`, until `convert`. */
export function startConversion(state: State, account: AccountState, start: ConversionStart): AccountConversion {
  const { from, to, source, destination, amount, inbound, quote, more } = start;
  const id = state.random.uuid();
  const kept = account.records.of(accountConversions);
  const record: AccountConversion = {
    ...{ sequence: (kept.newest()?.sequence ?? 0) + 1, from: assetKey(from), to: assetKey(to), fails: false },
    ...(quote === undefined ? {} : { quote: quote.id }),
    // Drawn now, so the data does not depend on when the clock is advanced.
    references: { deposit: transactionId(state.random), withdraw: transactionId(state.random) },
    conversion: {
      ...{ id, status: 'pending_deposit' },
      from: { asset: { ...assetRef(from), ...(amount === undefined ? {} : { amount }) }, source },
      to: { asset: assetRef(to), destination },
      ...{ fees: {}, chain_references: {}, ...more },
      ...(quote === undefined ? {} : { swap_quote: quote.record.quote }),
      ...(inbound === undefined ? {} : { inbound }),
      created_at: timestamp(state.clock.now()),
      updated_at: timestamp(state.clock.now()),
    },
  };
  if (quote !== undefined) reserveQuote(state, quote, id);
  // A forgotten one that is under way ends at once.
  for (const forgotten of kept.set(id, record)) {
    if (forgotten.conversion.status === 'settling') deliver(state, account, forgotten);
    else if (isUnderWay(forgotten)) fail(state, account, forgotten);
  }
  return record;
}

/** The deposit of a conversion has arrived: it becomes the account's, and converts. */
export function depositArrived(state: State, account: AccountState, record: AccountConversion, amount: Decimal): void {
  const { conversion } = record;
  const asset = state.catalogue.keyed(record.from);
  credit(state, account, { asset, amount, reference: conversion.id });
  const isOnChain = networkNamed(conversion.from.source?.via ?? conversion.inbound?.via ?? '') !== undefined;
  if (isOnChain) conversion.chain_references = { deposit_txid: record.references.deposit };
  convert(state, account, record, amount);
}

/**
 * `pending_deposit → converting`; `failed` if nothing would be left, or if it is not the quote's
 * amount.
 */
function convert(state: State, account: AccountState, record: AccountConversion, gross: Decimal): void {
  const { conversion } = record;
  const [from, to] = [state.catalogue.keyed(record.from), state.catalogue.keyed(record.to)];
  const money = priced(state, [from, to], gross, quoteOf(state, account, record)?.record);
  conversion.from.asset.amount = written(gross, from.places);
  if (money === undefined || !account.holdings.hold({ asset: from, amount: gross })) {
    fail(state, account, record);
    return;
  }
  record.money = money;
  conversion.to.asset.amount = written(new Money(money.net), to.places);
  conversion.fees = { trade: { ...assetRef(from), amount: written(new Money(money.fee), from.places) } };
  change(state, record, 'converting');
  plan(state, account, record, 'conversion.pay_in', CONVERTING_FROM_BALANCE_MS);
}

/** net = (gross − fee) at the rate, rounded down; or what the quote says of just its amount. */
function priced(
  state: State,
  [from, to]: readonly [from: Asset, to: Asset],
  gross: Decimal,
  quote: QuoteRecord | undefined,
): AccountConversion['money'] {
  if (quote !== undefined) {
    const { from: given, to: bought, fees } = quote.quote;
    return gross.eq(given.amount) ? { gross: gross.toFixed(), fee: fees.trade.amount, net: bought.amount } : undefined;
  }
  const fee = Money.min(roundedUp(share(gross, feesOf(state).conversions), from.places), gross);
  const net = rateBetween(from, to).convert(gross.minus(fee));
  return net.gt(0) ? { gross: gross.toFixed(), fee: fee.toFixed(), net: net.toFixed() } : undefined;
}

/** `converting → settling | failed`. */
export function payInConversion(state: State, step: StepTask): void {
  const { account, record } = findRecord(state, accountConversions, step.id) ?? {};
  if (account === undefined || record?.conversion.status !== 'converting') return;
  const quote = quoteOf(state, account, record);
  if (record.fails || quote?.record.fails === true) {
    fail(state, account, record);
    return;
  }
  payIn(state, account, settlementOf(state, record));
  change(state, record, 'settling');
  if (quote !== undefined) endQuote(state, quote, 'executed');
  state.events.emit('swap.completed', record.conversion);
  plan(state, account, record, 'conversion.pay_out', SETTLING_MS);
}

/** `settling → completed`. */
export function payOutConversion(state: State, step: StepTask): void {
  const { account, record } = findRecord(state, accountConversions, step.id) ?? {};
  if (account !== undefined && record?.conversion.status === 'settling') deliver(state, account, record);
}

function deliver(state: State, account: AccountState, record: AccountConversion): void {
  const { conversion, references } = record;
  const settlement = settlementOf(state, record);
  payOut(state, account, settlement);
  if (!settlement.toBalance) {
    conversion.chain_references = { ...conversion.chain_references, withdraw_txid: references.withdraw };
  }
  change(state, record, 'completed');
  if (!settlement.toBalance) state.events.emit('conversion.withdrawal_completed', conversion);
}

const isUnderWay = ({ conversion: { status } }: AccountConversion): boolean =>
  status === 'pending_deposit' || status === 'converting';

/** Makes a conversion end in `failed`: at once while it waits, otherwise when it would settle. */
export function rejectConversion(state: State, account: AccountState, record: AccountConversion): void {
  if (record.conversion.status === 'pending_deposit') fail(state, account, record);
  else record.fails = true;
}

/** Money that has arrived stays the account's. */
function fail(state: State, account: AccountState, record: AccountConversion): void {
  if (record.money !== undefined) giveUp(state, account, settlementOf(state, record));
  const quote = quoteOf(state, account, record);
  if (quote !== undefined) endQuote(state, quote, 'failed');
  change(state, record, 'failed');
  state.events.emit('conversion.quote_execution_failed', record.conversion);
  state.events.emit('swap.failed', record.conversion);
}

function settlementOf({ catalogue }: State, { conversion, from, to, money }: AccountConversion): Settlement {
  if (money === undefined) throw new Error('the conversion has no money yet');
  const { gross, fee, net } = money;
  const full: ConversionMoney = {
    ...{ from: catalogue.keyed(from), to: catalogue.keyed(to), gross: new Money(gross), net: new Money(net) },
    ...{ tradeFee: new Money(fee), fromFee: NOTHING, toFee: NOTHING },
  };
  const toBalance = conversion.to.destination.type !== 'wallet';
  return { reference: conversion.id, money: full, fromBalance: true, toBalance };
}

function quoteOf(state: State, { id }: AccountState, { quote }: AccountConversion): Found<QuoteRecord> | undefined {
  return quote === undefined ? undefined : find(state, quotes, quote, id);
}

function change(state: State, { conversion }: AccountConversion, status: string): void {
  conversion.status = status;
  conversion.updated_at = timestamp(state.clock.now());
}

function plan(state: State, account: AccountState, { conversion }: AccountConversion, step: string, ms: number): void {
  state.clock.plan(state.clock.now() + ms, { kind: 'step', step, id: conversion.id, account: account.id });
}
