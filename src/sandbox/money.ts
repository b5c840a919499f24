import { Decimal } from '../core/decimal.js';
import type { Asset } from './catalogue.js';

/** Digits of a price: as many as markets show. */
const PRICE_DIGITS = 10;

/** One unit of `base` in `quote`. */
export function priceIn(base: Asset, quote: Asset): Decimal {
  return base.usd.div(quote.usd).toSignificantDigits(PRICE_DIGITS);
}

/** A price between two assets, and the way of an amount through it in both directions. */
export interface Rate {
  readonly base: Asset;
  readonly quote: Asset;
  /** One unit of `base` in `quote`. */
  readonly price: Decimal;
  /** What an amount of the source is in the destination. */
  convert(amount: Decimal): Decimal;
  /** What an amount of the destination is in the source. */
  invert(amount: Decimal): Decimal;
}

/** The rate from one asset to another, written with the more money-like of the two as the quote asset. */
export function rateBetween(from: Asset, to: Asset): Rate {
  const fromIsBase = moneyness(from) <= moneyness(to);
  const [base, quote] = fromIsBase ? [from, to] : [to, from];
  const price = priceIn(base, quote);
  const times = (amount: Decimal): Decimal => amount.times(price);
  const over = (amount: Decimal): Decimal => amount.div(price);
  return { base, quote, price, convert: fromIsBase ? times : over, invert: fromIsBase ? over : times };
}

/** What prices are written in, the most usual last. */
const MONEY_TYPES: readonly string[] = ['stablecoin', 'fiat'];

function moneyness({ type }: Asset): number {
  return MONEY_TYPES.indexOf(type);
}

/** Never gives away more than there is. */
export const roundedDown = (value: Decimal, places: number): Decimal =>
  value.toDecimalPlaces(places, Decimal.ROUND_DOWN);

/** Never charges less than is due. */
export const roundedUp = (value: Decimal, places: number): Decimal => value.toDecimalPlaces(places, Decimal.ROUND_UP);

/** A share in basis points: 100 = 1 %. */
export const share = (value: Decimal, bps: Decimal | number): Decimal => value.times(bps).div(10_000);
