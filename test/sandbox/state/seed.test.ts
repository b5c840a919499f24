import { describe, expect, test } from 'vitest';
import { Service } from '../../../src/sandbox/assembly.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { onDemandConversions } from '../../../src/sandbox/kinds/on-demand-conversions/on-demand-conversions.js';
import { Decimal } from '../../../src/schema/decimal.js';

const service = (seed: number) => new Service({ seed, journalLimit: 10, deliver: (request) => fetch(request) });

describe('the seed', () => {
  test('is 1 by default', () => {
    const [standard, one, two] = [createSandbox(), createSandbox({ seed: 1 }), createSandbox({ seed: 2 })];
    expect([standard.fixtures, standard.credentials]).toEqual([one.fixtures, one.credentials]);
    expect(two.credentials).not.toEqual(one.credentials);
  });

  test.each([1, 2, 3, 2 ** 31, 2 ** 53 - 1, 0, -5])('%d gives every fixture its value', (seed) => {
    for (const value of Object.values(service(seed).fixtures)) expect(value).toMatch(/.{3,}/);
  });

  test('credentials are the two options of a client and nothing else', () => {
    const { credentials } = createSandbox();
    expect(Object.keys(credentials)).toEqual(['apiKey', 'apiSecret']);
    expect(Buffer.from(credentials.apiSecret, 'base64').toString('base64')).toBe(credentials.apiSecret);
  });
});

describe('the data', () => {
  const { state, fixtures } = service(1);
  const main = state.accounts.get(fixtures.accountId);
  const conversions = Array.from(main?.records.of(onDemandConversions).values() ?? [], ({ conversion }) => conversion);

  test('has hundreds of conversions in every state, between every kind of end', () => {
    expect(conversions.length).toBeGreaterThanOrEqual(300);
    const statuses = new Set(conversions.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['converting', 'settling', 'completed', 'failed']));
    const kinds = new Set(conversions.flatMap(({ from, to }) => [`from ${from.type}`, `to ${to.type}`]));
    expect(kinds).toEqual(new Set(['from balance', 'from bank', 'to balance', 'to bank', 'to wallet']));
    const marks = conversions.flatMap(({ to }) => (to.type === 'wallet' ? Object.keys(to.wallet) : []));
    expect(new Set(marks)).toEqual(new Set(['via', 'address', 'memo', 'tag']));
  });

  test('has conversions whose amounts follow from rate and fees', () => {
    let checked = 0;
    for (const { from, to, rate, fees } of conversions) {
      if (from.type === 'bank' || to.type === 'bank' || !('amount' in from) || !('amount' in to)) continue;
      const converted = new Decimal(String(from.amount)).minus(fees.from.amount).minus(fees.trade.amount);
      const forward = rate.base.symbol === from.symbol;
      const gross = forward ? converted.times(rate.price) : converted.div(rate.price);
      const places = String(to.amount).split('.')[1]?.length ?? 0;
      const expected = gross.toDecimalPlaces(places, Decimal.ROUND_DOWN).minus(fees.to.amount);
      expect(to.amount).toBe(expected.toFixed(places));
      expect(expected.gt(0)).toBe(true);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(100);
  });
});
