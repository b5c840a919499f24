import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodies, openSandbox, type Partner, type TestAnswer } from './partner.js';

let partner: Partner;
beforeAll(async () => {
  partner = await openSandbox();
});
afterAll(() => partner.sandbox.close());

const text = (length: number) => 'x'.repeat(length);
const fields = ({ body }: TestAnswer): string[] => body.error.causes.map(({ field }: { field: string }) => field);

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
    expect(fields(answer)).toContain(field);
  });
});

/** Bodies: a good one, and changes to it with the field that the error names. */
interface BodyRules {
  readonly send: (body: unknown) => Promise<TestAnswer>;
  readonly good: () => Record<string, unknown>;
  readonly accepted: readonly Change[];
  readonly refused: readonly (readonly [change: Change, field: string])[];
}
/** Dotted members and their new values; undefined removes. */
type Change = Record<string, unknown>;

function changed(body: Record<string, unknown>, change: Change): Record<string, unknown> {
  const copy = structuredClone(body);
  for (const [path, value] of Object.entries(change)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const owner = names.reduce((object, name) => object[name] as Record<string, unknown>, copy);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return copy;
}

const wrongAmounts = [1, 1.5, '', '1e3', '+1', '.5', '5.', ' 1', 'NaN', null, {}];

const sideRules = (side: 'from' | 'to'): BodyRules['refused'] => [
  [{ [side]: undefined }, side],
  [{ [side]: 'BTC' }, side],
  [{ [`${side}.symbol`]: undefined }, `${side}.symbol`],
  [{ [`${side}.symbol`]: 'AB' }, `${side}.symbol`],
  [{ [`${side}.symbol`]: text(17) }, `${side}.symbol`],
  [{ [`${side}.symbol`]: 'NONE' }, `${side}.symbol`],
  [{ [`${side}.type`]: undefined }, `${side}.type`],
  [{ [`${side}.type`]: 'bond' }, `${side}.type`],
  [{ [`${side}.network`]: 'x' }, `${side}.network`],
];

const swapRules: BodyRules['refused'] = [
  ...sideRules('from'),
  ...sideRules('to'),
  ...wrongAmounts.map((amount) => [{ 'from.amount': amount }, 'from.amount'] as const),
  [{ 'from.amount': undefined }, 'from.amount'],
  [{ 'to.amount': '1' }, 'from.amount'],
  [{ 'from.amount': '0' }, 'from.amount'],
  [{ 'from.amount': '-5' }, 'from.amount'],
  [{ 'from.amount': '0.0000000001' }, 'from.amount'],
  [{ 'from.amount': undefined, 'to.amount': '0' }, 'to.amount'],
  [{ comment: 'x' }, 'comment'],
];

const bodyRules: Record<string, BodyRules> = {
  'Create quote': {
    send: (body) => partner.post(`${partner.account}/quotes`, body),
    good: () => bodies.quote,
    accepted: [{}, { 'from.amount': undefined, 'to.amount': '0.5' }, { fee: { bps: 0 } }, { fee: { bps: 25.5 } }],
    refused: [
      ...swapRules,
      [{ 'to.symbol': 'USD', 'to.type': 'fiat' }, 'to.symbol'],
      [{ 'to.symbol': 'EOS' }, 'to.symbol'],
      [{ 'from.symbol': 'CAD', 'to.symbol': 'AAPLx', 'to.type': 'xstock' }, 'to.symbol'],
      [{ fee: {} }, 'fee.bps'],
      [{ fee: { bps: '25' } }, 'fee.bps'],
      [{ fee: { bps: -1 } }, 'fee.bps'],
      [{ fee: { bps: 5001 } }, 'fee.bps'],
      [{ fee: { bps: 1, rate: 2 } }, 'fee.rate'],
    ],
  },
  'Create on-chain quote': {
    send: (body) => partner.post(`${partner.account}/onchain-quotes`, body),
    good: () => bodies.onchainQuote,
    accepted: [{}, { 'from.amount': undefined, 'to.amount': '0.5' }, { 'from.wallet.network': 'polygon' }],
    refused: [
      ...swapRules,
      [{ 'from.wallet': undefined }, 'from.wallet'],
      [{ 'from.wallet.address': undefined }, 'from.wallet.address'],
      [{ 'from.wallet.address': '' }, 'from.wallet.address'],
      [{ 'from.wallet.network': undefined }, 'from.wallet.network'],
      [{ 'from.wallet.network': 'dogecoin' }, 'from.wallet.network'],
      [{ 'from.wallet.network': 'constructor' }, 'from.wallet.network'],
      [{ 'from.wallet.memo': 'x' }, 'from.wallet.memo'],
      [{ 'to.wallet': { address: '0x', network: 'ethereum' } }, 'to.wallet'],
      [{ 'to.symbol': 'BTC', 'to.type': 'crypto' }, 'to.type'],
      [{ 'from.symbol': 'USD', 'from.type': 'fiat' }, 'from.type'],
    ],
  },
  'Whitelist wallet': {
    send: (body) => partner.post(`${partner.account}/wallets/whitelist`, body, { 'API-Otp': '1' }),
    good: () => bodies.wallet,
    accepted: [
      ...['sepa', 'fps', 'fedwire', 'ach', 'swift', 'bitcoin', 'ethereum', 'solana', 'tron', 'polygon', 'arbitrum'].map(
        (via) => ({ via }),
      ),
      ...['xrp', 'xlm', 'eos', 'cosmos'].map((via) => ({ via, memo: '1' })),
      { address: text(256) },
      { memo: text(64) },
      { external_user_id: text(128) },
    ],
    refused: [
      [{ via: undefined }, 'via'],
      [{ via: '' }, 'via'],
      [{ via: text(33) }, 'via'],
      [{ via: 'pigeon' }, 'via'],
      [{ address: undefined }, 'address'],
      [{ address: '' }, 'address'],
      [{ address: text(257) }, 'address'],
      [{ memo: text(65) }, 'memo'],
      ...['xrp', 'xlm', 'eos', 'cosmos', 'XRP'].map((via) => [{ via }, 'memo'] as const),
      [{ via: 'xrp', memo: '' }, 'memo'],
      [{ external_user_id: text(129) }, 'external_user_id'],
      [{ otp: '1' }, 'otp'],
    ],
  },
  'Save withdrawal address': {
    send: (body) => partner.post(`${partner.account}/funds/withdrawals/addresses`, body),
    good: () => bodies.address(partner.sandbox.fixtures.methodId, randomUUID()),
    accepted: [
      {},
      { asset_type: 'crypto', memo: 'm', tag: 't' },
      { asset_symbol: 'USDC', asset_type: 'stablecoin' },
      { asset_symbol: 'XRP', tag: '7' },
      { asset_symbol: 'XLM', memo: '7' },
    ],
    refused: [
      [{ asset_symbol: undefined }, 'asset_symbol'],
      [{ asset_symbol: 'OP' }, 'asset_symbol'],
      [{ asset_symbol: text(17) }, 'asset_symbol'],
      [{ asset_symbol: 'USDC' }, 'asset_symbol'],
      [{ method_id: undefined }, 'method_id'],
      [{ method_id: 'bitcoin' }, 'method_id'],
      [{ method_id: '00000000-0000-4000-8000-000000000000' }, 'method_id'],
      [{ key: undefined }, 'key'],
      [{ key: '' }, 'key'],
      [{ key: 5 }, 'key'],
      [{ address: undefined }, 'address'],
      [{ address: '' }, 'address'],
      [{ asset_type: 'bond' }, 'asset_type'],
      [{ memo: 5 }, 'memo'],
      [{ tag: null }, 'tag'],
      ...['XRP', 'XLM', 'EOS', 'ATOM'].map((asset_symbol) => [{ asset_symbol }, 'memo'] as const),
      [{ label: 'x' }, 'label'],
    ],
  },
  'Update withdrawal address': {
    send: async (body) => {
      const key = randomUUID();
      const addresses = `${partner.account}/funds/withdrawals/addresses`;
      await partner.post(addresses, bodies.address(partner.sandbox.fixtures.methodId, key));
      return partner.call({ method: 'PATCH', path: `${addresses}/${key}`, body });
    },
    good: () => ({ new_key: randomUUID() }),
    accepted: [{}],
    refused: [
      [{ new_key: undefined }, 'new_key'],
      [{ new_key: '' }, 'new_key'],
      [{ new_key: 5 }, 'new_key'],
      [{ address: 'bc1q' }, 'address'],
    ],
  },
};

describe.each(Object.entries(bodyRules))('body of %s', (_, { send, good, accepted, refused }) => {
  test.each(accepted)('takes %j', async (change) => {
    expect((await send(changed(good(), change))).status).toBe(200);
  });

  test.each(refused)('refuses %j', async (change, field) => {
    const answer = await send(changed(good(), change));
    expect(answer.status).toBe(400);
    expect(fields(answer)).toContain(field);
  });

  test.each<[string, unknown]>([
    ['none', undefined],
    ['an empty one', ''],
    ['half a JSON', '{"a":'],
    ['an array', []],
    ['null', null],
    ['text', '"x"'],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('refuses %s', async (__, body) => {
    expect((await send(body)).status).toBe(400);
  });

  test('tells every broken rule at once', async () => {
    const empty = await send({ one: 1, two: 2 });
    expect(fields(empty)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(fields(empty).length).toBeGreaterThan(2);
  });
});

test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/json5'])(
  'a body needs the content type of JSON, not %s',
  async (type) => {
    const headers = { 'Content-Type': type };
    const body = new TextEncoder().encode(JSON.stringify(bodies.quote));
    const answer = await partner.post(`${partner.account}/quotes`, body, headers);
    expect([answer.status, fields(answer)]).toEqual([400, ['Content-Type']]);
  },
);

test('the content type may have parameters and capitals', async () => {
  const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
  expect((await partner.post(`${partner.account}/quotes`, bodies.quote, headers)).status).toBe(200);
});

test('an operation that takes no body refuses one', async () => {
  const path = `${partner.account}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
  const answer = await partner.call({ method: 'DELETE', path, body: {} });
  expect([answer.status, fields(answer)]).toEqual([400, ['body']]);
});

test('a body above 1 MiB is refused in the form of every error, one of exactly 1 MiB is read', async () => {
  const padded = (bytes: number) => JSON.stringify(bodies.quote).padEnd(bytes, ' ');
  const path = `${partner.account}/quotes`;
  expect((await partner.post(path, padded(1024 * 1024))).status).toBe(200);
  const answer = await partner.post(path, padded(1024 * 1024 + 1));
  expect(answer.body.error).toMatchObject({ status: 413, causes: [{ field: 'body' }] });
  expect(answer.status).toBe(413);
});

describe('path parameters', () => {
  const id = (length: number) => text(length);
  const otherPaths: [path: () => string, field: string][] = [
    [() => `/v1/users/${id(13)}`, 'user_id'],
    [() => `/v1/users/${id(43)}`, 'user_id'],
    [() => `/v1/users/${id(13)}/verifications`, 'user_id'],
    [() => `/v1/users/${id(43)}/assets`, 'user_id'],
    [() => `/v1/accounts/${id(13)}/on-demand-conversions`, 'account_id'],
    [() => `/v1/accounts/${id(43)}/portfolio/details`, 'account_id'],
    [() => `/v1/accounts/${id(13)}/quotes/x`, 'account_id'],
    [() => `${partner.account}/quotes/${id(65)}`, 'quote_id'],
    [() => `${partner.account}/funds/bank-links/abc`, 'bank_link_id'],
    [() => `${partner.account}/funds/bank-links/${id(129)}`, 'bank_link_id'],
    [() => `${partner.account}/funds/deposits/limits/${id(17)}`, 'asset_symbol'],
    [() => `${partner.account}/funds/deposits/limits/NONE`, 'asset_symbol'],
    [() => `${partner.account}/quotes/%ff`, 'quote_id'],
  ];
  test.each(otherPaths)('refused: %s', async (path, field) => {
    const answer = await partner.get(path());
    expect([answer.status, fields(answer)]).toEqual([400, [field]]);
  });

  test.each([
    'AB1234-12345-123456',
    'AB123456-12345-123456',
    'XX12345-12345-123456',
    'ab12345-12345-123456',
    'AB12345-12345-12345%2F',
  ])('a funding address id must have its form, not %s', async (addressId) => {
    const answer = await partner.call({ method: 'DELETE', path: `${partner.account}/funds/addresses/${addressId}` });
    expect([answer.status, fields(answer)]).toEqual([400, ['address_id']]);
  });

  test('the account id of a funding address may have 1 to 64 characters', async () => {
    const statusOf = async (length: number) => {
      const path = `/v1/accounts/${id(length)}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
      return (await partner.call({ method: 'DELETE', path })).status;
    };
    expect(await Promise.all([statusOf(1), statusOf(64), statusOf(65)])).toEqual([403, 403, 400]);
  });

  test('lengths are those of the decoded text, and an asset symbol of one character is one', async () => {
    expect((await partner.get(`${partner.account}/funds/deposits/limits/S`)).status).toBe(200);
    expect((await partner.get(`${partner.account}/funds/deposits/limits/%53`)).status).toBe(200);
    expect((await partner.get(`/v1/users/${'%41'.repeat(42)}`)).status).toBe(404);
  });

  test('an encoded slash belongs to its parameter', async () => {
    const key = 'team/cold storage ✓';
    const addresses = `${partner.account}/funds/withdrawals/addresses`;
    await partner.post(addresses, bodies.address(partner.sandbox.fixtures.methodId, key));
    const path = `${addresses}/${encodeURIComponent(key)}`;
    const answer = await partner.call({ method: 'PATCH', path, body: { new_key: 'plain' } });
    expect(answer.body).toEqual({ data: { key: 'plain' } });
  });
});
