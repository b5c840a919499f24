import { expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { runSequences } from './support/whole-service.js';

/** Of 200 operations each. */
const SEQUENCES = 80;

/** A few need what sequences seldom have: an address with money on its way, a quote on a chain. */
const NEVER_AT_MOST = 6;

test(`whatever happens in whatever order: nothing is made or lost, nothing is below 0, all that tells about money agrees, a restart changes nothing (${SEQUENCES} sequences)`, async () => {
  const { accepted, moves, movements } = await runSequences(SEQUENCES);
  // A property of nothing says nothing.
  const never = (names: readonly string[]) => names.filter((name) => !accepted.has(name));
  expect(never(operations.map(({ name }) => name))).toEqual([]);
  expect(moves.length).toBeGreaterThan(30);
  expect(never(moves).length, `never taken: ${never(moves)}`).toBeLessThanOrEqual(NEVER_AT_MOST);
  expect(movements).toBeGreaterThan(1_000);
}, 600_000);
