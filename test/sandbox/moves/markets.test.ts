import { describe, expect, test } from 'vitest';
import { bodies } from '../support/partner.js';
import { type Data, Driven } from './support/driven.js';

const BTC = { symbol: 'BTC', type: 'crypto' };

const quoted = (driven: Driven, amount = '100.00', to: object = BTC) =>
  driven.partner.post(`${driven.partner.account}/quotes`, { from: { ...bodies.quote.from, amount }, to });

describe('An asset', () => {
  const listed = async (driven: Driven, filter = '') =>
    (await driven.partner.get(`/v1/assets?page_size=100&type=crypto${filter}`)).body.data.find(
      (one: Data) => one.symbol === 'BTC',
    );

  test('that is disabled is refused by quotes and conversions, and the list says so, until it is enabled', async () => {
    const driven = await Driven.open();
    expect((await listed(driven, '&swap_trading=true')).status.swap_trading.enabled).toBe(true);
    const { status } = await driven.move('assets/disable', 'BTC');
    expect(status).toMatchObject({
      swap_trading: { enabled: false },
      withdraw: { enabled: false },
      deposit: { enabled: false },
    });
    const refused = await quoted(driven);
    expect([refused.status, refused.body.error.causes[0].field]).toEqual([400, 'to.symbol']);
    expect((await driven.partner.post(`${driven.partner.account}/conversions`, bodies.conversion)).status).toBe(400);
    const withdrawal = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' };
    expect((await driven.partner.post(`${driven.partner.account}/funds/withdrawals`, withdrawal)).status).toBe(400);
    expect(await listed(driven, '&swap_trading=true')).toBeUndefined();
    expect((await listed(driven)).status).toEqual(status);
    const later = await driven.restarted();
    expect([(await quoted(later)).status, (await listed(later)).status]).toEqual([400, status]);
    await later.move('assets/enable', 'BTC', { uses: ['swap_trading'] });
    expect((await quoted(later)).status).toBe(200);
    expect((await listed(later)).status).toMatchObject({
      swap_trading: { enabled: true },
      withdraw: { enabled: false },
    });
  });

  test('has the deposit limits of the seed, also where they are read first after its price and status have changed', async () => {
    const [still, changed] = [await Driven.open(), await Driven.open()];
    for (const symbol of ['BTC', 'SOL']) {
      await changed.move('prices/set', symbol, '100');
      await changed.move('assets/disable', symbol);
    }
    for (const symbol of ['BTC', 'SOL']) {
      const [before, after] = await Promise.all(
        [still, changed].map(({ partner }) => partner.get(`${partner.account}/funds/deposits/limits/${symbol}`)),
      );
      expect(before?.body.data.length).toBeGreaterThan(0);
      expect(after?.body).toEqual(before?.body);
    }
  });

  test('is as in the seed after a reset', async () => {
    const driven = await Driven.open();
    const seeded = await driven.read('assets');
    await driven.move('assets/disable', 'BTC');
    await driven.move('assets/setTradeLimits', 'USD', { minimum: '500' });
    await driven.move('fees/set', { quotes: 0 });
    await driven.move('reset');
    expect(await driven.read('assets')).toEqual(seeded);
    expect([await driven.read('assets/tradeLimits'), await driven.read('fees')]).toEqual([
      [],
      { quotes: 25, conversions: 40 },
    ]);
    expect((await quoted(driven)).status).toBe(200);
  });

  test('is disabled against one other asset', async () => {
    const driven = await Driven.open();
    const against = { symbol: 'USD' };
    await driven.move('assets/disable', 'BTC', { against });
    expect((await listed(driven)).status.swap_trading).toEqual({
      enabled: true,
      disabled_against: [{ symbol: 'USD', type: 'fiat', name: 'US Dollar' }],
    });
    expect((await quoted(driven)).status).toBe(400);
    expect((await quoted(driven, '100.00', { symbol: 'ETH', type: 'crypto' })).status).toBe(200);
    await driven.move('assets/enable', 'BTC', { against });
    expect((await quoted(driven)).status).toBe(200);
    expect(await driven.refusal('assets/disable', 'BTC', { against, uses: ['deposit'] })).toContain(
      'only for swap_trading',
    );
  });

  test('has a least and a most that a quote may give, for one pair before all', async () => {
    const driven = await Driven.open();
    await driven.move('assets/setTradeLimits', 'USD', { minimum: '50', maximum: '1000' });
    await driven.move('assets/setTradeLimits', 'USD', { maximum: '60.5', to: { symbol: 'BTC' } });
    const eth = { symbol: 'ETH', type: 'crypto' };
    const causes = async (amount: string, to: object) => (await quoted(driven, amount, to)).body.error?.causes;
    expect(await causes('49.99', eth)).toEqual([{ field: 'from.amount', message: 'is too small: at least 50 USD' }]);
    expect(await causes('1000.01', eth)).toEqual([{ field: 'from.amount', message: 'is too large: at most 1000 USD' }]);
    expect(await causes('60.51', BTC)).toEqual([{ field: 'from.amount', message: 'is too large: at most 60.5 USD' }]);
    for (const [amount, to] of [
      ['50', eth],
      ['1000', eth],
      ['60.5', BTC],
      ['1', BTC],
    ] as const) {
      expect(await causes(amount, to), amount).toBeUndefined();
    }
    const fixed = { from: { symbol: 'USD', type: 'fiat' }, to: { ...BTC, amount: '1' } };
    const { body } = await driven.partner.post(`${driven.partner.account}/quotes`, fixed);
    expect(body.error.causes).toEqual([{ field: 'to.amount', message: 'is too large: at most 60.5 USD' }]);
    const later = await driven.restarted();
    expect(await later.read('assets/tradeLimits')).toEqual([
      { from: 'fiat:USD', minimum: '50', maximum: '1000' },
      { from: 'fiat:USD', to: 'crypto:BTC', maximum: '60.5' },
    ]);
    await later.move('assets/setTradeLimits', 'USD', { to: { symbol: 'BTC' } });
    await later.move('assets/setTradeLimits', 'USD', {});
    expect(await later.read('assets/tradeLimits')).toEqual([]);
    expect((await quoted(later, '1')).status).toBe(200);
  });

  test('are refused for what is wrong, which is named', async () => {
    const driven = await Driven.open();
    for (const [path, args, message] of [
      ['assets/disable', ['NONE'], 'no asset NONE'],
      ['assets/disable', [], 'assets.disable takes [symbol, options?]'],
      ['assets/disable', [''], 'assets.disable: '],
      ['assets/enable', ['BTC', { uses: [] }], 'uses'],
      ['assets/enable', ['BTC', { uses: ['trade'] }], 'uses'],
      ['assets/enable', ['BTC', { type: 'crypto' }], 'type'],
      ['assets/setTradeLimits', ['BTC', { minimum: 1 }], 'minimum'],
      ['assets/setTradeLimits', ['BTC', { least: '1' }], 'least'],
    ] as const) {
      expect(await driven.refusal(path, ...args)).toContain(message);
    }
  });
});

describe('Fees', () => {
  test('of quotes and of conversions are those that were set, to the last digit', async () => {
    const driven = await Driven.open();
    expect(await driven.read('fees')).toEqual({ quotes: 25, conversions: 40 });
    expect(await driven.move('fees/set', { quotes: 33.3 })).toEqual({ quotes: 33.3, conversions: 40 });
    expect((await quoted(driven)).body.data.fees.trade.amount).toBe('0.34');
    await driven.move('fees/set', { conversions: 0 });
    const conversion = await driven.post(`${driven.partner.account}/conversions`, bodies.conversion);
    expect(conversion.fees.trade.amount).toBe('0.00');
    const later = await driven.restarted();
    expect(await later.read('fees')).toEqual({ quotes: 33.3, conversions: 0 });
  });

  test.each([[{ quotes: -1 }], [{ quotes: 4_001 }], [{ quotes: '25' }], [{ payouts: 1 }], [5]])(
    '%j are refused',
    async (fees) => {
      const driven = await Driven.open();
      expect(await driven.refusal('fees/set', fees)).toMatch(/^fees\.set: /);
    },
  );
});
