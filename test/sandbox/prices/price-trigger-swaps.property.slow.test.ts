import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everything } from '../support/balances.js';
import { directSandbox } from '../support/direct-partner.js';

const MINUTE = 60_000;
const usd = { symbol: 'USD', type: 'fiat' };
const btc = { symbol: 'BTC', type: 'crypto' };

test('whatever prices do, money is neither made nor lost, and nothing is below 0', async () => {
  const side = fc.constantFrom(usd, btc, { symbol: 'ETH', type: 'crypto' }, { symbol: 'JPY', type: 'fiat' });
  const amount = fc.constantFrom('1', '0.01', '250.00', '40000', `7.${'3'.repeat(90)}`);
  const step = fc.oneof(
    fc.record({
      from: side,
      to: side,
      amount,
      fixed: fc.constantFrom('from' as const, 'to' as const),
      limit: fc.constantFrom({ drops_to: '60000' }, { drops_to: '67432.1' }, { rises_to: '80000' }),
    }),
    fc.record({ set: fc.constantFrom('1', '59999.99', '67432.10', '80000', '1234567.891') }),
    fc.record({ cancel: fc.nat(5) }),
    fc.record({ ms: fc.constantFrom(1, MINUTE, 1_440 * MINUTE) }),
  );
  let ended = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20, size: 'max' }), async (steps) => {
    const partner = directSandbox();
    const path = `${partner.account}/price-trigger-swaps`;
    const before = await everything(partner);
    const ids: string[] = [];
    for (const one of steps) {
      if ('set' in one) partner.sandbox.prices.set('BTC', one.set);
      else if ('ms' in one) partner.sandbox.advance(one.ms);
      else if ('cancel' in one) await partner.post(`${path}/${ids.at(-1 - one.cancel) ?? 'none'}/cancel`);
      else {
        const sides = { from: { ...one.from }, to: { ...one.to } };
        const trade = { ...sides, [one.fixed]: { ...sides[one.fixed], amount: one.amount } };
        const { body } = await partner.post(path, { trade, when: { base: btc, quote: usd, ...one.limit } });
        if (body.data) ids.push(body.data.id);
      }
      expect(await everything(partner)).toEqual(before);
    }
    for (const id of ids) ended += (await partner.get(`${path}/${id}`)).body.data.status === 'active' ? 0 : 1;
  });
  await fc.assert(property, { numRuns: 25 });
  expect(ended).toBeGreaterThan(10);
}, 540_000);
