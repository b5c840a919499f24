import { type OperationFact, operation } from '../fact.js';
import type { Members } from '../rules.js';
import { ASSET_TYPE, BTC, DECIMAL, EUR, paging, SOME, SYMBOL } from './forms.js';

/** The page shows no more than some of them. */
const SIDES: Members = {
  in_asset_symbol: SYMBOL,
  'in_asset_type?': ASSET_TYPE,
  'in_method?': SOME,
  'out_asset_symbol?': SYMBOL,
  'out_asset_type?': ASSET_TYPE,
  'out_method?': SOME,
  'country?': /^[A-Z]{2}$/,
  '...': 'anything',
};

const range = (asset: typeof BTC) => ({ minimum: { ...asset, amount: '10' }, maximum: { ...asset, amount: '5000' } });

const GIVEN_SIDES = {
  in_asset_symbol: 'EUR',
  in_asset_type: 'fiat',
  out_asset_symbol: 'BTC',
  out_asset_type: 'crypto',
} as const;

const rampSide = (asset: typeof BTC) => ({
  asset,
  total: '250.5',
  subtotal: '248',
  fee: '2.5',
  deposit_fee: '0',
  affiliate_fee: null,
  withdrawal_fee: null,
});
const NULLABLE = ['total', 'subtotal', 'fee', 'deposit_fee', 'affiliate_fee', 'withdrawal_fee'];

export const ramp: readonly OperationFact[] = [
  operation({
    name: 'ramp.countries.list',
    fact: 'Countries of the ramp come in pages of 50, at most 200, by tokens of up to 512 characters; `subdivisions` is a list of strings.',
    source: 'current',
    route: 'GET /v1/ramp/countries',
    query: paging(200, 512),
    given: () => ({ query: { page_size: 200 } }),
    call: (client, { query }) => client.ramp.countries.list(query),
    answer: { data: [{ country: 'US', subdivisions: ['CA', 'NY'] }, { country: 'DE' }], next_page_token: 'tok_2' },
    optional: ['data.subdivisions'],
  }),
  operation({
    name: 'ramp.fiatCurrencies.list',
    fact: 'Fiat currencies of the ramp are listed; the shape of an entry is not shown.',
    source: 'current',
    route: 'GET /v1/ramp/fiat-currencies',
    query: { ...paging(), '...': 'anything' },
    given: () => ({}),
    call: (client) => client.ramp.fiatCurrencies.list(),
    answer: { data: [{ symbol: 'EUR' }] },
    gives: 'anything',
    optional: ['data.symbol'],
  }),
  operation({
    name: 'ramp.paymentMethods.list',
    fact: 'Payment methods of the ramp are listed in the older edition; that the path of today is the same is inferred.',
    source: 'inferred',
    route: 'GET /v1/ramp/payment-methods',
    query: { '...': 'anything' },
    given: () => ({}),
    call: (client) => client.ramp.paymentMethods.list(),
    answer: { data: [{ id: 'card' }] },
    optional: ['data.id'],
  }),
  operation({
    name: 'ramp.assets.list',
    fact: 'Assets to buy on the ramp are listed in the older edition for a country, which is required, and perhaps a subdivision; that the path of today is the same is inferred.',
    source: 'inferred',
    route: 'GET /v1/ramp/buy/crypto',
    query: { country: /^[A-Z]{2}$/, 'subdivision?': SOME, '...': 'anything' },
    given: () => ({ query: { country: 'US', subdivision: 'CA' } }),
    call: (client, { query }) => client.ramp.assets.list(query),
    answer: { data: [{ symbol: 'BTC', type: 'crypto' }] },
  }),
  operation({
    name: 'ramp.limits.get',
    fact: 'Limits of the ramp are asked for by both sides, of which `in_asset_symbol` is required.',
    source: 'current',
    route: 'GET /v1/ramp/limits',
    query: SIDES,
    given: () => ({ query: GIVEN_SIDES }),
    call: (client, { query }) => client.ramp.limits.get(query),
    answer: {
      data: {
        limits: { deposit: range(EUR), withdrawal: range(BTC) },
        final_combined: { in_asset: range(EUR), out_asset: range(BTC) },
      },
    },
  }),
  operation({
    name: 'ramp.checkout.get',
    fact: 'A checkout of the ramp has a URL and repeats what it was asked for. Its parameters are of the older edition.',
    source: 'old',
    route: 'GET /v1/ramp/checkout',
    query: { ...SIDES, 'in_amount?': DECIMAL, 'affiliate_fee_bps?': /^\d{1,5}$/ },
    given: () => ({
      query: {
        ...GIVEN_SIDES,
        in_amount: '100',
        affiliate_fee_bps: '50',
        subdivision: 'BY',
        redirect_url: 'https://partner.example/done',
        failure_url: 'https://partner.example/failed',
        external_user_id: 'customer-1815',
        external_transaction_id: 'order-77',
        network: 'bitcoin',
        wallet_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        memo: '7',
      },
    }),
    call: (client, { query }) => client.ramp.checkout.get(query),
    answer: { data: { checkout_url: 'https://ramp.example/checkout/71', request_data: { in_amount: '100' } } },
  }),
  operation({
    name: 'rampQuotes.prospective',
    fact: 'A prospective quote previews both sides, each with a total, a subtotal and fees, which are null where they do not apply. That its unnamed parameter is `subdivision` is the word of the public reference.',
    source: 'specified',
    route: 'GET /v1/ramp/quotes/prospective',
    query: {
      'from_symbol?': SYMBOL,
      'from_type?': ASSET_TYPE,
      'from_method?': SOME,
      'from_amount?': /^(?=.{1,64}$)-?[0-9]+(\.[0-9]+)?$/,
      'to_symbol?': SYMBOL,
      'to_type?': ASSET_TYPE,
      'to_method?': SOME,
      'country?': /^.{2}$/,
      'subdivision?': SOME,
      'affiliate_fee_bps?': /^(10000|[0-9]{1,4})$/,
    },
    given: () => ({
      query: {
        from_symbol: 'EUR',
        from_amount: '250.5',
        to_symbol: 'BTC',
        country: 'US',
        subdivision: 'CA',
        affiliate_fee_bps: '10000',
      },
    }),
    call: (client, { query }) => client.rampQuotes.prospective(query),
    answer: {
      data: {
        from: rampSide(EUR),
        to: rampSide(BTC),
        unit_price: { asset: BTC, denomination_asset: EUR, unit_price: '56111.5' },
      },
    },
    optional: ['from', 'to'].flatMap((side) => NULLABLE.map((name) => `data.${side}.${name}`)),
  }),
];
