import type { Decimal } from '../../schema/decimal.js';
import { badRequest } from '../refusal.js';
import { type Asset, canSwap } from '../state/catalogue.js';
import { dividedUp, MAX_AMOUNT_LENGTH, Money, type Rate, rateBetween, roundedUp, share } from '../state/money.js';
import type { State } from '../state/state.js';

export interface SideInput {
  readonly symbol: string;
  readonly type: string;
  readonly amount?: string | undefined;
}

/** A priced swap. Amounts are text; that of the fixed side is as the caller wrote it. */
export interface Swap {
  readonly from: Asset;
  readonly to: Asset;
  readonly fromAmount: string;
  readonly toAmount: string;
  /** Taken from the source before it is converted. */
  readonly fee: Decimal;
  readonly rate: Rate;
}

/** Fee of the platform, in basis points: 100 = 1 %. */
const PLATFORM_FEE_BPS = 25;

/** Prices a swap from the side whose amount is given: the check left exactly one. */
export function priceSwap(state: State, from: SideInput, to: SideInput, partnerFeeBps = 0): Swap {
  const source = state.catalogue.named(from.symbol, from.type, 'from.symbol');
  const destination = state.catalogue.named(to.symbol, to.type, 'to.symbol');
  if (source === destination) throw badRequest({ field: 'to.symbol', message: 'is the same asset as from' });
  if (!canSwap(source, destination)) {
    throw badRequest({
      field: 'to.symbol',
      message: `${to.symbol} cannot be swapped against ${from.symbol} at present`,
    });
  }
  const [field, given = ''] = from.amount === undefined ? ['to.amount', to.amount] : ['from.amount', from.amount];
  if (given.length > MAX_AMOUNT_LENGTH) {
    throw badRequest({ field, message: `must have at most ${MAX_AMOUNT_LENGTH} characters` });
  }
  const rate = rateBetween(source, destination);
  const bps = new Money(PLATFORM_FEE_BPS).plus(partnerFeeBps);
  const price = field === 'to.amount' ? fromFixedDestination : fromFixedSource;
  const swap = price(source, destination, rate, bps, given);
  if (new Money(swap.fromAmount).gt(0) && new Money(swap.toAmount).gt(0)) return swap;
  throw badRequest({ field, message: 'is too small' });
}

function fromFixedSource(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const amount = new Money(text);
  const fee = roundedUp(share(amount, bps), from.places);
  const received = rate.convert(amount.minus(fee));
  return { from, to, fromAmount: text, toAmount: received.toFixed(to.places), fee, rate };
}

/** The smallest source amount that pays for the given amount and the fee. */
function fromFixedDestination(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const net = rate.invert(new Money(text));
  const amount = dividedUp(net.times(10_000), new Money(10_000).minus(bps), from.places);
  return { from, to, fromAmount: amount.toFixed(from.places), toAmount: text, fee: amount.minus(net), rate };
}
