import { expect, test } from 'vitest';
import { dataOf } from './support/data.js';
import type { Parts } from './support/parts.js';
import { differences } from './support/recording.js';

const SEEDS = Array.from({ length: 20 }, (_, place) => place + 1);

test('the data of seeds 1 to 20 are as they were recorded', async () => {
  const found = new Map<number, Parts>();
  for (const seed of SEEDS) found.set(seed, await dataOf(seed));
  expect(differences('data', found)).toEqual([]);
});
