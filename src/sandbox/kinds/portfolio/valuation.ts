import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { Money, priceBetween, written } from '../../core/money/money.js';

/** Decimal places of values. */
export const VALUE_PLACES = 4;

/** An amount of an asset in an answer. */
export const quantity = (asset: Asset, amount: Decimal) => ({
  ...assetRef(asset),
  amount: written(amount, asset.places),
});

/** Returns the price of an asset in another at a time. */
export const priceAt = (base: Asset, quote: Asset, moment: number): Decimal =>
  priceBetween(base.price.at(moment), quote.price.at(moment));

/** Adds up values as they are shown: the sum of rounded values, not the rounded sum. */
export function sumOf(values: Iterable<string>): Decimal {
  let sum: Decimal = new Money(0);
  for (const value of values) sum = sum.plus(value);
  return sum;
}
