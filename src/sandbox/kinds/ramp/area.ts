import * as described from '../../../resources/ramp.js';
import type { Wire } from '../../../schema/types.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Area } from '../../core/kind/kind.js';
import { assetKey, assetRef } from '../../core/market/catalogue.js';
import type { RecordKind } from '../../core/records/records.js';
import type { State } from '../../core/records/state.js';
import { inOrderOf, type PageQuery, type WirePage } from '../../core/request/paging.js';
import { badRequest } from '../../core/request/refusal.js';
import { COUNTRIES } from '../shared/countries.js';
import { rampCheckoutHandlers, rampCheckouts } from './checkout.js';
import { canBuy, canPayWith, checkCountry, rampLimitHandlers, wrongSubdivision } from './limits.js';
import { rampQuoteHandlers } from './quotes.js';

const PAGE_SIZE = 50;

/** Each `id` is a method of a checkout. A method with `card` in its name has the fee of a card. */
const PAYMENT_METHODS = [
  { id: 'bank_transfer', name: 'Bank transfer' },
  { id: 'credit_card', name: 'Credit card' },
  { id: 'debit_card', name: 'Debit card' },
];

/** Returns a page of a list in the order of a text of its items. */
function pageOf<Item>(
  { pager }: State,
  query: PageQuery,
  scope: readonly unknown[],
  list: readonly Item[],
  textOf: (item: Item) => string,
): WirePage<Item> {
  const items = list.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  return pager.page({ scope, items, ...inOrderOf(textOf) }, query);
}

const rampDiscoveryHandlers: readonly Handler[] = [
  handle<unknown, described.RampCountryListParams>(described.listRampCountries, (state, { query }) => {
    const asked = { page_size: PAGE_SIZE, ...query };
    return pageOf(state, asked, [described.listRampCountries.name], COUNTRIES, ({ country }) => country);
  }),
  handle<unknown, Wire<described.RampFiatCurrencyListParams>>(described.listRampFiatCurrencies, (state, { query }) => {
    const currencies = state.catalogue.assets.filter(canPayWith).map(assetRef);
    const asked = { page_size: PAGE_SIZE, ...query };
    return pageOf(state, asked, [described.listRampFiatCurrencies.name], currencies, ({ symbol }) => symbol);
  }),
  handle<unknown, Wire<described.RampPaymentMethodListParams>>(described.listRampPaymentMethods, (state, { query }) =>
    pageOf(state, query, [described.listRampPaymentMethods.name], PAYMENT_METHODS, ({ id }) => id),
  ),
  handle<unknown, Wire<described.RampAssetListParams>>(described.listRampAssets, (state, { query }) => {
    const { country, subdivision } = query;
    checkCountry(country);
    const causes = wrongSubdivision(query);
    if (causes.length > 0) throw badRequest(...causes);
    const assets = state.catalogue.assets.filter(canBuy).map(assetRef);
    return pageOf(state, query, [described.listRampAssets.name, country, subdivision], assets, assetKey);
  }),
];

/** The hosted checkout, for buying and selling with a card and other payment methods. */
export const ramp: Area = {
  name: 'ramp',
  operations: [...rampDiscoveryHandlers, ...rampLimitHandlers, ...rampCheckoutHandlers, ...rampQuoteHandlers],
  more: [rampCheckouts as unknown as RecordKind<never>],
  choices: {
    'rampQuotes.prospective':
      'Requires `from_symbol`, `to_symbol` and `from_amount`, and accepts any `country`. The fee is 1.5 % of the amount, and a card costs another 2 % (`deposit_fee`). `affiliate_fee` is a share of what is left after these fees: 100 bps of 100.00 USD are 0.99. A payout costs 1.25 US dollars (`withdrawal_fee`).',
    'ramp.fiatCurrencies.list':
      'Returns the fiat assets that can be deposited, with `symbol`, `type` and `name`, sorted by symbol. Unknown parameters are ignored.',
    'ramp.paymentMethods.list':
      'Returns three methods with `id` and `name`, and ignores filters. A quote for a method with `card` in its id includes the card fee.',
    'ramp.assets.list':
      'Returns the assets that `ramp.limits.get` and `ramp.checkout.get` accept as `out_asset_symbol`, with `symbol`, `type` and `name`. Country and subdivision are checked.',
    'ramp.countries.list': 'Returns `subdivisions` for Australia, Canada and the US, as suffixes of ISO 3166-2 codes.',
    'ramp.limits.get':
      'Uses BTC if the request names no asset to receive, and accepts any method and the countries of `ramp.countries.list`. A deposit can be 10 to 25,000 US dollars and a withdrawal 5 to 100,000, at current prices and without fees.',
    'ramp.checkout.get':
      'Uses USD and BTC for assets that the request does not name. The sandbox checks the assets, country, subdivision, links and wallet address that are given, and `in_amount` against the limits. `checkout_url` leads to a page of the sandbox, on the host of the request, that shows the parameters; the newest 1,000 pages are stored. `request_data` contains the parameters.',
  },
};
