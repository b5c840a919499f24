import { expect, test } from 'vitest';
import { LIFECYCLES, type Lifecycle } from '../../../src/sandbox/kinds/registry/lifecycles.js';
import { runSequences } from './support/whole-service.js';

const SEQUENCES = 60;
/** Before each operation of the API a move is made with this probability. */
const MOVES = 0.6;

/** A few need what sequences seldom have: an address with money on its way, a quote on a chain. */
const NEVER_AT_MOST = 6;

/** Each move of the table, but those of users, of whom the sequences know few verifications. */
const names = [...new Set(Object.values<Lifecycle>(LIFECYCLES).flatMap(({ states }) => Object.values(states).flat()))];

test(`whatever is moved between whatever is asked for: the books are even, nothing is below 0, nothing fails of itself, a restart changes nothing (${SEQUENCES} sequences)`, async () => {
  const seeds = Array.from({ length: SEQUENCES }, (_, index) => 6_000 + index);
  const taken = await runSequences(seeds, MOVES);
  expect(names.length).toBeGreaterThan(30);
  const never = names.filter((name) => !taken.has(name));
  expect(never.length, `never taken: ${never}`).toBeLessThanOrEqual(NEVER_AT_MOST);
}, 600_000);
