import { ADDRESS_ID, OPERATIONS } from '../operations.js';
import {
  ASSET_TYPES,
  ASSETS,
  anyText,
  COUNTRIES,
  CURRENCIES,
  EARN,
  EARN_LISTS,
  enumeration,
  filled,
  flag,
  HISTORY,
  LEDGER,
  length,
  NOT_TEXT,
  named,
  OTHER_TOKENS,
  pageSize,
  RATES,
  REPORTS,
  type Rule,
  required,
  TRANSACTION_TYPES,
  TRANSACTIONS,
  TRIGGERS,
} from './kinds.js';

/** Path ids, pages, assets, reports. */
export const LOOKUP_RULES: readonly Rule[] = [
  // ---- path ids
  { operations: named('user_id'), member: 'user_id', ...required(length(14, 42)) },
  {
    operations: named('account_id', ['funds.addresses.delete', ...EARN]),
    member: 'account_id',
    ...required(length(14, 42)),
  },
  { operations: EARN, member: 'account_id', ...required(length(5, 42)) },
  { operations: ['funds.addresses.delete'], member: 'account_id', ...required(length(1, 64)) },
  {
    operations: ['funds.addresses.delete'],
    member: 'address_id',
    accept: [ADDRESS_ID, 'AB00000-00000-000000', 'ABzzzzz-ZZZZZ-999999'],
    refuse: [
      ...['', 'AB00000-00000-00000', 'AB00000-00000-0000000', 'ab00000-00000-000000', 'AC00000-00000-000000'],
      ...[
        'AB00000_00000_000000',
        'AB0000\u00e9-00000-000000',
        'AB00000-00000-00000\n',
        'AB00000-00000-000000\n',
        'ABABABABABABABABABAB',
      ],
      ...[' AB00000-00000-000000', 'AB000000-0000-000000', undefined, ...NOT_TEXT],
    ],
  },
  { operations: named('quote_id'), member: 'quote_id', ...required(length(1, 64)) },
  { operations: named('bank_link_id'), member: 'bank_link_id', ...required(length(4, 128)) },
  ...['conversion_id', 'transfer_id'].map((member) => ({
    ...{ operations: named(member), member, accept: ['c', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },
  })),
  { operations: named('asset_symbol'), member: 'asset_symbol', ...required(length(1, 16)) },
  { operations: named('asset_type'), member: 'asset_type', ...required(enumeration(...ASSET_TYPES)) },
  { operations: named('id'), member: 'id', accept: ['i', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },
  { operations: named('key'), member: 'key', accept: ['k', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },

  // ---- pages
  {
    operations: [...TRANSACTIONS, 'accounts.onDemandConversions.list', 'funds.depositLimits.list', 'webhooks.list'],
    member: 'page_size',
    ...pageSize(25),
  },
  {
    operations: [...ASSETS, ...RATES, ...TRIGGERS],
    member: 'page_size',
    ...pageSize(100),
  },
  {
    operations: [
      ...['swap.assets.list', 'accounts.onchainQuotes.list', ...REPORTS, 'accounts.conversions.list'],
      'accounts.transfers.list',
      ...CURRENCIES,
      'funds.depositMethods.list',
      'funds.depositAddresses.list',
      'funds.withdrawalAddresses.list',
    ],
    member: 'page_size',
    ...pageSize(),
  },
  { operations: LEDGER, member: 'page_size', ...pageSize(500) },
  { operations: LEDGER, member: 'cursor', ...length(1, 256) },
  {
    operations: OPERATIONS.filter(({ name, paged }) => paged && !OTHER_TOKENS.includes(name)).map(({ name }) => name),
    member: 'page_token',
    ...length(1, 256),
  },
  { operations: [...EARN_LISTS, ...COUNTRIES], member: 'page_size', ...pageSize(200) },
  { operations: EARN_LISTS, member: 'page_token', ...length(1, 64) },
  { operations: [...COUNTRIES, ...CURRENCIES], member: 'page_token', ...length(1, 512) },

  // ---- assets, portfolio
  {
    operations: ASSETS,
    member: 'type',
    accept: [undefined, [], ['fiat'], ASSET_TYPES, ['fiat', 'fiat']],
    refuse: [[...ASSET_TYPES, 'fiat'], ['stock'], ['fiat', ''], [1], 5, null],
  },
  ...['swap_trading', 'withdraw', 'deposit'].map((member) => ({ operations: ASSETS, member, ...flag })),
  {
    operations: ASSETS,
    member: 'sort',
    ...enumeration(
      ...[
        ...['trending_rank', 'market_cap_rank', 'market_cap', 'price', 'volume.last_24h', 'symbol', 'name'],
        ...['listing_date'],
      ],
      ...['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`),
    ),
  },
  { operations: ASSETS, member: 'sort_direction', ...enumeration('asc', 'desc') },
  {
    operations: [
      ...ASSETS,
      ...RATES,
      'assets.get',
      'accounts.portfolio.details',
      'accounts.portfolio.summary',
      ...HISTORY,
    ],
    member: 'quote_symbol',
    ...length(3, 16),
  },
  { operations: ['assets.get'], member: 'quote_type', ...enumeration(...ASSET_TYPES) },
  // The service documents the durations, but not their spelling.
  {
    operations: RATES,
    member: 'interval',
    accept: [
      ...['PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT60M', 'PT4H', 'P1D', 'P7D', 'P1W', 'P15D'],
      ...['PT24H', 'PT240M', 'PT3600S', 'P0DT1H', 'PT0.5H', 'PT0,5H', 'P0Y0M0DT0H1M0S', 'P0000-00-01T00:00:00'],
      ...['P00000001T000000', 'PT2H', 'P1M', 'P1Y2M10DT2H30M', 'P1W2D'],
    ],
    refuse: [
      ...['1h', '60', 'PT1', 'pt1h', 'P', 'PT', 'P1DT', 'PT1H ', ' PT1H', 'PT1H\n', 'PT1H1D', 'P1H', 'PT-1H', 'PT1.H'],
      ...['', 'P0000-00-01', ...NOT_TEXT],
    ],
  },
  { operations: HISTORY, member: 'assets', refuse: [[{ symbol: 'BTC', name: 'x' }]] },
  ...['start_timestamp', 'end_timestamp'].map((member) => ({ operations: RATES, member, ...anyText })),
  { operations: HISTORY, member: 'quote_type', ...enumeration(...ASSET_TYPES) },
  {
    operations: TRANSACTIONS,
    member: 'types',
    accept: [undefined, [], TRANSACTION_TYPES, ['deposit', 'deposit']],
    refuse: [['withdrawal'], ['deposit', ''], [1], 'deposit', 5, null],
  },
  {
    operations: [...TRANSACTIONS, ...HISTORY],
    member: 'assets',
    accept: [undefined, [], [{ symbol: 'BTC', type: 'crypto' }], [{ symbol: 'BTC' }, { type: 'fiat' }]],
    refuse: [
      ...[[{}], [{ symbol: 'BT' }], [{ symbol: filled(17) }], [{ type: 'stock' }]],
      ...[[{ symbol: 'BTC' }, { symbol: undefined }], ['BTC'], [null], { symbol: 'BTC' }, 'BTC', 5, null],
    ],
  },
  ...['start_timestamp', 'end_timestamp'].map((member) => ({
    operations: [...TRANSACTIONS, ...HISTORY],
    member,
    accept: ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.123+01:00'],
    refuse: NOT_TEXT,
  })),
  ...['start_date', 'end_date'].map((member) => ({
    operations: REPORTS,
    member,
    accept: ['2026-01-15T00:00:00Z'],
    refuse: NOT_TEXT,
  })),
  {
    operations: REPORTS,
    member: 'report_type',
    accept: [undefined, [], ['swaps', 'of a later edition']],
    refuse: [[1], 'swaps', 5, null],
  },
  {
    operations: ['reports.settlement.get'],
    member: 'report_id',
    accept: ['r', filled(500)],
    refuse: ['', undefined, ...NOT_TEXT],
  },
  {
    operations: [...ASSETS, ...RATES, 'accounts.portfolio.summary'],
    member: 'quote_type',
    accept: ['fiat'],
    refuse: ['stablecoin', 'crypto', '', ...NOT_TEXT],
  },
  {
    operations: ['accounts.portfolio.details'],
    member: 'quote_type',
    accept: ['fiat', 'stablecoin'],
    refuse: ['crypto', 'xstock', '', ...NOT_TEXT],
  },
];
