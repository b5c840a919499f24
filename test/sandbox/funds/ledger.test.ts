import { beforeEach, describe, expect, test } from 'vitest';
import { accountIds, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

interface Entry {
  readonly ref_id: string;
  readonly amount: string;
  readonly status: string;
  readonly timestamp: string;
  readonly asset: { readonly symbol: string; readonly type: string };
}
const page = async (query: string) => (await partner.get(`/v1/funds/transactions?${query}`)).body;
const deposit = (accountId: string, amount: string, symbol = 'USD') =>
  partner.sandbox.accounts.deposit(accountId, { symbol, amount });
const withdraw = async (accountId: string, amount: string): Promise<string> => {
  const body = { asset_symbol: 'BTC', key: 'cold-storage', amount };
  return (await partner.post(`/v1/accounts/${accountId}/funds/withdrawals`, body)).body.data.ref_id;
};

describe('the funding ledger', () => {
  test('lists deposits or withdrawals of all accounts, newest first', async () => {
    const [first = '', second = '', third = ''] = accountIds(partner);
    deposit(first, '10');
    const withdrawal = await withdraw(second, '0.02');
    deposit(second, '20');
    partner.sandbox.advance(1_000);
    deposit(third, '30');
    const { data } = await page('type=deposit');
    expect(data.map(({ amount }: Entry) => amount)).toEqual(['30', '20', '10']);
    expect(data[0]).toEqual({
      type: 'deposit',
      timestamp: '2026-01-15T12:00:01.000Z',
      amount: '30',
      status: 'credited',
      asset: { symbol: 'USD', type: 'fiat', name: 'US Dollar' },
      ref_id: data[0].ref_id,
    });
    expect((await page('type=withdrawal')).data).toMatchObject([{ ref_id: withdrawal, amount: '0.02' }]);
  });

  test('gives each entry once while others come in front and change their status', async () => {
    const [first = '', second = ''] = accountIds(partner);
    for (let number = 1; number <= 30; number += 1)
      await withdraw(number % 2 === 0 ? first : second, `0.00${30 + number}`);
    const began = await page('type=withdrawal');
    expect(began.data).toHaveLength(25);
    await withdraw(first, '0.01');
    partner.sandbox.advance(65_000);
    const rest = await page(`type=withdrawal&cursor=${began.next_page_token}`);
    expect(rest.next_page_token).toBeUndefined();
    const amounts = [...began.data, ...rest.data].map(({ amount }: Entry) => amount);
    expect(amounts).toEqual(Array.from({ length: 30 }, (_, index) => `0.00${60 - index}`));
    expect(rest.data.every(({ status }: Entry) => status === 'success')).toBe(true);
  });

  test('refuses a made-up cursor, that of the other kind, page_token, a wrong size, and a missing type', async () => {
    const [first = ''] = accountIds(partner);
    for (const amount of ['1', '2']) deposit(first, amount);
    const { next_page_token: token } = await page('type=deposit&page_size=1');
    const field = async (query: string) => (await page(query)).error.causes[0].field;
    expect(await field('type=deposit&cursor=nobody')).toBe('cursor');
    expect(await field(`type=withdrawal&cursor=${token}`)).toBe('cursor');
    expect(await field(`type=deposit&page_token=${token}`)).toBe('page_token');
    expect(await field('type=deposit&page_size=501')).toBe('page_size');
    expect(await field('page_size=5')).toBe('type');
    expect(await field('type=transfer')).toBe('type');
    expect((await page(`type=deposit&page_size=500&cursor=${token}`)).data).toHaveLength(1);
  });

  test('adds up to what crossed the border of the sandbox', async () => {
    const [first = '', second = ''] = accountIds(partner);
    deposit(first, '0.345678901234567890123456789', 'BTC');
    const failing = await withdraw(first, '0.1');
    await withdraw(first, '0.025');
    deposit(second, '0.000000000000000000000000000001', 'BTC');
    partner.sandbox.withdrawals.fail(failing);
    partner.sandbox.advance(65_000);
    const sum = async (type: string, done: string) =>
      (await page(`type=${type}&page_size=500`)).data
        .filter(({ status }: Entry) => status === done)
        .reduce((total: bigint, { amount }: Entry) => total + units(amount), 0n);
    const net = (await sum('withdrawal', 'success')) - (await sum('deposit', 'credited'));
    expect(units(partner.sandbox.accounts.books.outside['crypto:BTC'] ?? '0')).toBe(net);
  });
});

test('an account that is paid into without end keeps its newest deposits, and no money is lost with the others', async () => {
  const [first = ''] = accountIds(partner);
  const path = `/v1/accounts/${first}/funds/deposits`;
  const [{ id: method_id }] = (await partner.get(`${path}/methods/BTC`)).body.data;
  const { address } = (await partner.post(`${path}/addresses`, { asset_symbol: 'BTC', method_id })).body.data;
  const { ref_id: forgotten } = partner.sandbox.accounts.deposit(first, { address, amount: '0.01' });
  for (let number = 0; number < 10_000; number += 1) deposit(first, '0.01');
  expect(() => partner.sandbox.deposits.credit(forgotten)).toThrow(`there is no deposit ${forgotten}`);
  expect(units(partner.sandbox.accounts.books.outside['crypto:BTC'] ?? '0')).toBe(-units('0.01'));
  partner.sandbox.advance(65_000);
  expect(units(partner.sandbox.accounts.books.outside['crypto:BTC'] ?? '0')).toBe(-units('0.01'));
  expect((await page('type=deposit&page_size=1')).data).toMatchObject([{ asset: { symbol: 'USD' } }]);
});
