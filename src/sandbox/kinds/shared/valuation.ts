import type { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money, priceBetween } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';

/** Decimal places of values. */
export const VALUE_PLACES = 4;

/** The asset in which a request values others. */
interface QuoteRef {
  readonly quote_symbol: string | undefined;
  readonly quote_type: string | undefined;
}

/** Returns the asset in which a request values other assets. Throws 400 if there is none. */
export const quoteOf = (
  { catalogue }: State,
  { quote_symbol = 'USD', quote_type = 'fiat' }: Partial<QuoteRef>,
): Asset => catalogue.named(quote_symbol, quote_type, 'quote_symbol');

export const quoteRef = ({ symbol, type }: Asset) => ({ quote_symbol: symbol, quote_type: type });

/** Returns the price of an asset in another at a time. */
export const priceAt = (base: Asset, quote: Asset, moment: number): Decimal =>
  priceBetween(base.price.at(moment), quote.price.at(moment));

/** Adds up values as they are shown: the sum of rounded values, not the rounded sum. */
export function sumOf(values: Iterable<string>): Decimal {
  let sum: Decimal = new Money(0);
  for (const value of values) sum = sum.plus(value);
  return sum;
}
