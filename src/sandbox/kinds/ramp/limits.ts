import {
  getRampLimits,
  type RampCheckoutParams,
  type RampLimit,
  type RampLimitParams,
} from '../../../resources/ramp.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Asset, Catalogue } from '../../core/market/catalogue.js';
import { Money, priced, rateBetween } from '../../core/money/money.js';
import { badRequest, type Cause } from '../../core/request/refusal.js';
import { quantity } from '../shared/amounts.js';
import { countryOf } from '../shared/countries.js';

/** Minimum and maximum amounts, in US dollars. */
const DEPOSIT_USD = ['10', '25000'] as const;
const WITHDRAWAL_USD = ['5', '100000'] as const;

export const rampLimitHandlers: readonly Handler[] = [
  handle<unknown, Wire<RampLimitParams>>(getRampLimits, (state, { query }) => {
    const { from, to } = rampSides(state.catalogue, query);
    const { deposit, withdrawal, combined } = limitsOf(from, to);
    const data: Wire<RampLimit> = {
      limits: { deposit: wireRange(from, deposit), withdrawal: wireRange(to, withdrawal) },
      final_combined: { in_asset: wireRange(from, combined.from), out_asset: wireRange(to, combined.to) },
    };
    return { data };
  }),
];

/** Returns the assets of a checkout. Throws 400 for those that cannot be used in one. */
export function rampSides(
  catalogue: Catalogue,
  query: Wire<RampLimitParams | RampCheckoutParams>,
): { readonly from: Asset; readonly to: Asset } {
  const {
    in_asset_symbol = 'USD',
    in_asset_type = 'fiat',
    out_asset_symbol = 'BTC',
    out_asset_type = 'crypto',
  } = query;
  if (in_asset_type !== 'fiat') throw badRequest({ field: 'in_asset_type', message: 'only fiat is supported' });
  if (out_asset_type !== 'crypto' && out_asset_type !== 'stablecoin') {
    throw badRequest({ field: 'out_asset_type', message: 'only crypto and stablecoin are supported' });
  }
  const from = catalogue.named(in_asset_symbol, in_asset_type, 'in_asset_symbol');
  if (!canPayWith(from)) throw badRequest({ field: 'in_asset_symbol', message: 'cannot be paid with at present' });
  const to = catalogue.named(out_asset_symbol, out_asset_type, 'out_asset_symbol');
  if (!canBuy(to)) throw badRequest({ field: 'out_asset_symbol', message: 'cannot be withdrawn at present' });
  if (query.country !== undefined) checkCountry(query.country);
  return { from, to };
}

/** Throws 400 for a country in which the hosted checkout cannot be used. */
export function checkCountry(country: string): void {
  if (countryOf(country) === undefined) {
    throw badRequest({ field: 'country', message: 'is not a country of the hosted checkout' });
  }
}

export function wrongSubdivision({ country = '', subdivision = '' }: Wire<RampCheckoutParams>): Cause[] {
  const { subdivisions = [subdivision] } = countryOf(country) ?? {};
  if (subdivision === '' || subdivisions.includes(subdivision)) return [];
  return [{ field: 'subdivision', message: `must be one of ${subdivisions.join(' ')}` }];
}

export const canBuy = ({ type, listing }: Asset): boolean =>
  (type === 'crypto' || type === 'stablecoin') && listing.status.withdraw.enabled;

export const canPayWith = ({ type, listing }: Asset): boolean => type === 'fiat' && listing.status.deposit.enabled;

type Range = readonly [minimum: Decimal, maximum: Decimal];

/** Returns the limits of deposit, withdrawal, and both at the current price without fees. */
export function limitsOf(from: Asset, to: Asset) {
  const deposit = rangeIn(from, DEPOSIT_USD);
  const withdrawal = rangeIn(to, WITHDRAWAL_USD);
  const rate = rateBetween(from, to);
  const combined = {
    from: within(deposit, withdrawal, (amount) => rate.invert(amount)),
    to: within(withdrawal, deposit, (amount) => rate.convert(amount)),
  };
  return { deposit, withdrawal, combined };
}

const rangeIn = (asset: Asset, [minimum, maximum]: readonly [string, string]): Range => [
  priced(minimum, asset),
  priced(maximum, asset),
];

const within = (own: Range, other: Range, convert: (amount: Decimal) => Decimal): Range => [
  Money.max(own[0], convert(other[0])),
  Money.min(own[1], convert(other[1])),
];

const wireRange = (asset: Asset, [minimum, maximum]: Range) => ({
  minimum: quantity(asset, minimum),
  maximum: quantity(asset, maximum),
});
