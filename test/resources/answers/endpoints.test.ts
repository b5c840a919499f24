import { describe, expect, it } from 'vitest';
import { Decimal, ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT, withMember } from '../support/operations.js';
import * as sample from '../support/samples.js';
import { rejection, startService } from '../support/service.js';

const service = startService();

const firstConversion = async (changes: Record<string, unknown>, options = {}) => {
  service.answerJson({ data: [{ ...sample.conversion, ...changes }] });
  const { items } = await service.client(options).accounts.onDemandConversions.list(ACCOUNT);
  return items[0];
};
const issuePaths = async (call: () => PromiseLike<unknown>): Promise<string[]> => {
  const error = await rejection(call);
  expect(error).toBeInstanceOf(ResponseValidationError);
  return (error as ResponseValidationError).issues.map(({ path }) => path);
};

describe('an endpoint of a conversion', () => {
  it('is told apart by its type', async () => {
    const { from, to } = (await firstConversion({})) ?? {};
    if (to?.type !== 'wallet' || from?.type !== 'balance') throw new Error('the types are lost');
    expect(to.wallet).toEqual({ via: 'ripple', address: 'rAddress', memo: '12', tag: '34' });
    expect(from.amount.toFixed()).toBe('100');
  });

  it('of a bank may have any further members', async () => {
    const bank = { type: 'bank', institution: 'First Bank', amount: '12.50' };
    expect((await firstConversion({ from: bank }))?.from).toMatchObject({ type: 'bank', institution: 'First Bank' });
    expect((await firstConversion({ from: { type: 'bank' } }))?.from).toEqual({ type: 'bank' });
  });

  it('of a kind this version does not know keeps all its members', async () => {
    const card = { type: 'card', last4: '4242', deep: { more: [1, { x: null }] } };
    expect((await firstConversion({ from: card }))?.from).toEqual(card);
  });

  it.each([
    ['wallet.via', 5],
    ['wallet', []],
    ['amount', 1.5],
    ['symbol', {}],
    ['type', 5],
  ])('with a wrong %s is refused at exactly that member', async (path, value) => {
    const to = withMember(sample.conversion.to, path, value);
    expect(await issuePaths(() => firstConversion({ to }))).toEqual([`data.0.to.${path}`]);
  });

  it.each([
    ['wallet.address', undefined],
    ['wallet', undefined],
    ['symbol', null],
    ['status', undefined],
    ['type', undefined],
  ])('without its %s is refused in strict mode, at exactly that member', async (path, value) => {
    const to = withMember(sample.conversion.to, path, value);
    const strict = { responseValidation: 'strict' };
    expect(await issuePaths(() => firstConversion({ to }, strict))).toEqual([`data.0.to.${path}`]);
  });

  it('without its type has its known members read: the amount is exact', async () => {
    const { type: _, ...untyped } = sample.conversion.to;
    const to = (await firstConversion({ to: { ...untyped, more: 1 } }))?.to;
    expect(to).toEqual({ ...untyped, amount: new Decimal('41.5'), more: 1 });
  });

  it('with a wrong member is handed over in warn mode, the other side read', async () => {
    const to = withMember(sample.conversion.to, 'wallet.via', 5);
    const conversion = await firstConversion({ to }, { responseValidation: 'warn' });
    expect(conversion?.to).toMatchObject({ type: 'wallet', wallet: { via: 5, address: 'rAddress' } });
    expect(Decimal.isDecimal(conversion?.rate.price)).toBe(true);
    expect(Decimal.isDecimal((conversion as { from: { amount: unknown } }).from.amount)).toBe(true);
  });
});
