import { beforeEach, describe, expect, test } from 'vitest';
import type { DepositInput } from '../../../src/sandbox/index.js';
import { balancesOf, everything, of, units } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';

const DAY = 86_400_000;

const partner = directSandbox();
const { accountId } = partner.sandbox.fixtures;
beforeEach(() => partner.sandbox.reset());

interface Limit {
  readonly method_id: string;
  readonly maximum_amount: { readonly amount: string };
  readonly period_limits: readonly [{ readonly remaining: string; readonly maximum: string }];
}
async function limits(symbol = 'USD', account = accountId): Promise<Limit[]> {
  const { body } = await partner.get(`/v1/accounts/${account}/funds/deposits/limits/${symbol}?page_size=25`);
  return body.data;
}
/** The method of which most is left. */
const widest = async (): Promise<Limit> => {
  const left = ({ period_limits: [{ remaining }] }: Limit) => Number(remaining);
  const [limit] = (await limits()).sort((a, b) => left(b) - left(a));
  if (limit === undefined) throw new Error('no limits');
  return limit;
};
const remaining = async (method: string) =>
  (await limits()).find(({ method_id }) => method_id === method)?.period_limits[0].remaining ?? '';
const deposit = (input: Partial<DepositInput>) =>
  partner.sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '10', ...input });

describe('a deposit', () => {
  test.each(['100.00', '7', '0.01', `12.3${'4'.repeat(60)}`])('of %s is credited at once, exactly', async (amount) => {
    const [before, all] = [await balancesOf(partner, accountId), await everything(partner)];
    const { method_id } = await widest();
    const left = units(await remaining(method_id));
    const shown = deposit({ amount, method_id });
    const usd = of(before, 'fiat:USD');
    expect(of(await balancesOf(partner, accountId), 'fiat:USD')).toEqual({
      total: usd.total + units(amount),
      available: usd.available + units(amount),
      held: usd.held,
    });
    expect(units(await remaining(method_id))).toBe(left - units(amount));
    expect((await limits()).find((limit) => limit.method_id === method_id)).toEqual(shown);
    expect(await everything(partner)).toEqual(all);
  });

  test('shrinks what is left of its own method for a day, each for itself', async () => {
    const { method_id, period_limits } = await widest();
    const others = (await limits()).filter((limit) => limit.method_id !== method_id);
    const before = period_limits[0].remaining;
    deposit({ amount: '1.25', method_id });
    partner.sandbox.advance(DAY / 2);
    deposit({ amount: '2.50', method_id });
    expect(units(before) - units(await remaining(method_id))).toBe(units('3.75'));
    expect((await limits()).filter((limit) => limit.method_id !== method_id)).toEqual(others);

    partner.sandbox.advance(DAY / 2 - 1);
    expect(units(before) - units(await remaining(method_id))).toBe(units('3.75'));
    partner.sandbox.advance(1);
    expect(units(before) - units(await remaining(method_id))).toBe(units('2.50'));
    partner.sandbox.advance(DAY / 2);
    expect(await remaining(method_id)).toBe(before);
    partner.sandbox.advance(10 * DAY);
    expect(await remaining(method_id)).toBe(before);
  });

  test('beyond what is left, or beyond the most of one deposit, is refused and changes nothing', async () => {
    const { method_id, maximum_amount, period_limits } = await widest();
    const before = [await limits(), await balancesOf(partner, accountId)];
    const most = Math.min(Number(maximum_amount.amount), Number(period_limits[0].remaining));
    expect(() => deposit({ amount: (most + 0.01).toFixed(2), method_id })).toThrow('above the limits');
    expect(() => deposit({ amount: '999999999' })).toThrow('above the limits');
    expect([await limits(), await balancesOf(partner, accountId)]).toEqual(before);
    deposit({ amount: most.toFixed(2), method_id });
    if (most === Number(period_limits[0].remaining)) expect(Number(await remaining(method_id))).toBe(0);
  });

  test('without a method goes to the first whose limits leave room', async () => {
    const room = ({ period_limits: [{ remaining: left }] }: Limit) => units(left) >= units('10');
    const { method_id } = (await limits()).find(room) ?? {};
    expect(deposit({}).method_id).toBe(method_id);
  });

  test('is of one account: the limits of others stay', async () => {
    const { secondaryAccountId } = partner.sandbox.fixtures;
    const before = await limits('USD', secondaryAccountId);
    deposit({});
    expect(await limits('USD', secondaryAccountId)).toEqual(before);
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', { amount: '0' }, /above 0/],
    ['less than nothing', { amount: '-1' }, /decimal number as a string/],
    ['a number', { amount: 10 }, /amount/],
    ['more digits than the sandbox takes', { amount: `1.${'0'.repeat(255)}` }, /amount/],
    ['an unknown asset', { symbol: 'USDX' }, /no asset USDX/],
    ['an asset of another class', { symbol: 'USD', asset_type: 'crypto' }, /no crypto asset USD/],
    ['an asset without deposit methods', { symbol: 'SPX', asset_type: 'xstock' }, /no such deposit method/],
    ['an unknown method', { method_id: 'nobody' }, /no such deposit method/],
    ['a misspelt member', { ammount: '10' }, /ammount/],
    ['a member of the other form', { tag: '1' }, /must have symbol .* or address .*, not both/],
  ])('of %s is refused, and nothing changes', (_, input, message) => {
    const before = partner.sandbox.snapshot();
    expect(() => deposit(input as Partial<DepositInput>)).toThrow(TypeError);
    expect(() => deposit(input as Partial<DepositInput>)).toThrow(message);
    expect(partner.sandbox.snapshot()).toEqual(before);
  });
});
