import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { MAX_AMOUNT_LENGTH, Money, written } from '../../core/money/money.js';
import { badRequest } from '../../core/request/refusal.js';

/** An amount of an asset in a response. */
export const quantity = (asset: Asset, amount: Decimal) => ({
  ...assetRef(asset),
  amount: written(amount, asset.places),
});

/** Reads an amount of a request, which must be above 0. Throws 400 for its field. */
export function positive(text: string, field: string): Decimal {
  if (text.length > MAX_AMOUNT_LENGTH) {
    throw badRequest({ field, message: `must have at most ${MAX_AMOUNT_LENGTH} characters` });
  }
  const amount = new Money(text);
  if (amount.gt(0)) return amount;
  throw badRequest({ field, message: 'must be above 0' });
}
