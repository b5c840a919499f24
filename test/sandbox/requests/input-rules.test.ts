import { describe, expect, test } from 'vitest';
import { askControl, bodies, fieldsOf, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const text = (length: number) => 'x'.repeat(length);

/** Query parameters of each list or preview: accepted ones, and refused ones with the field that the error names. */
interface QueryRules {
  readonly path: string;
  readonly base?: string;
  readonly accepted: readonly string[];
  readonly refused: readonly (readonly [query: string, field: string])[];
}

const { account } = partner;
const user = `/v1/users/${partner.sandbox.fixtures.userId}`;
const sortBy = (sort: string) => `sort=${sort}`;
const ramp = 'from_symbol=USD&to_symbol=BTC&from_amount=100';

const queryRules: Record<string, QueryRules> = {
  'List webhooks': {
    path: '/v1/webhooks',
    accepted: ['', 'page%5Fsize=%32', '&page_size=2&'],
    refused: [['pageSize=5', 'pageSize']],
  },
  'List user assets': {
    path: `${user}/assets`,
    accepted: [
      'type=fiat&type=crypto&type=stablecoin&type=xstock',
      'swap_trading=true&withdraw=false&deposit=true',
      ...['trending_rank', 'market_cap_rank', 'market_cap', 'price', 'symbol', 'name', 'listing_date'].map(sortBy),
      ...[
        'volume.last_24h',
        ...['1h', '24h', '7d', '30d', '1y'].map((time) => `price_change_percent.last_${time}`),
      ].map(sortBy),
      'sort_direction=asc',
      'sort_direction=desc',
      'quote_symbol=EUR&quote_type=fiat',
    ],
    refused: [
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
    path: `${account}/portfolio/details`,
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
    path: '/v1/ramp/quotes/prospective',
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
  'List portfolio transactions': {
    path: `${account}/portfolio/transactions`,
    accepted: [
      'assets[0][symbol]=BTC&assets[0][type]=crypto',
      'assets%5B1%5D%5Bsymbol%5D=ETH&types=deposit&assets%5B0%5D%5Btype%5D=fiat',
      'assets[2][type]=fiat&assets[0][type]=fiat&assets[1][type]=fiat',
      `assets[0][symbol]=${text(16)}`,
      'types=simple_order&types=earn_reward',
      'assets[0][symbol]=BTC&assets[0][name]=Bitcoin&types[0]=deposit&sorting=asc',
    ],
    refused: [
      ['assets=BTC', 'assets'],
      ['assets[]=BTC', 'assets[]'],
      ['assets[0]=BTC', 'assets[0]'],
      ['assets[symbol]=BTC', 'assets[symbol]'],
      ['assets[][symbol]=BTC', 'assets[][symbol]'],
      ['assets[00][symbol]=BTC', 'assets[00][symbol]'],
      ['assets[-1][symbol]=BTC', 'assets[-1][symbol]'],
      ['assets[0][symbol][x]=BTC', 'assets[0][symbol][x]'],
      ['assets[0].symbol=BTC', 'assets[0].symbol'],
      ['assets[0][name]=Bitcoin', 'assets'],
      ['assets[0][__proto__]=x', 'assets'],
      ['assets[1][symbol]=BTC', 'assets[0]'],
      ['assets[0][symbol]=BTC&assets[2][symbol]=ETH', 'assets[1]'],
      ['assets[999999999][symbol]=BTC', 'assets[0]'],
      ['assets[9999999999][symbol]=BTC', 'assets[9999999999][symbol]'],
      ['assets[0][symbol]=BTC&assets[0][symbol]=ETH', 'assets[0][symbol]'],
      ['assets[0][symbol]=BT', 'assets[0][symbol]'],
      ['assets[0][symbol]=BTC&assets[1][type]=bond', 'assets[1][type]'],
      ['types=withdrawal', 'types'],
    ],
  },
  'Get portfolio history': {
    path: `${account}/portfolio/history`,
    accepted: ['', 'assets[0][symbol]=BTC&quote_symbol=USDC&quote_type=stablecoin'],
    refused: [
      ['page_size=5', 'page_size'],
      ['quote_type=bond', 'quote_type'],
      ['assets[0][amount]=1', 'assets[0][amount]'],
    ],
  },
  'List settlement reports': {
    path: '/v1/reports/settlement',
    accepted: ['report_type=swaps&report_type=later', 'start_date=2026-01-14T00:00:00Z&end_date=2026-01-14T23:59:59Z'],
    refused: [['type=swaps', 'type']],
  },
  'Get ramp prospective quote, its assets and amount': {
    path: '/v1/ramp/quotes/prospective',
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
    return all === '' ? path : `${path}?${all}`;
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

describe('path parameters', () => {
  test.each<[path: string, field: string]>([
    [`/v1/users/${text(13)}`, 'user_id'],
    [`/v1/users/${text(43)}`, 'user_id'],
    [`/v1/users/${text(13)}/verifications`, 'user_id'],
    [`/v1/users/${text(43)}/assets`, 'user_id'],
    [`/v1/accounts/${text(13)}/on-demand-conversions`, 'account_id'],
    [`/v1/accounts/${text(43)}/portfolio/details`, 'account_id'],
    [`/v1/accounts/${text(13)}/quotes/x`, 'account_id'],
    [`${account}/quotes/${text(65)}`, 'quote_id'],
    [`${account}/funds/bank-links/abc`, 'bank_link_id'],
    [`${account}/funds/bank-links/${text(129)}`, 'bank_link_id'],
    [`${account}/funds/deposits/limits/${text(17)}`, 'asset_symbol'],
    [`${account}/funds/deposits/limits/NONE`, 'asset_symbol'],
    [`${account}/funds/withdrawals/methods/NONE`, 'asset_symbol'],
    [`${account}/quotes/%ff`, 'quote_id'],
  ])('refused: %s', async (path, field) => {
    const answer = await partner.get(path);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  test.each([
    'AB1234-12345-123456',
    'AB123456-12345-123456',
    'XX12345-12345-123456',
    'ab12345-12345-123456',
    'AB12345-12345-12345%2F',
  ])('a funding address id must have its form, not %s', async (addressId) => {
    const answer = await partner.call({ method: 'DELETE', path: `${account}/funds/addresses/${addressId}` });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['address_id']]);
  });

  test('the account id of a funding address may have 1 to 64 characters', async () => {
    const statusOf = async (length: number) => {
      const path = `/v1/accounts/${text(length)}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
      return (await partner.call({ method: 'DELETE', path })).status;
    };
    expect(await Promise.all([statusOf(1), statusOf(64), statusOf(65)])).toEqual([403, 403, 400]);
  });

  test('lengths are those of the decoded text, and an asset symbol of one character is one', async () => {
    expect((await partner.get(`${account}/funds/deposits/limits/S`)).status).toBe(200);
    expect((await partner.get(`${account}/funds/deposits/limits/%53`)).status).toBe(200);
    expect((await partner.get(`/v1/users/${'%41'.repeat(42)}`)).status).toBe(404);
  });

  test('an encoded slash belongs to its parameter', async () => {
    const key = 'team/cold storage ✓';
    const addresses = `${account}/funds/withdrawals/addresses`;
    await partner.post(addresses, bodies.address(partner.sandbox.fixtures.methodId, key));
    const path = `${addresses}/${encodeURIComponent(key)}`;
    const answer = await partner.call({ method: 'PATCH', path, body: { new_key: 'plain' } });
    expect(answer.body).toEqual({ data: { key: 'plain' } });
  });
});

const WRONG = [null, 5, 1.5, '', 'x', 'x'.repeat(300), [], [[]], {}, true];

const METHODS = [
  ...['quotes/fail', 'wallets/rejectAddress', 'accounts/convert', 'accounts/deposit', 'users/setStatus'],
  ...['webhooks/register', 'webhooks/update', 'webhooks/rotateSecret'],
  ...['faults/add', 'faults/chaos', 'clock/advance', 'keys/issue'],
];

const WHOLE = 'must be a whole number from 1 to 25';

describe('what breaks a rule of the sandbox is told in our words', () => {
  test.each<[what: string, path: string, field: string, message: string]>([
    ...['many', '', '1.5', '%2B5', '0', '26', '9'.repeat(20)].map((size): [string, string, string, string] => [
      `page_size=${size}`,
      `/on-demand-conversions?page_size=${size}`,
      'page_size',
      WHOLE,
    ]),
    ['a size without a limit', '/conversions?page_size=0', 'page_size', 'must be a whole number of at least 1'],
    ['an id that is too short', '/funds/bank-links/abc', 'bank_link_id', 'must have 4 to 128 characters, has 3'],
  ])('%s', async (_, path, field, message) => {
    const { status, body } = await partner.get(account + path);
    expect(status).toBe(400);
    expect(body.error.causes).toEqual([{ field, message }]);
  });

  test('members of a body, whatever they are', async () => {
    const messages: string[] = [];
    for (const value of WRONG) {
      const side = { symbol: value, type: value, amount: value };
      for (const body of [value, { from: value, to: value }, { from: side, to: {} }]) {
        const answer = await partner.post(`${account}/quotes`, body);
        messages.push(...(answer.body.error?.causes ?? []).map(({ message }: { message: string }) => message));
      }
    }
    expect(messages).toEqual(expect.arrayContaining(['is missing', 'must be an object, not a list']));
    expect(messages.join('\n')).not.toMatch(VALIDATOR);
  });

  test.each(METHODS)('arguments of %s over the control plane', async (method) => {
    for (const value of [...WRONG, { from: {}, to: { type: 'x' }, url: 5, events: [], unknown: 1, overlapMs: -1 }]) {
      for (const args of [[value], [partner.sandbox.fixtures.accountId, value]]) {
        const { error } = await askControl(partner, `POST ${method}`, args);
        expect(error?.message ?? '').not.toMatch(VALIDATOR);
      }
    }
  });
});

/** What zod says where nobody has told it our words. */
const VALIDATOR = /Invalid|Too (small|big)|expected|received|Unrecognized|pattern/;
