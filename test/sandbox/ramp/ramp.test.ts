import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { Decimal } from '../../../src/schema/decimal.js';
import { ADDRESSES } from '../support/addresses.js';
import { directSandbox } from '../support/direct-partner.js';
import { openSandbox, Partner } from '../support/partner.js';

const partner = directSandbox();
const get = async (path: string) => (await partner.get(`/v1/ramp/${path}`)).body;
const causes = async (path: string) => {
  const { status, body } = await partner.get(`/v1/ramp/${path}`);
  expect(status).toBe(400);
  return (body.causes ?? body.error?.causes ?? []).map(({ field }: { field: string }) => field);
};

describe('the countries', () => {
  test('come 50 to a page, and in order over pages of any size', async () => {
    const first = await get('countries');
    expect(first.data).toHaveLength(50);
    const rest = await get(`countries?page_token=${first.next_page_token}`);
    const codes = [...first.data, ...rest.data].map(({ country }) => country);
    expect(codes).toEqual([...new Set(codes)].sort());
    expect((await get('countries?page_size=200')).data.map(({ country }: { country: string }) => country)).toEqual(
      codes,
    );
    expect((await partner.get('/v1/ramp/countries?page_size=201')).status).toBe(400);
  });

  test('have their parts where they matter', async () => {
    const { data } = await get('countries?page_size=200');
    const parts = Object.fromEntries(
      data.map(({ country, subdivisions }: Record<string, string[]>) => [country, subdivisions]),
    );
    expect(parts['CA']).toContain('QC');
    expect(parts['DE']).toBeUndefined();
  });
});

test('each payment method is taken by limits and quotes, where a card costs its fee', async () => {
  const { data } = await get('payment-methods');
  expect(data.length).toBeGreaterThan(1);
  for (const { id } of data) {
    expect((await get(`limits?in_asset_symbol=USD&in_method=${id}`)).data.limits).toBeDefined();
    const sides = `from_symbol=USD&to_symbol=BTC&from_amount=100&from_method=${id}`;
    expect((await get(`quotes/prospective?${sides}`)).data.from.deposit_fee !== '0.00').toBe(id.endsWith('card'));
  }
  const pages = [await get('payment-methods?page_size=2')];
  pages.push(await get(`payment-methods?page_token=${pages[0].next_page_token}`));
  expect(pages.flatMap((page) => page.data)).toEqual(data);
});

test('the assets are those that a checkout sells, in the countries where there is one', async () => {
  const symbols = async () =>
    (await get('buy/crypto?country=US&subdivision=CA&page_size=500')).data.map(
      ({ symbol }: { symbol: string }) => symbol,
    );
  const all = await symbols();
  expect(all).toContain('BTC');
  expect(all).not.toContain('USD');
  partner.sandbox.assets.disable('BTC', { uses: ['withdraw'] });
  expect(await symbols()).toEqual(all.filter((symbol: string) => symbol !== 'BTC'));
  expect(await causes('limits?in_asset_symbol=USD&out_asset_symbol=BTC')).toEqual(['out_asset_symbol']);
  partner.sandbox.assets.enable('BTC');
  for (const [query, field] of [
    ['', 'country'],
    ['?country=XX', 'country'],
    ['?country=US&subdivision=BY', 'subdivision'],
  ])
    expect(await causes(`buy/crypto${query}`)).toEqual([field]);
});

test('the currencies are those of the catalogue that can be deposited', async () => {
  const { data } = await get('fiat-currencies');
  const assets = (await partner.get('/v1/assets?type=fiat&deposit=true&page_size=100')).body.data;
  const symbols = (list: { symbol: string }[]) => list.map(({ symbol }) => symbol).sort();
  expect(symbols(data)).toEqual(symbols(assets));
});

describe('the limits', () => {
  const at = (range: { minimum: { amount: string }; maximum: { amount: string } }) =>
    [range.minimum, range.maximum].map(({ amount }) => new Decimal(amount));

  test.each([
    'in_asset_symbol=EUR&out_asset_symbol=ETH',
    'in_asset_symbol=GBP&out_asset_symbol=USDC&out_asset_type=stablecoin',
    'in_asset_symbol=USD&country=US',
  ])('of %s fit to each other and to the price', async (query) => {
    const { limits, final_combined: combined } = (await get(`limits?${query}`)).data;
    const [depositMin, depositMax] = at(limits.deposit) as [Decimal, Decimal];
    const [inMin, inMax] = at(combined.in_asset) as [Decimal, Decimal];
    const [outMin, outMax] = at(combined.out_asset) as [Decimal, Decimal];
    expect(inMin.gte(depositMin) && inMax.lte(depositMax) && inMin.lt(inMax) && outMin.lt(outMax)).toBe(true);
    const { symbol, type } = combined.out_asset.minimum;
    const quote = combined.in_asset.minimum.symbol;
    const asset = (await partner.get(`/v1/assets/${type}/${symbol}?quote_symbol=${quote}&quote_type=fiat`)).body.data;
    for (const [paid, bought] of [
      [inMin, outMin],
      [inMax, outMax],
    ] as const) {
      expect(bought.times(asset.price).minus(paid).abs().lt('0.05')).toBe(true);
    }
  });

  test('take any further parameter, and refuse what the catalogue refuses', async () => {
    expect((await get('limits?in_asset_symbol=USD&anything=1&anything=2')).data.limits).toBeDefined();
    expect(await causes('limits?out_asset_symbol=BTC')).toEqual(['in_asset_symbol']);
    expect(await causes('limits?in_asset_symbol=XXX')).toEqual(['in_asset_symbol']);
    expect(await causes('limits?in_asset_symbol=CHF')).toEqual(['in_asset_symbol']);
    expect(await causes('limits?in_asset_symbol=BTC&in_asset_type=crypto')).toEqual(['in_asset_type']);
    expect(await causes('limits?in_asset_symbol=USD&out_asset_symbol=SHIB')).toEqual(['out_asset_symbol']);
    expect(await causes('limits?in_asset_symbol=USD&out_asset_symbol=USD&out_asset_type=fiat')).toEqual([
      'out_asset_type',
    ]);
    expect(await causes('limits?in_asset_symbol=USD&country=AQ')).toEqual(['country']);
  });
});

describe('a checkout', () => {
  const asked = { in_asset_symbol: 'EUR', in_amount: '100.50', country: 'CA', subdivision: 'QC', newer: 'x' };
  const queryOf = (params: Record<string, string>) => `checkout?${new URLSearchParams(params)}`;

  test('has a link to a page that shows what was asked, and nothing that runs', async () => {
    const listening = await openSandbox();
    const evil = { ...asked, external_user_id: '<script>alert("1")</script>', memo: "a&b'" };
    const { data } = (await listening.get(`/v1/ramp/${queryOf(evil)}`)).body;
    expect(data.request_data).toEqual(evil);
    expect(data.checkout_url.startsWith(`${listening.url}/checkout/`)).toBe(true);
    const page = await fetch(data.checkout_url, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain(
      '<tr><th>external_user_id</th><td>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</td></tr>',
    );
    expect(text).toContain('<tr><th>memo</th><td>a&amp;b&#39;</td></tr>');
    expect(text).toContain('<tr><th>newer</th><td>x</td></tr>');
    expect(text).not.toMatch(/<script|<form|<a |javascript:| on\w+=/i);
  });

  test('has a page on the host that was asked, also without a port, after a restart, and none by guessing', async () => {
    const { checkout_url: url } = (await get(queryOf(asked))).data;
    expect(url).toMatch(/^http:\/\/sandbox\.example\/checkout\/\w{32}$/);
    const restored = createSandbox({ snapshot: partner.sandbox.snapshot() });
    for (const sandbox of [partner.sandbox, restored]) {
      const page = await sandbox.fetch(new Request(url) as never);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('100.50')]);
    }
    const other = await partner.sandbox.fetch(new Request(`${url}x`) as never);
    expect(other.status).toBe(404);
    expect((await partner.sandbox.fetch(new Request(url, { method: 'POST' }) as never)).status).toBe(401);
  });

  test('without any parameter is one for the defaults', async () => {
    const { data } = await get('checkout');
    expect(data.request_data).toEqual({});
  });

  test.each([
    ['an amount below the limit', { in_amount: '0.01' }, ['in_amount']],
    ['an amount above it', { in_amount: '1000000' }, ['in_amount']],
    ['an unknown country', { country: 'AQ' }, ['country']],
    ['a part of another country', { subdivision: 'CA' }, ['subdivision']],
    [
      'a link that is no http',
      { redirect_url: 'javascript:alert(1)', failure_url: 'x' },
      ['redirect_url', 'failure_url'],
    ],
    ['an address of another network', { network: 'bitcoin', wallet_address: ADDRESSES.ethereum }, ['wallet_address']],
    ['an address of another asset', { out_asset_symbol: 'ETH', wallet_address: ADDRESSES.bitcoin }, ['wallet_address']],
  ])('is refused for %s', async (_what, change, fields) => {
    expect(await causes(queryOf({ ...asked, ...change } as Record<string, string>))).toEqual(fields);
  });

  test('is refused for a part of another country with all parts of this one', async () => {
    const { error } = await partner
      .get(`/v1/ramp/${queryOf({ ...asked, country: 'US', subdivision: 'QC' })}`)
      .then(({ body }) => body);
    expect(error.causes).toEqual([
      { field: 'subdivision', message: expect.stringMatching(/^must be one of AK AL AR .* WI WV WY$/) },
    ]);
  });

  test('takes an address of the asset, and of the network', async () => {
    const wallet = { network: 'bitcoin', wallet_address: ADDRESSES.bitcoin };
    expect((await get(queryOf({ ...asked, ...wallet }))).data.request_data).toMatchObject(wallet);
  });

  test('has the host of the request in its link, whatever it is', async () => {
    const listening = await openSandbox();
    const { port } = new URL(listening.url);
    const named = new Partner(listening.sandbox, `http://localhost:${port}`);
    const { data } = (await named.get('/v1/ramp/checkout')).body;
    expect(data.checkout_url).toContain(`http://localhost:${port}/checkout/`);
  });
});
