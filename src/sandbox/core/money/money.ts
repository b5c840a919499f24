import { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../market/catalogue.js';

/** Longest text of an amount, in characters: the sandbox's own limit. */
export const MAX_AMOUNT_LENGTH = 256;

/**
 * A decimal with enough digits for exact sums and products of the longest amounts. The package's
 * `Decimal` would round at its 80th digit. Divide it only by the two functions below: a plain
 * quotient would have all these digits.
 */
export const Money = Decimal.clone({ precision: 1_000 });

/** Divides to the digits that a price has, and no further: a twentieth of the work. */
const Quotient = Decimal.clone({ precision: 10 });

/** Returns the price of one unit of an asset in another one. */
export const priceIn = (base: Asset, counter: Asset): Decimal => priceBetween(base.usd, counter.usd);

/** Returns the price of one asset in another from their prices in US dollars. */
export const priceBetween = (baseUsd: Decimal, counterUsd: Decimal): Decimal =>
  new Decimal(new Quotient(baseUsd).div(counterUsd));

/** A price between two assets, and conversion in both directions. */
export interface Rate {
  readonly base: Asset;
  /** The asset in which the price is written. */
  readonly counter: Asset;
  readonly price: Decimal;
  /** Converts an amount of the source into the destination, rounded down to its places. */
  convert(amount: Decimal): Decimal;
  /** Converts an amount of the destination into the source, rounded up to its places. */
  invert(amount: Decimal): Decimal;
}

/** Returns the rate between two assets. Prices are written in the more money-like one. */
export function rateBetween(from: Asset, to: Asset): Rate {
  if (moneyness(from) <= moneyness(to)) {
    const price = priceIn(from, to);
    return {
      ...{ base: from, counter: to, price },
      convert: (amount) => roundedDown(amount.times(price), to.places),
      invert: (amount) => dividedUp(amount, price, from.places),
    };
  }
  const price = priceIn(to, from);
  return {
    ...{ base: to, counter: from, price },
    convert: (amount) => dividedDown(amount, price, to.places),
    invert: (amount) => roundedUp(amount.times(price), from.places),
  };
}

/** Classes of assets that prices are written in, the most usual last. */
const MONEY_TYPES: readonly string[] = ['stablecoin', 'fiat'];

function moneyness({ type }: Asset): number {
  return MONEY_TYPES.indexOf(type);
}

/** Writes an amount with this many places, or more if the amount has more: nothing is rounded. */
export const written = (amount: Decimal, places: number): string =>
  amount.toFixed(Math.max(places, amount.decimalPlaces()));

const roundedDown = (value: Decimal, places: number): Decimal => value.toDecimalPlaces(places, Decimal.ROUND_DOWN);

export const roundedUp = (value: Decimal, places: number): Decimal => value.toDecimalPlaces(places, Decimal.ROUND_UP);

export function dividedDown(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  return unitsIn(dividend, places).divToInt(divisor).times(`1e-${places}`);
}

export function dividedUp(dividend: Decimal, divisor: Decimal, places: number): Decimal {
  const units = unitsIn(dividend, places);
  const whole = units.divToInt(divisor);
  return (whole.times(divisor).eq(units) ? whole : whole.plus(1)).times(`1e-${places}`);
}

const unitsIn = (amount: Decimal, places: number): Decimal => new Money(amount).times(`1e${places}`);

const BASIS_POINT = new Money('0.0001');

/** Returns a share in basis points: 100 = 1 %. */
export const share = (value: Decimal, bps: Decimal | number): Decimal => value.times(bps).times(BASIS_POINT);

/** Converts US dollars into an asset, rounded up. */
export const priced = (usd: string, asset: Asset): Decimal => dividedUp(new Money(usd), asset.usd, asset.places);

/** Returns how much of an asset so many US cents are worth, rounded down. */
export const worth = (usdCents: number, asset: Asset): Decimal =>
  dividedDown(new Money(`${usdCents}e-2`), asset.usd, asset.places);
