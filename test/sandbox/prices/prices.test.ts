import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { Decimal } from '../../../src/schema/decimal.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const priceOf = ({ sandbox }: DirectPartner, symbol: string): string | undefined =>
  sandbox.prices.list().find((price) => price.symbol === symbol)?.usd;

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
  test('stand still unless they are told to move', async () => {
    const partner = directSandbox();
    const before = partner.sandbox.prices.list();
    partner.sandbox.advance(30 * DAY);
    expect(partner.sandbox.prices.list()).toEqual(before);
    expect(new Set(await shownPrices(partner))).toEqual(new Set(['67432.1']));
  });

  test.each([
    ['at the start', 0],
    ['within a minute', 59_999],
    ['after a day', DAY],
    ['after a year', 365 * DAY],
  ])('that move are the same everywhere, %s', async (_, ms) => {
    const partner = directSandbox({ movingPrices: true });
    partner.sandbox.advance(ms);
    const price = new Decimal(priceOf(partner, 'BTC') ?? 0).toFixed();
    expect(new Set(await shownPrices(partner))).toEqual(new Set([price]));
    expect(price === '67432.1').toBe(ms < MINUTE);
  });

  test('move the same way for the same seed, and another way for another', () => {
    const walk = (seed: number) => {
      const { sandbox } = directSandbox({ seed, movingPrices: true });
      return [1, 5 * MINUTE, DAY, 100 * DAY].map((ms) => {
        sandbox.advance(ms);
        return sandbox.prices.list();
      });
    };
    expect(walk(1)).toEqual(walk(1));
    expect(walk(1)).not.toEqual(walk(2));
  });

  test('move at each minute, by little, and stay above 0 for years; dollars never move', () => {
    const { sandbox } = directSandbox({ movingPrices: true });
    const prices = () => new Map(sandbox.prices.list().map(({ symbol, type, usd }) => [`${type} ${symbol}`, usd]));
    let before = prices();
    for (let minute = 0; minute < 200; minute += 1) {
      sandbox.advance(MINUTE);
      const now = prices();
      expect(now.get('crypto BTC')).not.toBe(before.get('crypto BTC'));
      for (const [name, usd] of now) {
        const share = new Decimal(usd).div(before.get(name) ?? 0).toNumber();
        expect(share > 0.99 && share < 1.01, `${name} ${share}`).toBe(true);
      }
      before = now;
    }
    for (let year = 0; year < 20; year += 1) {
      sandbox.advance(365 * DAY);
      for (const { symbol, usd } of sandbox.prices.list()) expect(Number(usd) > 0, symbol).toBe(true);
    }
    expect(prices().get('fiat USD')).toBe('1');
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

  test('goes on moving from there', () => {
    const { sandbox } = directSandbox({ movingPrices: true });
    sandbox.advance(90_000);
    sandbox.prices.set('BTC', '100');
    const shown = () => Number(sandbox.prices.list().find(({ symbol }) => symbol === 'BTC')?.usd);
    expect(shown()).toBe(100);
    sandbox.advance(MINUTE);
    expect(shown()).not.toBe(100);
    expect(Math.abs(shown() - 100)).toBeLessThan(1);
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

describe('a sandbox that goes on from a snapshot', () => {
  const goOn = ({ sandbox }: DirectPartner, options: SandboxOptions = {}) =>
    createSandbox({ ...options, snapshot: JSON.parse(JSON.stringify(sandbox.snapshot())) });
  const moving = () => {
    const partner = directSandbox({ movingPrices: true });
    partner.sandbox.advance(DAY + 12_345);
    partner.sandbox.prices.set('ETH', '3000');
    partner.sandbox.advance(10 * MINUTE);
    return partner;
  };

  test('has the same prices, and lets them go on the same way', () => {
    const partner = moving();
    const restored = goOn(partner);
    for (const ms of [0, 1, MINUTE, 3 * DAY]) {
      partner.sandbox.advance(ms);
      restored.advance(ms);
      expect(restored.prices.list()).toEqual(partner.sandbox.prices.list());
    }
    expect(restored.snapshot()).toEqual({ ...partner.sandbox.snapshot(), generation: 1 });
  });

  test('may let prices stand still from there, or move: none jumps', () => {
    const partner = moving();
    const still = goOn(partner, { movingPrices: false });
    expect(still.prices.list()).toEqual(partner.sandbox.prices.list());
    still.advance(DAY);
    expect(still.prices.list()).toEqual(partner.sandbox.prices.list());
    const again = createSandbox({ snapshot: still.snapshot(), movingPrices: true });
    expect(again.prices.list()).toEqual(partner.sandbox.prices.list());
    again.advance(DAY);
    expect(again.prices.list()).not.toEqual(partner.sandbox.prices.list());
  });
});
