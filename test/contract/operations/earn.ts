import { type OperationFact, operation } from '../fact.js';
import { BTC, COUNTRY, paging } from './forms.js';

/** Pages of all lists of this group. */
const PAGES = paging(200, 64);

const EARN_ASSET = { ...BTC, yield_source: 'staking', apy: '12.5', user_cap: '1000' };

export const earn: readonly OperationFact[] = [
  operation({
    name: 'earn.auto.assets.list',
    fact: 'Assets to earn with are listed for a country, which is required; `apy` is a percentage, `user_cap` a decimal.',
    source: 'current',
    route: 'GET /v1/earn/auto/assets',
    query: { ...PAGES, country: COUNTRY },
    given: () => ({ query: { country: 'DE', page_size: 200 } }),
    call: (client, { query }) => client.earn.auto.assets.list(query),
    answer: { data: [EARN_ASSET] },
    optional: ['data.user_cap'],
  }),
  operation({
    name: 'accounts.earn.auto.assets.list',
    fact: 'The same assets are listed for an account, without a country.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/earn/auto/assets',
    query: PAGES,
    given: ({ accountId }) => ({ params: { account_id: accountId } }),
    call: (client, { params }) => client.accounts.earn.auto.assets.list(params.account_id),
    answer: { data: [EARN_ASSET] },
    optional: ['data.user_cap'],
  }),
  operation({
    name: 'accounts.earn.auto.get',
    fact: 'The preference to earn is not wrapped in `data`.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/earn/auto',
    given: ({ accountId }) => ({ params: { account_id: accountId } }),
    call: (client, { params }) => client.accounts.earn.auto.get(params.account_id),
    answer: { staking: 'pending_enabled' },
    gives: { staking: 'pending_enabled' },
    optional: ['staking'],
  }),
  operation({
    name: 'accounts.earn.auto.update',
    fact: 'A change of that preference answers an empty object, not wrapped in `data`. One page says PUT.',
    source: 'current',
    route: 'PATCH /v1/accounts/{account_id}/earn/auto',
    body: { 'staking?': /^(enabled|disabled)$/ },
    given: ({ accountId }) => ({ params: { account_id: accountId }, body: { staking: 'disabled' } }),
    call: (client, { params, body }) => client.accounts.earn.auto.update(params.account_id, body),
    answer: {},
    gives: undefined,
  }),
  operation({
    name: 'accounts.earn.auto.allocations.list',
    fact: 'Allocations have a total, which stands beside `data`, in a quote asset.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/earn/auto/allocations',
    query: PAGES,
    given: ({ accountId }) => ({ params: { account_id: accountId }, query: { page_size: 200 } }),
    call: (client, { params, query }) => client.accounts.earn.auto.allocations.list(params.account_id, query),
    answer: {
      quote_symbol: 'USD',
      quote_type: 'fiat',
      total_allocated_in_quote: '10.25',
      data: [{ ...BTC, allocated: '0.0002', allocated_in_quote: '10.25' }],
      next_page_token: null,
    },
  }),
  operation({
    name: 'accounts.earn.auto.rewards.list',
    fact: 'Rewards have a total and the date of the next reward beside `data`, and perhaps `other_assets` in an entry.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/earn/auto/rewards',
    query: PAGES,
    given: ({ accountId }) => ({ params: { account_id: accountId } }),
    call: (client, { params }) => client.accounts.earn.auto.rewards.list(params.account_id),
    answer: {
      quote_symbol: 'USD',
      quote_type: 'fiat',
      total_rewarded_in_quote: '1.25',
      next_reward_date: '2026-03-08',
      data: [
        {
          ...BTC,
          rewarded: '0.00001',
          rewarded_in_quote: '0.61',
          estimated_next_reward: '0.000001',
          estimated_next_reward_in_quote: '0.06',
          other_assets: [{ symbol: 'ETH', type: 'crypto', name: 'Ether', rewarded: '0.001' }],
        },
      ],
    },
    optional: ['data.other_assets', 'next_reward_date'],
  }),
];
