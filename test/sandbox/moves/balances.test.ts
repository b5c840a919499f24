import { describe, expect, test } from 'vitest';
import { everything } from '../support/balances.js';
import { DAY_MS, type Data, Driven } from './support/driven.js';

const held = async (driven: Driven, symbol: string) =>
  (await driven.get(`${driven.partner.account}/portfolio/details`)).find((one: Data) => one.symbol === symbol);

describe('A balance', () => {
  test('is set to the last digit, up and down; the other side is outside, the ledger knows it, no event tells it', async () => {
    const driven = await Driven.open();
    const all = await everything(driven.partner);
    const before = await held(driven, 'BTC');
    for (const total of ['123.45678901234567890123', '0.00000001', '0', '7']) {
      const set = await driven.move('accounts/setBalance', driven.account, { symbol: 'BTC', total });
      expect(Number(set.total)).toBe(Number(total));
      expect(set).toMatchObject({ symbol: 'BTC', type: 'crypto', available: set.total, open_orders: '0.00000000' });
    }
    expect(await held(driven, 'BTC')).toMatchObject({ total: '7.00000000', available: '7.00000000' });
    const change = 7n * 10n ** 8n - BigInt(before.total.replace('.', ''));
    expect((await driven.read('accounts/books')).outside).toEqual({ 'crypto:BTC': String(Number(-change) / 1e8) });
    expect(await everything(driven.partner)).toEqual(all);
    expect(await driven.events()).toEqual([]);
    const path = `${driven.partner.account}/portfolio/transactions?types=deposit`;
    const [last] = (await driven.partner.get(path)).body.data;
    expect(last.receive.total.amount).toBe('7.00000000');
    expect(last.receive.balance.amount).toBe('7.00000000');
    const later = await driven.restarted();
    expect(await held(later, 'BTC')).toMatchObject({ total: '7.00000000' });
  });

  test('of orders stays theirs: what is below it is refused, and empty leaves it', async () => {
    const driven = await Driven.open();
    const id = await driven.executing('100.00');
    const set = (balance: object) => driven.move('accounts/setBalance', driven.account, { symbol: 'USD', ...balance });
    const refusal = (balance: unknown) => driven.refusal('accounts/setBalance', driven.account, balance);
    expect(await refusal({ symbol: 'USD', total: '99.99' })).toBe(
      'accounts.setBalance: orders hold 100 USD: the total cannot be below it',
    );
    expect(await set({ total: '100' })).toMatchObject({ total: '100.00', available: '0.00', open_orders: '100.00' });
    expect(await set({ available: '0.5' })).toMatchObject({ total: '100.50', available: '0.50' });
    expect(await driven.move('accounts/empty', driven.account)).toEqual([
      { symbol: 'USD', type: 'fiat', total: '100.00', available: '0.00', open_orders: '100.00' },
    ]);
    await driven.move('quotes/settle', id);
    expect((await driven.get(`${driven.partner.account}/portfolio/details`)).map(({ symbol }: Data) => symbol)).toEqual(
      ['BTC'],
    );
    expect(await driven.move('accounts/empty', driven.account)).toEqual([]);
    const { status } = await driven.get(`${driven.partner.account}/quotes/${await driven.executing('1.00')}`);
    expect(status).toBe('executing');
  });

  test('is refused for wrong input and nobody', async () => {
    const driven = await Driven.open();
    const before = await driven.money();
    for (const [balance, message] of [
      [{ symbol: 'BTC' }, 'exactly one of total and available'],
      [{ symbol: 'BTC', total: '1', available: '1' }, 'exactly one of total and available'],
      [{ symbol: 'BTC', total: 1 }, 'total'],
      [{ symbol: 'BTC', total: '-1' }, 'total'],
      [{ symbol: 'BTC', total: '1e3' }, 'total'],
      [{ symbol: 'NONE', total: '1' }, 'no asset NONE'],
      [{ symbol: 'BTC', total: '1', amount: '1' }, 'amount'],
      [undefined, 'accounts.setBalance: '],
    ] as const) {
      expect(await driven.refusal('accounts/setBalance', driven.account, balance)).toContain(message);
    }
    expect(await driven.refusal('accounts/setBalance', 'nobody', { symbol: 'BTC', total: '1' })).toContain(
      'no account nobody',
    );
    expect(await driven.refusal('accounts/empty', 'nobody')).toBe('accounts.empty: there is no account nobody');
    expect(await driven.money()).toEqual(before);
  });
});

describe('A deposit limit', () => {
  const limits = async (driven: Driven) => driven.get(`${driven.partner.account}/funds/deposits/limits/USD`);
  const deposit = (amount: string) => ['accounts/deposit', { symbol: 'USD', amount }] as const;

  test('that is used up takes no deposit, and is not given back by those before', async () => {
    const driven = await Driven.open();
    await driven.move('limits/set', driven.account, { symbol: 'USD', maximum: '5000', maximum_amount: '4000' });
    const [path, input] = deposit('100.00');
    await driven.move(path, driven.account, input);
    const set = await driven.move('limits/set', driven.account, { symbol: 'USD', period: 'daily', remaining: '0' });
    expect(await limits(driven)).toEqual(set);
    for (const { maximum_amount, period_limits } of set) {
      expect(maximum_amount.amount).toBe('4000.00');
      expect(period_limits).toMatchObject([{ remaining: '0.00', maximum: '5000.00' }]);
    }
    expect(await driven.refusal(path, driven.account, input)).toContain('above the limits');
    driven.partner.sandbox.advance(2 * DAY_MS);
    expect(await limits(driven)).toEqual(set);
    const later = await driven.restarted();
    expect(await limits(later)).toEqual(set);
  });

  test('of one method lets as much in as it has left', async () => {
    const driven = await Driven.open();
    await driven.move('limits/set', driven.account, { symbol: 'USD', remaining: '0' });
    const [first, second] = await limits(driven);
    await driven.move('limits/set', driven.account, { symbol: 'USD', method_id: second.method_id, remaining: '10' });
    expect((await limits(driven))[0]).toEqual(first);
    expect(await driven.refusal('accounts/deposit', driven.account, { symbol: 'USD', amount: '10.01' })).toContain(
      'above',
    );
    await driven.move('accounts/deposit', driven.account, { symbol: 'USD', amount: '10.00' });
    expect((await limits(driven))[1].period_limits[0].remaining).toBe('0.00');
    driven.partner.sandbox.advance(DAY_MS);
    expect((await limits(driven))[1].period_limits[0].remaining).toBe('10.00');
  });

  test('is refused for wrong input, and nothing changes', async () => {
    const driven = await Driven.open();
    const before = await limits(driven);
    for (const [input, message] of [
      [{ symbol: 'USD' }, 'must have remaining, maximum or maximum_amount'],
      [{ symbol: 'USD', remaining: '11', maximum: '10' }, 'the remaining 11 is more than the maximum 10'],
      [{ symbol: 'USD', remaining: '99999999999' }, 'is more than the maximum'],
      [{ symbol: 'USD', remaining: '1', period: 'hourly' }, 'no period hourly'],
      [{ symbol: 'USD', remaining: '1', method_id: 'none' }, 'no such deposit method'],
      [{ symbol: 'CHF', remaining: '1' }, 'no such deposit method'],
      [{ symbol: 'USD', left: '1' }, 'left'],
    ] as const) {
      expect(await driven.refusal('limits/set', driven.account, input)).toContain(message);
    }
    expect(await limits(driven)).toEqual(before);
  });
});

describe('Earning', () => {
  const settings = async ({ partner }: Driven) => (await partner.get(`${partner.account}/earn/auto`)).body.staking;

  test('begins and ends at once, and credits the rewards of a day when it is told', async () => {
    const driven = await Driven.open();
    const all = await everything(driven.partner);
    expect(await driven.refusal('earn/creditRewards', driven.account)).toContain('is disabled; it allows earn.enable');
    await driven.move('earn/enable', driven.account);
    expect(await settings(driven)).toBe('enabled');
    const before = await held(driven, 'ETH');
    const rewards: Data[] = await driven.move('earn/creditRewards', driven.account);
    const eth = rewards.find(({ symbol }) => symbol === 'ETH');
    expect(BigInt((await held(driven, 'ETH')).total.replace('.', '')) - BigInt(before.total.replace('.', ''))).toBe(
      BigInt(eth.amount.replace('.', '')),
    );
    driven.partner.sandbox.advance(DAY_MS);
    expect(Number((await held(driven, 'ETH')).total)).toBeGreaterThan(Number(before.total) + 1.5 * Number(eth.amount));
    await driven.move('earn/disable', driven.account);
    expect(await settings(driven)).toBe('disabled');
    const last = await held(driven, 'ETH');
    driven.partner.sandbox.advance(2 * DAY_MS);
    expect(await held(driven, 'ETH')).toEqual(last);
    expect(await everything(driven.partner)).toEqual(all);
    expect(await driven.refusal('earn/disable', driven.account)).toContain('is disabled; it allows earn.enable');
    expect(await driven.refusal('earn/enable', 'nobody')).toBe(
      'earn.enable: there is no auto earn of the account nobody',
    );
  });

  test('that was asked for by the API takes effect before its minute, and once', async () => {
    const driven = await Driven.open();
    await driven.partner.call({
      method: 'PATCH',
      path: `${driven.partner.account}/earn/auto`,
      body: { staking: 'enabled' },
    });
    await driven.move('earn/enable', driven.account);
    expect(await settings(driven)).toBe('enabled');
    await driven.move('earn/disable', driven.account);
    driven.partner.sandbox.advance(DAY_MS);
    expect(await settings(driven)).toBe('disabled');
  });
});

test('a withdrawal address is removed: withdrawals to it are 404, its name is free', async () => {
  const driven = await Driven.open();
  const listed: Data[] = await driven.read('withdrawalAddresses');
  expect(listed.filter(({ account }) => account === driven.account)).toMatchObject([
    { key: 'cold-storage', tag: null, memo: null, asset: 'crypto:BTC' },
    { key: 'treasury xrp', tag: '104729', asset: 'crypto:XRP' },
  ]);
  await driven.move('withdrawalAddresses/remove', driven.account, 'cold-storage');
  const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' };
  expect((await driven.partner.post(`${driven.partner.account}/funds/withdrawals`, body)).status).toBe(404);
  expect(await driven.read('withdrawalAddresses')).toHaveLength(listed.length - 1);
  expect(await driven.refusal('withdrawalAddresses/remove', driven.account, 'cold-storage')).toContain(
    'has no withdrawal address cold-storage',
  );
});
