import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetKey, assetRef, type WireAssetRef } from '../../core/market/catalogue.js';
import { Money, priceIn } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';

/** The price that an order waits for: that of one unit of `base` in `quote`. */
export interface PriceCondition {
  /** All conditions of one pair are compared with the same price. */
  readonly pair: string;
  readonly base: Asset;
  readonly quote: Asset;
  readonly rises: boolean;
  readonly limit: Decimal;
}

interface When<Ref = WireAssetRef> {
  readonly base: Ref;
  readonly quote: Ref;
  readonly drops_to?: string | undefined;
  readonly rises_to?: string | undefined;
}

/**
 * Returns the condition as an order shows it.
 *
 * @throws Refusal (400) for unknown assets, for one asset twice, and for a price of 0.
 */
export function checkedCondition({ catalogue }: State, when: When<Omit<WireAssetRef, 'name'>>): When {
  const { base, quote, drops_to, rises_to } = when;
  const pair = [
    catalogue.named(base.symbol, base.type, 'when.base.symbol'),
    catalogue.named(quote.symbol, quote.type, 'when.quote.symbol'),
  ] as const;
  if (pair[0] === pair[1]) throw badRequest({ field: 'when.quote.symbol', message: 'is the same asset as base' });
  const [direction, price] = drops_to === undefined ? ['rises_to', rises_to ?? 0] : ['drops_to', drops_to];
  if (!new Money(price).gt(0)) throw badRequest({ field: `when.${direction}`, message: 'must be above 0' });
  return { base: assetRef(pair[0]), quote: assetRef(pair[1]), [direction]: price };
}

export function conditionOf({ catalogue }: State, when: When): PriceCondition {
  const base = catalogue.get(when.base.symbol, when.base.type);
  const quote = catalogue.get(when.quote.symbol, when.quote.type);
  const limit = new Money(when.drops_to ?? when.rises_to ?? 0);
  return { pair: `${assetKey(base)} ${assetKey(quote)}`, base, quote, rises: when.drops_to === undefined, limit };
}

/** @param prices The prices of pairs that are calculated already. */
export function isReached({ pair, base, quote, rises, limit }: PriceCondition, prices: Map<string, Decimal>): boolean {
  const price = prices.get(pair) ?? priceIn(base, quote);
  prices.set(pair, price);
  return rises ? price.gte(limit) : price.lte(limit);
}
