import { describe, expect, test } from 'vitest';
import { fieldsOf, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const text = (length: number) => 'x'.repeat(length);

/** Query parameters of each list or preview: accepted ones, and refused ones with the field that the error names. */
interface QueryRules {
  readonly path: () => string;
  readonly base?: string;
  readonly accepted: readonly string[];
  readonly refused: readonly (readonly [query: string, field: string])[];
}

const pageRules = (max: number): QueryRules['refused'] => [
  ['page_size=0', 'page_size'],
  [`page_size=${max + 1}`, 'page_size'],
  ['page_size=-1', 'page_size'],
  ['page_size=5.5', 'page_size'],
  ['page_size=5e0', 'page_size'],
  ['page_size=', 'page_size'],
  ['page_size=5&page_size=5', 'page_size'],
  ['page_token=', 'page_token'],
  [`page_token=${text(257)}`, 'page_token'],
  [`page_token=${text(256)}`, 'page_token'],
  ['page_token=made-up', 'page_token'],
  ['pageSize=5', 'pageSize'],
  ['page_size=%ff', 'page_size'],
];

const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
const ramp = 'from_symbol=USD&to_symbol=BTC&from_amount=100';

const queryRules: Record<string, QueryRules> = {
  'List on-demand conversions': {
    path: () => `${partner.account}/on-demand-conversions`,
    accepted: ['', 'page_size=1', 'page_size=25'],
    refused: pageRules(25),
  },
  'List webhooks': {
    path: () => '/v1/webhooks',
    accepted: ['page_size=1', 'page_size=25', 'page%5Fsize=%32', '&page_size=2&'],
    refused: pageRules(25),
  },
  'List deposit limits': {
    path: () => `${partner.account}/funds/deposits/limits/BTC`,
    accepted: ['page_size=1', 'page_size=25'],
    refused: pageRules(25),
  },
  'List user assets': {
    path: () => `${user()}/assets`,
    accepted: [
      'page_size=100',
      'type=fiat&type=crypto&type=stablecoin&type=xstock',
      'swap_trading=true&withdraw=false&deposit=true',
      ...[
        'trending_rank',
        'market_cap_rank',
        'market_cap',
        'price',
        'volume.last_24h',
        'symbol',
        'name',
        'listing_date',
      ]
        .concat(['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`))
        .map((sort) => `sort=${sort}`),
      'sort_direction=asc',
      'sort_direction=desc',
      'quote_symbol=EUR&quote_type=fiat',
    ],
    refused: [
      ...pageRules(100),
      ['type=bond', 'type'],
      ['type=fiat&type=fiat&type=fiat&type=fiat&type=fiat', 'type'],
      ['swap_trading=1', 'swap_trading'],
      ['withdraw=TRUE', 'withdraw'],
      ['deposit=', 'deposit'],
      ['sort=rank', 'sort'],
      ['sort_direction=up', 'sort_direction'],
      ['quote_symbol=US', 'quote_symbol'],
      [`quote_symbol=${text(17)}`, 'quote_symbol'],
      ['quote_symbol=XXX', 'quote_symbol'],
      ['quote_symbol=USDC&quote_type=stablecoin', 'quote_type'],
    ],
  },
  'List portfolio details': {
    path: () => `${partner.account}/portfolio/details`,
    accepted: ['', 'quote_symbol=EUR', 'quote_symbol=USDC&quote_type=stablecoin'],
    refused: [
      ['quote_symbol=US', 'quote_symbol'],
      [`quote_symbol=${text(17)}`, 'quote_symbol'],
      ['quote_symbol=USDC', 'quote_symbol'],
      ['quote_type=crypto', 'quote_type'],
      ['page_size=5', 'page_size'],
    ],
  },
  'Get ramp prospective quote': {
    path: () => '/v1/ramp/quotes/prospective',
    base: ramp,
    accepted: [
      'from_type=fiat&to_type=crypto&from_method=card&to_method=bitcoin&country=US&subdivision=CA',
      'affiliate_fee_bps=0',
      'affiliate_fee_bps=9999',
      'affiliate_fee_bps=10000',
    ],
    refused: [
      ['from_symbol=USD', 'from_symbol'],
      ['from_type=bond', 'from_type'],
      ['from_type=crypto', 'from_type'],
      ['to_type=xstock', 'to_type'],
      ['country=U', 'country'],
      ['country=USA', 'country'],
      ['affiliate_fee_bps=10001', 'affiliate_fee_bps'],
      ['affiliate_fee_bps=-1', 'affiliate_fee_bps'],
      ['affiliate_fee_bps=1.5', 'affiliate_fee_bps'],
      ['affiliate_fee_bps=', 'affiliate_fee_bps'],
      ['state=CA', 'state'],
    ],
  },
  'Get ramp prospective quote, its assets and amount': {
    path: () => '/v1/ramp/quotes/prospective',
    accepted: [
      `from_symbol=USD&to_symbol=BTC&from_amount=${'9'.repeat(64)}`,
      `${ramp}.50`,
      `${ramp.replace('BTC', 'USDC')}&to_type=stablecoin`,
    ],
    refused: [
      ['to_symbol=BTC&from_amount=1', 'from_symbol'],
      ['from_symbol=USD&from_amount=1', 'to_symbol'],
      ['from_symbol=USD&to_symbol=BTC', 'from_amount'],
      [ramp.replace('USD', 'US'), 'from_symbol'],
      [ramp.replace('USD', 'XXX'), 'from_symbol'],
      [ramp.replace('BTC', text(17)), 'to_symbol'],
      ...['', '1e3', '.5', '5.', '+5', '1,5', '0', '-5', '9'.repeat(65)].map(
        (amount) => [ramp.replace('100', amount), 'from_amount'] as const,
      ),
    ],
  },
};

describe.each(Object.entries(queryRules))('query of %s', (_, { path, base, accepted, refused }) => {
  const full = (query: string) => {
    const all = [base, query].filter(Boolean).join('&');
    return all === '' ? path() : `${path()}?${all}`;
  };

  test.each(accepted)('takes "%s"', async (query) => {
    expect((await partner.get(full(query))).status).toBe(200);
  });

  test.each(refused)('refuses "%s"', async (query, field) => {
    const answer = await partner.get(full(query));
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(field);
  });
});
