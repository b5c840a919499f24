import { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../market/catalogue.js';

/** Maximum length of an amount in characters; a longer one is rejected. The sandbox's own limit. */
export const MAX_AMOUNT_LENGTH = 256;

/**
 * A decimal type with enough digits for exact sums and products of the longest amounts. The
 * package's `Decimal` would round at its 80th digit. Divide only with the two functions below: a
 * plain quotient would have all these digits.
 */
export const Money = Decimal.clone({ precision: 1_000 });

/** Divides to as many digits as a price has, which takes a twentieth of the time. */
const Quotient = Decimal.clone({ precision: 10 });

/** Returns the price of one unit of an asset in another one. */
export const priceIn = (base: Asset, counter: Asset): Decimal => priceBetween(base.usd, counter.usd);

/** Returns the price of one asset in another from their prices in US dollars. */
export const priceBetween = (baseUsd: Decimal, counterUsd: Decimal): Decimal =>
  new Decimal(new Quotient(baseUsd).div(counterUsd));

/** The exchange rate between two assets. Converts in both directions. */
export interface Rate {
  readonly base: Asset;
  /** The asset in which the price is written. */
  readonly counter: Asset;
  readonly price: Decimal;
  /** Converts an amount of the source asset, rounded down to the destination's decimal places. */
  convert(amount: Decimal): Decimal;
  /** Converts an amount of the destination asset, rounded up to the source's decimal places. */
  invert(amount: Decimal): Decimal;
}

/** Returns the rate between two assets. The price is quoted in the more money-like one. */
export function rateBetween(from: Asset, to: Asset): Rate {
  if (moneyness(from) <= moneyness(to)) {
    const price = priceIn(from, to);
    return {
      base: from,
      counter: to,
      price,
      convert: (amount) => roundedDown(amount.times(price), to.places),
      invert: (amount) => dividedUp(amount, price, from.places),
    };
  }
  const price = priceIn(to, from);
  return {
    base: to,
    counter: from,
    price,
    convert: (amount) => dividedDown(amount, price, to.places),
    invert: (amount) => roundedUp(amount.times(price), from.places),
  };
}

/** Classes of assets in which prices are quoted, the most usual last. */
const MONEY_TYPES: readonly string[] = ['stablecoin', 'fiat'];

function moneyness({ type }: Asset): number {
  return MONEY_TYPES.indexOf(type);
}

/** Formats an amount with this many decimal places, or more if it has more: it is never rounded. */
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

/** Returns the amount of an asset that is worth this many US cents, rounded down. */
export const worth = (usdCents: number, asset: Asset): Decimal =>
  dividedDown(new Money(`${usdCents}e-2`), asset.usd, asset.places);
