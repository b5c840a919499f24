import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { Money, priceBetween, written } from '../../core/money/money.js';

/** Decimal places of values. */
export const VALUE_PLACES = 4;

/** Writes a quantity of an asset. */
export const quantity = (asset: Asset, amount: Decimal) => ({
  ...assetRef(asset),
  amount: written(amount, asset.places),
});

/** The price of an asset in another at a moment. */
export const priceAt = (base: Asset, quote: Asset, moment: number): Decimal =>
  priceBetween(base.price.at(moment), quote.price.at(moment));

/** Adds up values as they are written: a sum of rounded values, not a rounded sum. */
export function sumOf(values: Iterable<string>): Decimal {
  let sum: Decimal = new Money(0);
  for (const value of values) sum = sum.plus(value);
  return sum;
}
