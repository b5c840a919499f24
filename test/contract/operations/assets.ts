import { type OperationFact, operation } from '../fact.js';
import type { Members } from '../rules.js';
import { ASSET_TYPE, BTC, FLAG, paging, QUOTE_IN_FIAT, TIME } from './forms.js';

const SORTS = [
  ...['trending_rank', 'market_cap_rank', 'market_cap', 'price', 'volume\\.last_24h', 'symbol', 'name'],
  ...['1h', '24h', '7d', '30d', '1y'].map((span) => `price_change_percent\\.last_${span}`),
  'listing_date',
];

/** The parameters of a list of assets. */
export const listedAssets: Members = {
  ...paging(100),
  ...QUOTE_IN_FIAT,
  'type?': [ASSET_TYPE],
  'swap_trading?': FLAG,
  'withdraw?': FLAG,
  'deposit?': FLAG,
  'sort?': new RegExp(`^(${SORTS.join('|')})$`),
  'sort_direction?': /^(asc|desc)$/,
};

/** One entry of such a list. */
export const LISTED_ASSET = {
  ...BTC,
  status: {
    swap_trading: {
      enabled: true,
      disabled_against: [{ symbol: 'AAPLx', type: 'xstock', name: 'Apple xStock' }],
    },
    withdraw: { enabled: true },
    deposit: { enabled: false },
  },
  logo: { width: 64, height: 64, href: 'https://assets.example/btc.png', type: 'image/png' },
  decimals: { funding: 8, swap: 10 },
  listing_date: '2013-09-10',
  price: '61234.5',
  market_cap: '1210000000000.25',
  market_cap_rank: 1,
  trending_rank: 4,
  volume: { last_24h: '18345678901.5' },
  supply: {
    circulating: '19750000',
    total: '19750000',
    max: '21000000',
    in_quote: { circulating: '1209381375000', total: '1209381375000', max: '1285924500000' },
  },
  price_change_percent: { last_1h: '0.11', last_24h: '-1.25', last_7d: '3.5', last_30d: '-7.75', last_1y: '42.5' },
  ath: { value: '108135.25', timestamp: '2024-12-17T15:02:41.429Z' },
};

export const OPTIONAL_IN_LISTING = [
  ...['status.swap_trading.disabled_against', 'supply', 'supply.max', 'supply.in_quote.max', 'ath'].map(
    (name) => `data.${name}`,
  ),
];

export const assets: readonly OperationFact[] = [
  operation({
    name: 'assets.list',
    fact: 'All assets are listed by the parameters of the assets of a user, with the same entries.',
    source: 'current',
    route: 'GET /v1/assets',
    query: listedAssets,
    given: () => ({ query: { type: ['crypto'], withdraw: true, deposit: true, page_size: 1, quote_symbol: 'USD' } }),
    call: (client, { query }) => client.assets.list(query),
    answer: {
      data: [LISTED_ASSET],
      quote_symbol: 'USD',
      quote_type: 'fiat',
      page_size: 1,
      sort: 'market_cap_rank',
      sort_direction: 'asc',
      type: ['crypto'],
      withdraw: true,
      deposit: true,
      next_page_token: 'tok_2',
    },
    optional: OPTIONAL_IN_LISTING,
  }),
  operation({
    name: 'assets.get',
    fact: 'One asset is read by its type and symbol, valued in a quote asset of choice.',
    source: 'current',
    route: 'GET /v1/assets/{asset_type}/{asset_symbol}',
    query: QUOTE_IN_FIAT,
    given: () => ({
      params: { asset_type: 'crypto', asset_symbol: 'BTC' },
      query: { quote_symbol: 'EUR', quote_type: 'fiat' },
    }),
    call: (client, { params, query }) => client.assets.get(params.asset_type, params.asset_symbol, query),
    answer: { data: LISTED_ASSET },
    optional: OPTIONAL_IN_LISTING,
  }),
  operation({
    name: 'assets.rates.list',
    fact: 'Rates of an asset come in pages of at most 100, between two times, at an interval that is an ISO 8601 duration; the response echoes them.',
    source: 'current',
    route: 'GET /v1/assets/{asset_type}/{asset_symbol}/rates',
    query: {
      ...paging(100),
      ...QUOTE_IN_FIAT,
      'start_timestamp?': TIME,
      'end_timestamp?': TIME,
      'interval?': /^P(T(1|5|15|30|60)M|T[14]H|(1|7|15)D)$/,
    },
    given: () => ({
      params: { asset_type: 'crypto', asset_symbol: 'BTC' },
      query: {
        quote_symbol: 'USD',
        quote_type: 'fiat',
        start_timestamp: '2026-01-01T00:00:00Z',
        end_timestamp: '2026-01-03T00:00:00Z',
        interval: 'P1D',
        page_size: 100,
      },
    }),
    call: (client, { params, query }) => client.assets.rates.list(params.asset_type, params.asset_symbol, query),
    answer: {
      data: [
        { timestamp: '2026-01-01T00:00:00Z', price: '60111.5' },
        { timestamp: '2026-01-02T00:00:00Z', price: '60222.25' },
      ],
      quote_symbol: 'USD',
      quote_type: 'fiat',
      start_timestamp: '2026-01-01T00:00:00Z',
      end_timestamp: '2026-01-03T00:00:00Z',
      interval: 'P1D',
      page_size: 100,
    },
  }),
  operation({
    name: 'swap.assets.list',
    fact: 'Assets to swap have `supported_rails`: the values of `via` when a wallet is whitelisted.',
    source: 'current',
    route: 'GET /v1/swap/assets',
    query: { '...': 'anything' },
    given: () => ({}),
    call: (client) => client.swap.assets.list(),
    answer: { data: [{ ...BTC, supported_rails: ['bitcoin'] }] },
  }),
];
