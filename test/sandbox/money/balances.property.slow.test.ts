import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { everything } from '../support/balances.js';
import { Bookkeeper } from '../support/bookkeeper.js';
import { step } from '../support/money-steps.js';

let moves = 0;
afterAll(() => {
  // A property that is true because nothing happens says nothing.
  expect(moves).toBeGreaterThan(20);
});

test('whatever happens in whatever order: balances are those of a second bookkeeper, nothing is created or lost, nothing is below 0', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25, size: 'max' }), async (steps) => {
    const keeper = new Bookkeeper();
    await keeper.open();
    const before = await everything(keeper.partner);
    for (const one of steps) {
      await keeper.run(one);
      await keeper.compare();
    }
    expect(await everything(keeper.partner)).toEqual(before);
    // Everything that is under way ends, and still nothing is created or lost.
    await keeper.run({ do: 'advance', ms: 4 * 86_400_000 });
    await keeper.compare();
    expect(await everything(keeper.partner)).toEqual(before);
    moves += keeper.moves;
  });
  await fc.assert(property, { numRuns: 40 });
}, 540_000);
