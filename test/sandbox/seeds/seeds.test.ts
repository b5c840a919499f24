import { expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import { dataOf } from './support/data.js';
import type { Parts } from './support/parts.js';
import { askedNames, readNames } from './support/reads.js';
import { differences } from './support/recording.js';

test('every operation that reads is recorded', () => {
  expect(askedNames(directSandbox()).sort()).toEqual([...readNames].sort());
});

test('the data of seeds 1 and 2 are as they were recorded', async () => {
  const found = new Map<number, Parts>();
  for (const seed of [1, 2]) found.set(seed, await dataOf(seed));
  expect(differences('data', found)).toEqual([]);
});

test('conversions of the seed do not depend on when they are read', async () => {
  const [early, late] = [directSandbox(), directSandbox()];
  const conversions = ({ sandbox }: typeof early) =>
    sandbox.resources.list('onDemandConversions', { account: sandbox.fixtures.accountId, limit: 400 });
  const atOnce = conversions(early);
  for (const symbol of ['BTC', 'ETH', 'SOL', 'EUR']) late.sandbox.prices.set(symbol, '3');
  expect(conversions(late)).toEqual(atOnce);
  expect(atOnce).toContainEqual(expect.objectContaining({ id: early.sandbox.fixtures.conversionId }));
});
