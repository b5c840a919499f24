import { expect } from 'vitest';
import { operations } from '../../../../src/resources/operations.js';
import { runSequences } from './whole-service.js';

/** Sequences of a file: two files have 500, and run beside each other. */
const SEQUENCES = 250;

/** Each of these was accepted more often than this: a property of nothing says nothing. */
const OFTEN = 50;
const MOVES = [
  ...['accounts.quotes.execute', 'accounts.priceTriggerSwaps.create', 'accounts.conversions.create'],
  ...['funds.withdrawals.create', 'accounts.transfers.create', 'accounts.earn.auto.update'],
];

/** Runs the sequences of every second seed from the first one on. */
export async function expectConserved(first: number): Promise<void> {
  const accepted = await runSequences(Array.from({ length: SEQUENCES }, (_, index) => first + 2 * index));
  const never = operations.map(({ name }) => name).filter((name) => !accepted.has(name));
  expect(never, 'operations that were never accepted').toEqual([]);
  for (const name of MOVES) expect(accepted.get(name), name).toBeGreaterThan(OFTEN);
}
