/**
 * What seeds make is recorded in `recorded`. `SEEDS_RECORD=data npx vitest run --project slow test/sandbox/seeds` writes
 * `data.json` anew, `SEEDS_RECORD=control` writes `control.json`. `SEEDS_TEXTS=FOLDER` writes all texts, to compare
 * two commits with `diff -r`.
 */
import { expect, test } from 'vitest';
import { controlOf } from './support/control.js';
import { dataOf } from './support/data.js';
import type { Parts } from './support/parts.js';
import { differences } from './support/recording.js';

const SEEDS = Array.from({ length: 20 }, (_, place) => place + 1);

test('the data of seeds 1 to 20 are as they were recorded', async () => {
  const found = new Map<number, Parts>();
  for (const seed of SEEDS) found.set(seed, await dataOf(seed));
  expect(differences('data', found)).toEqual([]);
});

test('the control plane shows of seeds 1 and 2 what was recorded', async () => {
  const found = new Map<number, Parts>();
  for (const seed of [1, 2]) found.set(seed, await controlOf(seed));
  expect(differences('control', found)).toEqual([]);
});
