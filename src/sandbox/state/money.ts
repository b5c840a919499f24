import { Decimal } from '../../schema/decimal.js';
import type { Asset } from './catalogue.js';

/**
 * The longest text of an amount that the sandbox takes, in characters: its own bound, the service documents none for
 * quotes.
 */
export const MAX_AMOUNT_LENGTH = 256;

/**
 * Amounts of money are of this kind: it has digits enough that sums and products of the longest amounts are exact, where the package's
 * `Decimal` would round at its 80th digit. Never divide it but by the two functions below: every quotient would have all these digits.
 */
export const Money = Decimal.clone({ precision: 1_000 });

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
  /** What an amount of the source is in the destination, rounded down to its places. */
  convert(amount: Decimal): Decimal;
  /** What an amount of the destination is in the source, rounded up to its places. */
  invert(amount: Decimal): Decimal;
}

/** The rate from one asset to another, written with the more money-like of the two as the quote asset. */
export function rateBetween(from: Asset, to: Asset): Rate {
  if (moneyness(from) <= moneyness(to)) {
    const price = priceIn(from, to);
    return {
      ...{ base: from, quote: to, price },
      convert: (amount) => roundedDown(amount.times(price), to.places),
      invert: (amount) => dividedUp(amount, price, from.places),
    };
  }
  const price = priceIn(to, from);
  return {
    ...{ base: to, quote: from, price },
    convert: (amount) => dividedDown(amount, price, to.places),
    invert: (amount) => roundedUp(amount.times(price), from.places),
  };
}

/** What prices are written in, the most usual last. */
const MONEY_TYPES: readonly string[] = ['stablecoin', 'fiat'];

function moneyness({ type }: Asset): number {
  return MONEY_TYPES.indexOf(type);
}

/** With so many places, and more where the amount has more: nothing is rounded away. */
export const written = (amount: Decimal, places: number): string =>
  amount.toFixed(Math.max(places, amount.decimalPlaces()));

/** Never gives away more than there is. */
export const roundedDown = (value: Decimal, places: number): Decimal =>
  value.toDecimalPlaces(places, Decimal.ROUND_DOWN);

/** Never charges less than is due. */
export const roundedUp = (value: Decimal, places: number): Decimal => value.toDecimalPlaces(places, Decimal.ROUND_UP);

/** The quotient rounded down to so many places, exactly: it has no digit that could have been rounded before. */
export function dividedDown(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  return unitsIn(dividend, places).divToInt(divisor).times(`1e-${places}`);
}

/** The quotient rounded up in the same way. */
export function dividedUp(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  const units = unitsIn(dividend, places);
  const whole = units.divToInt(divisor);
  return (whole.times(divisor).eq(units) ? whole : whole.plus(1)).times(`1e-${places}`);
}

const unitsIn = (amount: Decimal, places: number): Decimal => new Money(amount).times(`1e${places}`);

/** A share in basis points: 100 = 1 %. */
export const share = (value: Decimal, bps: Decimal | number): Decimal => value.times(bps).times('0.0001');

/** What costs so many US dollars, in an asset. */
export const priced = (usd: string, asset: Asset): Decimal => dividedUp(new Money(usd), asset.usd, asset.places);
