import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** The price of a bitcoin in dollars, as each part of the API shows it. */
async function shownPrices(partner: DirectPartner): Promise<string[]> {
  const asset = (await partner.get('/v1/assets/crypto/BTC')).body.data;
  const [listed] = (await partner.get('/v1/assets?sort=market_cap&sort_direction=desc&page_size=1')).body.data;
  const quote = (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data;
  const entries: { symbol: string; index_price: string }[] = (await partner.get(`${partner.account}/portfolio/details`))
    .body.data;
  const rates = (await partner.get('/v1/assets/crypto/BTC/rates?interval=PT1M&page_size=100')).body.data;
  const held = entries.find(({ symbol }) => symbol === 'BTC');
  return [asset.price, listed.price, quote.rate.price, held?.index_price, rates.at(-1).price];
}

describe('prices', () => {
  test('stand still until they are set', async () => {
    const partner = directSandbox();
    const before = partner.sandbox.prices.list();
    partner.sandbox.advance(30 * DAY);
    expect(partner.sandbox.prices.list()).toEqual(before);
    expect(new Set(await shownPrices(partner))).toEqual(new Set(['67432.1']));
  });

  test('are never written with an exponent', async () => {
    const partner = directSandbox();
    partner.sandbox.prices.set('SHIB', '0.00000000000012345678901234567890');
    const { price } = (await partner.get('/v1/assets/crypto/SHIB')).body.data;
    expect(price).toBe('0.000000000000123456789');
  });
});

describe('a price that is set', () => {
  test('is that of everything from then on, and of nothing that was agreed before', async () => {
    const partner = directSandbox();
    const agreed = (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data;
    expect(partner.sandbox.prices.set('BTC', '50000.5')).toEqual({ symbol: 'BTC', type: 'crypto', usd: '50000.5' });
    expect(new Set(await shownPrices(partner))).toEqual(new Set(['50000.5']));
    expect((await partner.get(`${partner.account}/quotes/${agreed.id}`)).body.data.rate.price).toBe('67432.1');
    const dear = (await partner.get('/v1/assets?sort=price&sort_direction=desc&page_size=1')).body.data[0];
    expect(dear.symbol).toBe('BTC');
  });

  test('changes the order of the list at once, also of one that was asked for before', async () => {
    const partner = directSandbox();
    const first = async () => (await partner.get('/v1/assets?page_size=1')).body.data[0];
    expect(await first()).toMatchObject({ symbol: 'BTC', market_cap_rank: 1 });
    expect(await first()).toMatchObject({ symbol: 'BTC', market_cap_rank: 1 });
    partner.sandbox.prices.set('ETH', '100000');
    expect(await first()).toMatchObject({ symbol: 'ETH', market_cap_rank: 1, ath: { value: '100000' } });
  });

  test('of a ticker with two classes is that of the class that is named, or of the first', () => {
    const { sandbox } = directSandbox();
    expect(sandbox.prices.set('SPX', '2')).toMatchObject({ type: 'crypto', usd: '2' });
    expect(sandbox.prices.set('SPX', '3', 'xstock')).toMatchObject({ type: 'xstock', usd: '3' });
    expect(sandbox.prices.list().filter(({ symbol }) => symbol === 'SPX')).toEqual([
      { symbol: 'SPX', type: 'crypto', usd: '2' },
      { symbol: 'SPX', type: 'xstock', usd: '3' },
    ]);
  });

  test.each<[string, unknown[], RegExp]>([
    ['of no asset', ['NONE', '1'], /prices\.set: there is no asset NONE/],
    ['of no such class', ['BTC', '1', 'fiat'], /there is no fiat asset BTC/],
    ['of the dollar', ['USD', '2'], /unit of all prices/],
    ['that is 0', ['BTC', '0.00'], /above 0/],
    ['below 0', ['BTC', '-1'], /usd/],
    ['that is a number', ['BTC', 5], /usd/],
    ['that is missing', ['BTC'], /usd/],
    ['of no symbol', [undefined, '1'], /symbol/],
  ])('%s is refused, and nothing changes', (_, args, message) => {
    const { sandbox } = directSandbox();
    const before = sandbox.prices.list();
    expect(() => sandbox.prices.set(...(args as [string, string]))).toThrow(TypeError);
    expect(() => sandbox.prices.set(...(args as [string, string]))).toThrow(message);
    expect(sandbox.prices.list()).toEqual(before);
  });
});

test('a sandbox that goes on from a snapshot has the same prices, now and before', async () => {
  const partner = directSandbox();
  partner.sandbox.advance(DAY);
  partner.sandbox.prices.set('ETH', '3000');
  partner.sandbox.advance(DAY);
  const restored = new DirectPartner(createSandbox({ snapshot: partner.sandbox.snapshot() }), partner.url);
  expect(restored.sandbox.prices.list()).toEqual(partner.sandbox.prices.list());
  const rates = '/v1/assets/crypto/ETH/rates';
  restored.nextNonce();
  expect((await restored.get(rates)).body).toEqual((await partner.get(rates)).body);
});
