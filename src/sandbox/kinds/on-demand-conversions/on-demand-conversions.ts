import * as z from 'zod/mini';
import {
  listOnDemandConversions,
  type OnDemandConversion,
  type OnDemandConversionListParams,
} from '../../../resources/accounts/on-demand-conversions.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS, type Random, UUID_DRAWS } from '../../core/basics/random.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { recordsOf } from '../../core/kind/find.js';
import type { Found, Kind, Moves, SampleSource } from '../../core/kind/kind.js';
import { statesOf } from '../../core/kind/states.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money, priced, type Rate, rateBetween, roundedUp, share, written } from '../../core/money/money.js';
import { scheduleStep, willFail } from '../../core/moves.js';
import { move } from '../../core/mutations.js';
import { listNewest } from '../../core/reading.js';
import { amountText, answered, knownAsset, moment } from '../../core/records/saved-values.js';
import type { State } from '../../core/records/state.js';
import {
  CONVERTING_FROM_BALANCE_MS,
  type ConversionMoney,
  payIn,
  payOut,
  releaseSource,
  SETTLING_MS,
  type Settlement,
} from '../shared/settling.js';

/** Time in ms until a conversion settles. Money from a linked bank takes days to arrive. */
export const CONVERTING_MS = { bank: 3 * DAY_MS, balance: CONVERTING_FROM_BALANCE_MS } as const;

type WireConversion = Readonly<Wire<OnDemandConversion>>;
type WireEndpoint = WireConversion['from'];
export type WireWallet = Extract<WireEndpoint, { type: 'wallet' }>['wallet'];

/** Assets, for example `crypto:BTC`, and amounts as text. */
type SavedMoney = { readonly [Name in keyof ConversionMoney]: string };

export interface OnDemandConversionRecord {
  readonly conversion: WireConversion;
  /** Position among the account's conversions: the oldest is 1, and none is ever removed. */
  readonly sequence: number;
  readonly fails: boolean;
  /** Ids of its payout. */
  readonly references: { readonly transaction_id: string; readonly blockchain_transaction_id: string };
  /** Absent for conversions of the seed, whose effects are in its balances already. */
  readonly money?: SavedMoney | undefined;
}

/** `sandbox.onDemandConversions`: moves on-demand conversions to their next state. */
export interface SandboxOnDemandConversions {
  /**
   * Settles a converting conversion now: `settling`, or `failed` if you called `fail` or set
   * `fails`. Its completion is scheduled as usual.
   */
  settle(conversionId: string): Wire<OnDemandConversion>;
  /** Finishes a conversion now: `completed`, or `failed` if you called `fail` or set `fails`. */
  complete(conversionId: string): Wire<OnDemandConversion>;
  /** Makes a converting conversion end in `failed` when it would settle. */
  fail(conversionId: string): void;
}

/** The on-demand conversions of an account, oldest first. */
export const onDemandConversions: Kind<OnDemandConversionRecord> = {
  name: 'onDemandConversions',
  noun: 'on-demand conversion',
  owner: 'account',
  limit: Number.POSITIVE_INFINITY,
  schema: () =>
    z.object({
      conversion: answered<WireConversion>(listOnDemandConversions, ['data', 0], {
        status: z.enum(statesOf(onDemandConversions)),
        created_at: moment,
      }),
      sequence: z.int(),
      fails: z.boolean(),
      references: z.object({ transaction_id: z.string(), blockchain_transaction_id: z.string() }),
      money: z.optional(
        z.object({
          from: knownAsset,
          to: knownAsset,
          gross: amountText,
          fromFee: amountText,
          tradeFee: amountText,
          toFee: amountText,
          net: amountText,
        }),
      ),
    }),
  shown: ({ conversion }) => conversion,
  stateOf: ({ conversion }) => conversion.status,
  inState,
  holds({ conversion: { status, from }, money }) {
    if (status !== 'converting' || from.type !== 'balance' || money === undefined) return [];
    const [type = '', symbol = ''] = money.from.split(':');
    return [{ type, symbol, amount: money.gross }];
  },
  initial: ['converting'],
  steps: {
    'conversion.settle': {
      from: ['converting'],
      to: 'settling',
      after: { fail: 'failed' },
      effect: (id) => `On-demand conversion ${id} settles, or fails.`,
      run: settle,
    },
    'conversion.complete': {
      from: ['settling'],
      to: 'completed',
      effect: (id) => `On-demand conversion ${id} is completed.`,
      run: complete,
    },
  },
  idName: 'conversionId',
  moves: {
    settle: { from: ['converting'], steps: ['conversion.settle'] },
    complete: { from: ['converting', 'settling'], steps: ['conversion.settle', 'conversion.complete'] },
    fail: { from: ['converting'], run: (state, found) => willFail(state, onDemandConversions, found) },
  } satisfies Moves<keyof SandboxOnDemandConversions, OnDemandConversionRecord>,
  operations: [
    listNewest<OnDemandConversionListParams, OnDemandConversionRecord>(
      listOnDemandConversions,
      () => onDemandConversions,
    ),
  ],
  events: {
    'conversion.withdrawal_completed': (source) => sample(source, 'completed', ({ to }) => to.type !== 'balance'),
    'conversion.quote_execution_failed': (source) => sample(source, 'failed', () => true),
  },
  choices: { [listOnDemandConversions.name]: 'Shows an endpoint that is not `settled` with the status `pending`.' },
};

/** At `settling`, the source has paid. At `completed`, the destination has received the money. */
export function inState(record: OnDemandConversionRecord, status: string, now: number): OnDemandConversionRecord {
  const { from, to } = record.conversion;
  const conversion = { ...record.conversion, status, updated_at: timestamp(now) };
  if (status === 'settling') return { ...record, conversion: { ...conversion, from: settled(from) } };
  if (status !== 'completed') return { ...record, conversion };
  const references = to.type === 'wallet' ? { transaction_references: { to: record.references } } : {};
  return { ...record, conversion: { ...conversion, to: settled(to), ...references } };
}

const settled = (side: WireEndpoint): WireEndpoint =>
  side.type === 'balance' || side.type === 'wallet' ? { ...side, status: 'settled' } : side;

/** `converting → settling | failed`. */
function settle(state: State, found: Found<OnDemandConversionRecord>): void {
  const { fails } = found.record;
  const record = move(state, onDemandConversions, found, fails ? 'failed' : 'settling');
  const settlement = settlementOf(state, record);
  if (settlement !== undefined) (fails ? releaseSource : payIn)(state, found.account, settlement);
  if (fails) state.events.emit('conversion.quote_execution_failed', record.conversion);
  else scheduleStep(state, 'conversion.complete', found, SETTLING_MS);
}

/** `settling → completed`. */
function complete(state: State, found: Found<OnDemandConversionRecord>): void {
  const record = move(state, onDemandConversions, found, 'completed');
  const settlement = settlementOf(state, record);
  if (settlement !== undefined) payOut(state, found.account, settlement);
  const { conversion } = record;
  if (conversion.to.type !== 'balance') state.events.emit('conversion.withdrawal_completed', conversion);
}

function settlementOf(
  { catalogue }: State,
  { conversion: { id, from, to }, money }: OnDemandConversionRecord,
): Settlement | undefined {
  if (money === undefined) return undefined;
  const { gross, fromFee, tradeFee, toFee, net } = money;
  return {
    reference: id,
    money: {
      from: catalogue.keyed(money.from),
      to: catalogue.keyed(money.to),
      gross: new Money(gross),
      net: new Money(net),
      fromFee: new Money(fromFee),
      tradeFee: new Money(tradeFee),
      toFee: new Money(toFee),
    },
    fromBalance: from.type === 'balance',
    toBalance: to.type === 'balance',
  };
}

/** The seed has conversions in every state. */
function sample(
  { state, account }: SampleSource,
  status: string,
  fits: (conversion: WireConversion) => boolean,
): object {
  const records = recordsOf(state, onDemandConversions, account).values();
  const all = Array.from(records, ({ conversion }) => conversion).filter(fits);
  return all.findLast((one) => one.status === status) ?? { ...all.at(-1), status };
}

type Place =
  | { readonly type: 'balance' }
  | { readonly type: 'bank' }
  | { readonly type: 'wallet'; readonly wallet: WireWallet };

export interface ConversionOrder {
  readonly from: Asset;
  readonly to: Asset;
  readonly amount: Decimal;
  /** Conversions go between banks and balances, or from balances to wallets. */
  readonly source: 'balance' | 'bank';
  readonly destination: Place;
  readonly createdAt: number;
  readonly sequence: number;
  readonly fails: boolean;
  /** Platform fee in basis points. */
  readonly feeBps: number;
}

const BANK_FEE_BPS = 15;
/** Fee of a payout, in US dollars. */
const PAYOUT_FEE_USD = '0.35';

const HASH_DIGITS = 64;

/** Number of draws per conversion: its id and the two ids of its payout. */
export const ORDER_DRAWS = 2 * UUID_DRAWS + HASH_DIGITS;

/** Returns a new conversion, whose record does not contain its money yet. */
export function orderConversion(
  order: ConversionOrder,
  random: Random,
): { readonly record: OnDemandConversionRecord; readonly money: ConversionMoney } {
  const { from, to, createdAt, sequence, fails } = order;
  const rate = rateBetween(from, to);
  const money = amounts(order, rate);
  const created = timestamp(createdAt);
  const conversion: WireConversion = {
    id: random.uuid(),
    status: 'converting',
    from: endpoint({ type: order.source }, from, money.gross),
    to: endpoint(order.destination, to, money.net),
    rate: { base: { symbol: rate.base.symbol }, quote: { symbol: rate.counter.symbol }, price: rate.price.toFixed() },
    fees: {
      from: { symbol: from.symbol, amount: written(money.fromFee, from.places) },
      trade: { symbol: from.symbol, amount: written(money.tradeFee, from.places) },
      to: { symbol: to.symbol, amount: written(money.toFee, to.places) },
    },
    created_at: created,
    updated_at: created,
  };
  // Drawn now, so the data does not depend on when the clock is advanced.
  const references = {
    transaction_id: random.uuid(),
    blockchain_transaction_id: random.text(HASH_DIGITS, ALPHABETS.hex),
  };
  return { record: { conversion, sequence, fails, references }, money };
}

/** net = (gross − fees.from − fees.trade) at the rate, rounded down, − fees.to; 0 or more. */
function amounts(order: ConversionOrder, rate: Rate): ConversionMoney {
  const { source, destination, from, to, amount: gross, feeBps } = order;
  const fromFee = source === 'bank' ? roundedUp(share(gross, BANK_FEE_BPS), from.places) : new Money(0);
  const tradeFee = Money.min(roundedUp(share(gross, feeBps), from.places), gross.minus(fromFee));
  const converted = rate.convert(gross.minus(fromFee).minus(tradeFee));
  const toFee = destination.type === 'balance' ? new Money(0) : Money.min(priced(PAYOUT_FEE_USD, to), converted);
  return { from, to, gross, fromFee, tradeFee, toFee, net: converted.minus(toFee) };
}

function endpoint(at: Place, asset: Asset, amount: Decimal): WireEndpoint {
  if (at.type === 'bank') return { type: at.type };
  const common = { symbol: asset.symbol, amount: written(amount, asset.places), status: 'pending' };
  return at.type === 'wallet' ? { type: at.type, ...common, wallet: at.wallet } : { type: at.type, ...common };
}
