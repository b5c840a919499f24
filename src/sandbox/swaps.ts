import { Decimal } from '../core/decimal.js';
import { type Asset, canSwap } from './catalogue.js';
import { badRequest } from './errors.js';
import { assetOf } from './handlers/handler.js';
import { type Rate, rateBetween, roundedDown, roundedUp, share } from './money.js';
import type { State } from './state.js';

/** One side as a checked body holds it. */
export interface SideInput {
  readonly symbol: string;
  readonly type: string;
  readonly amount?: string | undefined;
}

/** Two assets and the amounts that change hands at a price. Amounts are text: the fixed side's is the caller's own. */
export interface Swap {
  readonly from: Asset;
  readonly to: Asset;
  readonly fromAmount: string;
  readonly toAmount: string;
  /** Taken from the source before it is converted. */
  readonly fee: Decimal;
  readonly rate: Rate;
}

/** What the platform takes, in basis points: 100 = 1 %. */
const PLATFORM_FEE_BPS = 25;

/** Prices a swap from the side whose amount is given. The check has made sure that it is exactly one. */
export function priceSwap(state: State, from: SideInput, to: SideInput, partnerFeeBps = 0): Swap {
  const source = assetOf(state, from.symbol, from.type, 'from.symbol');
  const destination = assetOf(state, to.symbol, to.type, 'to.symbol');
  if (source === destination) throw badRequest({ field: 'to.symbol', message: 'is the same asset as from' });
  if (!canSwap(source, destination)) {
    throw badRequest({
      field: 'to.symbol',
      message: `${to.symbol} cannot be swapped against ${from.symbol} at present`,
    });
  }
  const rate = rateBetween(source, destination);
  const bps = new Decimal(PLATFORM_FEE_BPS).plus(partnerFeeBps);
  const swap =
    from.amount === undefined
      ? fromFixedDestination(source, destination, rate, bps, to.amount ?? '')
      : fromFixedSource(source, destination, rate, bps, from.amount);
  if (!(new Decimal(swap.fromAmount).gt(0) && new Decimal(swap.toAmount).gt(0))) {
    const field = from.amount === undefined ? 'to.amount' : 'from.amount';
    throw badRequest({ field, message: 'is too small' });
  }
  return swap;
}

function fromFixedSource(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const amount = new Decimal(text);
  const fee = roundedUp(share(amount, bps), from.places);
  const received = roundedDown(rate.convert(amount.minus(fee)), to.places);
  return { from, to, fromAmount: text, toAmount: received.toFixed(to.places), fee, rate };
}

function fromFixedDestination(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const net = roundedUp(rate.invert(new Decimal(text)), from.places);
  const amount = roundedUp(net.times(10_000).div(new Decimal(10_000).minus(bps)), from.places);
  return { from, to, fromAmount: amount.toFixed(from.places), toAmount: text, fee: amount.minus(net), rate };
}
