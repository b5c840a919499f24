import type { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money, priceBetween } from '../../core/money/money.js';

/** Decimal places of values. */
export const VALUE_PLACES = 4;

/** Returns the price of an asset in another at a time. */
export const priceAt = (base: Asset, quote: Asset, moment: number): Decimal =>
  priceBetween(base.price.at(moment), quote.price.at(moment));

/** Adds up values as they are shown: the sum of rounded values, not the rounded sum. */
export function sumOf(values: Iterable<string>): Decimal {
  let sum: Decimal = new Money(0);
  for (const value of values) sum = sum.plus(value);
  return sum;
}
