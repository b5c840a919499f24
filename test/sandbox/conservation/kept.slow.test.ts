import { expect, test } from 'vitest';
import { NOT_SAVED, runSequences } from './support/whole-service.js';

const SEQUENCES = 10;
/** Before each operation of the API a move is made with this probability. */
const MOVES = 0.3;

test(`what is written down leads from a saved state to the present one; what cannot be written has not happened (${SEQUENCES} sequences)`, async () => {
  const seeds = Array.from({ length: SEQUENCES }, (_, index) => 9_000 + index);
  const counts = await runSequences(seeds, MOVES);
  expect(counts.get(NOT_SAVED)).toBeGreaterThan(SEQUENCES);
}, 60_000);
