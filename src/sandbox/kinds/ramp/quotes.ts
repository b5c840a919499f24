import {
  getRampProspectiveQuote,
  type RampQuote,
  type RampQuoteProspectiveParams,
} from '../../../resources/ramp-quotes.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import { type Asset, assetRef } from '../../core/market/catalogue.js';
import { Money, priced, rateBetween, roundedUp, share, written } from '../../core/money/money.js';
import { badRequest, type Cause } from '../../core/request/refusal.js';

type Query = Wire<RampQuoteProspectiveParams>;

const PLATFORM_FEE_BPS = 150;
/** Additional fee of a card payment. */
const CARD_FEE_BPS = 200;
/** Fee of a payout, in US dollars. */
const WITHDRAWAL_FEE_USD = '1.25';

export const rampQuoteHandlers: readonly Handler[] = [
  handle<unknown, Query>(getRampProspectiveQuote, (state, { query }) => {
    const { from_symbol, to_symbol, from_amount } = required(query);
    const { from_type = 'fiat', to_type = 'crypto' } = query;
    if (from_type !== 'fiat') throw badRequest({ field: 'from_type', message: 'only fiat is supported' });
    if (to_type !== 'crypto' && to_type !== 'stablecoin') {
      throw badRequest({ field: 'to_type', message: 'only crypto and stablecoin are supported' });
    }
    const total = new Money(from_amount);
    if (!total.gt(0)) throw badRequest({ field: 'from_amount', message: 'must be above 0' });
    const from = state.catalogue.named(from_symbol, from_type, 'from_symbol');
    const to = state.catalogue.named(to_symbol, to_type, 'to_symbol');
    return { data: previewOf(from, to, total, query) };
  }),
];

type Required = Record<'from_symbol' | 'to_symbol' | 'from_amount', string>;

/** The service does not document its required parameters. A preview needs these three. */
function required({ from_symbol, to_symbol, from_amount }: Query): Required {
  const given = { from_symbol, to_symbol, from_amount };
  const missing = Object.entries(given).filter(([, value]) => value === undefined);
  if (missing.length > 0) throw badRequest(...missing.map(([field]): Cause => ({ field, message: 'is required' })));
  return given as Required;
}

/**
 * Side of `from`: total − deposit_fee − fee = subtotal. The fee includes the affiliate's part. Side
 * of `to`: the subtotal is that of `from` at the unit price, rounded down; less withdrawal_fee it
 * is the total. Fees never exceed the amount that they are subtracted from.
 */
function previewOf(from: Asset, to: Asset, total: Decimal, query: Query): Wire<RampQuote> {
  const money = (value: Decimal): Decimal => Money.min(roundedUp(value, from.places), total);
  const depositFee = money(share(total, query.from_method?.includes('card') ? CARD_FEE_BPS : 0));
  const platformFee = money(share(total, PLATFORM_FEE_BPS));
  const chargeable = Money.max(0, total.minus(depositFee).minus(platformFee));
  const affiliateFee = Money.min(chargeable, money(share(chargeable, Number(query.affiliate_fee_bps ?? 0))));
  const subtotal = chargeable.minus(affiliateFee);

  const rate = rateBetween(from, to);
  const bought = rate.convert(subtotal);
  const withdrawalFee = Money.min(bought, priced(WITHDRAWAL_FEE_USD, to));
  return {
    from: {
      asset: assetRef(from),
      total: written(total, from.places),
      subtotal: written(subtotal, from.places),
      fee: written(total.minus(depositFee).minus(subtotal), from.places),
      deposit_fee: written(depositFee, from.places),
      affiliate_fee: query.affiliate_fee_bps === undefined ? null : written(affiliateFee, from.places),
      withdrawal_fee: null,
    },
    to: {
      asset: assetRef(to),
      total: bought.minus(withdrawalFee).toFixed(to.places),
      subtotal: bought.toFixed(to.places),
      fee: null,
      deposit_fee: null,
      affiliate_fee: null,
      withdrawal_fee: withdrawalFee.toFixed(to.places),
    },
    unit_price: {
      asset: assetRef(rate.base),
      denomination_asset: assetRef(rate.counter),
      unit_price: rate.price.toFixed(),
    },
  };
}
