import type { Decimal } from '../../../schema/decimal.js';
import { MAX_AMOUNT_LENGTH, Money } from '../../core/money/money.js';
import { badRequest } from '../../core/request/refusal.js';

/** Reads an amount of a request, which must be above 0. Throws 400 for its field. */
export function positive(text: string, field: string): Decimal {
  if (text.length > MAX_AMOUNT_LENGTH) {
    throw badRequest({ field, message: `must have at most ${MAX_AMOUNT_LENGTH} characters` });
  }
  const amount = new Money(text);
  if (amount.gt(0)) return amount;
  throw badRequest({ field, message: 'must be above 0' });
}
