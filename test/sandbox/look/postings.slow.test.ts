import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';

test('the newest 10,000 postings are kept with inspect', () => {
  const sandbox = createSandbox({ inspect: true });
  const { accountId } = sandbox.fixtures;
  for (let index = 0; index < 11_500; index += 1) {
    sandbox.accounts.setBalance(accountId, { symbol: 'USD', total: String(1 + (index % 2)) });
  }
  expect([sandbox.postings.list().length, sandbox.postings.gone]).toEqual([10_000, 1_500]);
});
