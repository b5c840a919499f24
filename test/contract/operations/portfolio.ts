import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import type { Members } from '../rules.js';
import { ASSET, BTC, paging, QUOTE_IN_FIAT, SYMBOL, TIME, USD } from './forms.js';

const TYPES = /^(simple_order|simple_order_failed|price_trigger_swap|price_trigger_swap_failed|earn_reward|deposit)$/;

const BETWEEN: Members = { 'start_timestamp?': TIME, 'end_timestamp?': TIME };

const valued = (asset: typeof BTC, amount: string) => ({ ...asset, amount, amount_in_quote: '250' });
const side = (asset: typeof BTC, amount: string) => ({
  timestamp: '2026-03-02T09:15:10.000Z',
  sub_total: valued(asset, amount),
  fee: valued(asset, amount),
  total: valued(asset, amount),
  balance: valued(asset, amount),
});

export const portfolio: readonly OperationFact[] = [
  operation({
    name: 'accounts.portfolio.details',
    fact: 'Portfolio entries have quantities and values; of cash, the entry prices are null and the profit is absent.',
    source: 'specified',
    route: 'GET /v1/accounts/{account_id}/portfolio/details',
    query: { 'quote_symbol?': SYMBOL, 'quote_type?': /^(fiat|stablecoin)$/ },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      query: { quote_symbol: 'USDC', quote_type: 'stablecoin' },
    }),
    call: (client, { params, query }) => client.accounts.portfolio.details(params.account_id, query),
    answer: {
      data: [
        {
          symbol: 'BTC',
          type: 'crypto',
          index_price: '61234.5',
          total: '0.5',
          available: '0.4',
          open_orders: '0.1',
          total_in_quote: '30617.25',
          available_in_quote: '24493.8',
          avg_entry_price_in_quote: '50000',
          cost_basis_in_quote: '25000',
          pnl: {
            unrealized: '5617.25',
            realized: '-3.5',
            reference_currency: { symbol: 'USD', type: 'fiat' },
            status: { unrealized: 'ready', realized: 'ready' },
          },
        },
        {
          symbol: 'USD',
          type: 'fiat',
          index_price: '1',
          total: '10',
          available: '10',
          open_orders: '0',
          total_in_quote: '10',
          available_in_quote: '10',
          avg_entry_price_in_quote: null,
          cost_basis_in_quote: null,
        },
      ],
      quote_symbol: 'USDC',
      quote_type: 'stablecoin',
    },
    gives: { quote_symbol: 'USDC', quote_type: 'stablecoin' },
    optional: ['data.avg_entry_price_in_quote', 'data.cost_basis_in_quote', 'data.pnl'],
  }),
  operation({
    name: 'accounts.portfolio.summary',
    fact: 'A summary is valued in a fiat asset, USD by default; `withheld` is what waits for withdrawals, bonding and holds.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/portfolio/summary',
    query: QUOTE_IN_FIAT,
    given: ({ accountId }) => ({ params: { account_id: accountId } }),
    call: (client, { params }) => client.accounts.portfolio.summary(params.account_id),
    answer: {
      data: {
        quote_symbol: 'USD',
        quote_type: 'fiat',
        value: '30627.25',
        cost_basis: '25010',
        available: '24503.8',
        withheld: '0.25',
        open_orders: '6123.45',
        pnl: { unrealized: '5617.25' },
      },
    },
    optional: ['data.cost_basis', 'data.pnl'],
  }),
  operation({
    name: 'accounts.portfolio.transactions.list',
    fact: 'Portfolio transactions are filtered by types, assets (`assets[0][symbol]`) and an inclusive time range, in pages of at most 25; each amount has `amount_in_quote`.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/portfolio/transactions',
    // The page shows further filters, whose names are cut.
    query: { ...paging(25), ...BETWEEN, 'types?': [TYPES], 'assets?': [ASSET], '...': 'anything' },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      query: {
        types: ['simple_order', 'price_trigger_swap'],
        assets: [
          { symbol: 'BTC', type: 'crypto' },
          { symbol: 'USD', type: 'fiat' },
        ],
        start_timestamp: '2025-01-01T00:00:00Z',
        end_timestamp: '2026-12-31T00:00:00Z',
        page_size: 25,
      },
    }),
    call: (client, { params, query }) => client.accounts.portfolio.transactions.list(params.account_id, query),
    answer: {
      data: [
        {
          id: 'ptx_1',
          timestamp: '2026-03-02T09:15:10.000Z',
          type: 'simple_order',
          status: 'successful',
          spend: side(USD, '250'),
          receive: side(BTC, '0.004'),
        },
      ],
      next_page_token: null,
    },
    optional: ['data.spend', 'data.receive'],
  }),
  operation({
    name: 'accounts.portfolio.history',
    fact: 'The history of a portfolio is one list without pages; its start is inclusive and its end exclusive.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/portfolio/history',
    query: { ...BETWEEN, ...QUOTE_IN_FIAT, 'assets?': [ASSET] },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      query: {
        assets: [{ symbol: 'BTC', type: 'crypto' }],
        start_timestamp: '2026-01-01T00:00:00Z',
        end_timestamp: '2026-01-03T00:00:00Z',
        quote_symbol: 'EUR',
        quote_type: 'fiat',
      },
    }),
    call: (client, { params, query }) => client.accounts.portfolio.history(params.account_id, query),
    answer: {
      data: [
        {
          timestamp: '2026-01-01T00:00:00Z',
          assets: [{ symbol: 'BTC', type: 'crypto', amount: '0.5' }],
          value: '30617.25',
          total_pnl: '-12.5',
        },
      ],
      quote_symbol: 'EUR',
      quote_type: 'fiat',
    },
    gives: { quote_symbol: 'EUR', quote_type: 'fiat' },
  }),
  operation({
    name: 'reports.settlement.list',
    fact: 'Settlement reports lie between two date-times, both inclusive; `size`, in bytes, is a string.',
    source: 'current',
    route: 'GET /v1/reports/settlement',
    query: { ...paging(), 'start_date?': TIME, 'end_date?': TIME, 'report_type?': [/^\w+$/] },
    given: () => ({
      query: {
        start_date: '2025-01-01T00:00:00Z',
        end_date: '2026-12-31T00:00:00Z',
        report_type: ['swaps', 'earn_rewards'],
      },
    }),
    call: (client, { query }) => client.reports.settlement.list(query),
    answer: {
      data: [{ id: IDS.reportId, date: '2026-03-01', type: 'swaps', size: '18342', name: 'swaps-2026-03-01.csv' }],
    },
    gives: [{ id: IDS.reportId, size: 18342 }],
  }),
  operation({
    name: 'reports.settlement.get',
    fact: 'One settlement report has, beside that, where to download it and until when.',
    source: 'current',
    route: 'GET /v1/reports/settlement/{report_id}',
    given: ({ reportId }) => ({ params: { report_id: reportId } }),
    call: (client, { params }) => client.reports.settlement.get(params.report_id),
    answer: {
      data: {
        id: IDS.reportId,
        date: '2026-03-01',
        type: 'swaps',
        size: '18342',
        name: 'swaps-2026-03-01.csv',
        download_url: 'https://reports.example/swaps-2026-03-01.csv',
        expires_at: '2026-03-02T10:00:00.000Z',
      },
    },
    gives: { id: IDS.reportId, size: 18342, download_url: 'https://reports.example/swaps-2026-03-01.csv' },
  }),
];
