import { listRampAssets, type RampAssetListParams } from '../../../resources/ramp/assets.js';
import { listRampCountries, type RampCountryListParams } from '../../../resources/ramp/countries.js';
import { listRampFiatCurrencies, type RampFiatCurrencyListParams } from '../../../resources/ramp/fiat-currencies.js';
import { listRampPaymentMethods, type RampPaymentMethodListParams } from '../../../resources/ramp/payment-methods.js';
import type { Wire } from '../../../schema/types.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import { assetRef } from '../../core/market/catalogue.js';
import { inOrderOf } from '../../core/request/paging.js';
import { badRequest } from '../../core/request/refusal.js';
import { COUNTRIES } from '../shared/countries.js';
import { canBuy, canPayWith, checkCountry, wrongSubdivision } from './limits.js';

const PAGE_SIZE = 50;

/** Each `id` is a method of a checkout. A method with `card` in its name has the fee of a card. */
const PAYMENT_METHODS = [
  { id: 'bank_transfer', name: 'Bank transfer' },
  { id: 'credit_card', name: 'Credit card' },
  { id: 'debit_card', name: 'Debit card' },
];

/** A list in the order of a text of its items. */
const ordered = <Item>(scope: readonly unknown[], items: readonly Item[], textOf: (item: Item) => string) => ({
  scope,
  items: items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
  ...inOrderOf(textOf),
});

export const rampDiscoveryHandlers: readonly Handler[] = [
  handle<unknown, RampCountryListParams>(listRampCountries, ({ pager }, { query }) =>
    pager.page(
      ordered([listRampCountries.name], COUNTRIES, ({ country }) => country),
      { page_size: PAGE_SIZE, ...query },
    ),
  ),
  handle<unknown, Wire<RampFiatCurrencyListParams>>(listRampFiatCurrencies, ({ pager, catalogue }, { query }) =>
    pager.page(
      ordered([listRampFiatCurrencies.name], catalogue.assets.filter(canPayWith).map(assetRef), ({ symbol }) => symbol),
      { page_size: PAGE_SIZE, ...query },
    ),
  ),
  handle<unknown, Wire<RampPaymentMethodListParams>>(listRampPaymentMethods, ({ pager }, { query }) =>
    pager.page(
      ordered([listRampPaymentMethods.name], PAYMENT_METHODS, ({ id }) => id),
      query,
    ),
  ),
  handle<unknown, Wire<RampAssetListParams>>(listRampAssets, ({ catalogue, pager }, { query }) => {
    checkCountry(query.country);
    const causes = wrongSubdivision(query);
    if (causes.length > 0) throw badRequest(...causes);
    const assets = catalogue.assets.filter(canBuy).map(assetRef);
    return pager.page(
      ordered(
        [listRampAssets.name, query.country, query.subdivision],
        assets,
        ({ symbol, type }) => `${type}:${symbol}`,
      ),
      query,
    );
  }),
];
