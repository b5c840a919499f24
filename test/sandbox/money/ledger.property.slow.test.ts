import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { everything } from '../support/balances.js';
import { Bookkeeper } from '../support/bookkeeper.js';
import { LedgerWitness } from '../support/ledger-witness.js';
import { step } from '../support/money-steps.js';

let movements = 0;
afterAll(() => {
  // A property that is true because nothing happens says nothing.
  expect(movements).toBeGreaterThan(50);
});

test('whatever happens: details, summary, transactions, history and reports agree to the last digit, at every moment', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
    const keeper = new Bookkeeper();
    const witness = new LedgerWitness(keeper.partner, keeper.accounts);
    await keeper.open();
    const before = await everything(keeper.partner);
    await witness.look();
    keeper.partner.sandbox.advance(1);
    for (const one of steps) {
      if (one.do === 'advance') await witness.look();
      await keeper.run(one);
    }
    // Everything that is under way ends.
    await keeper.run({ do: 'advance', ms: 4 * 86_400_000 });
    movements += await witness.check();
    expect(await everything(keeper.partner)).toEqual(before);
  });
  await fc.assert(property, { numRuns: 30 });
}, 600_000);
