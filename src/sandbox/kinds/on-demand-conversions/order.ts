import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS, type Random, UUID_DRAWS } from '../../core/basics/random.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money, priced, type Rate, rateBetween, roundedUp, share, written } from '../../core/money/money.js';
import type { ConversionMoney } from '../shared/settling.js';
import type { OnDemandConversionRecord } from './on-demand-conversions.js';

type WireConversion = Wire<OnDemandConversion>;
type WireEndpoint = WireConversion['from'];
type WireWallet = Extract<WireEndpoint, { type: 'wallet' }>['wallet'];

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

/** A new conversion whose record does not contain its money yet. */
interface OrderedConversion {
  readonly record: OnDemandConversionRecord;
  readonly money: ConversionMoney;
}

const HASH_DIGITS = 64;

/** Number of draws per conversion: its id and the two ids of its payout. */
export const ORDER_DRAWS = 2 * UUID_DRAWS + HASH_DIGITS;

export function orderConversion(order: ConversionOrder, random: Random): OrderedConversion {
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
