/**
 * The data of the seeds are recorded in `recorded`: `SEEDS_RECORD=data npx vitest run test/sandbox/seeds` writes
 * `data.json` anew, `SEEDS_RECORD=control` writes `control.json`, and `SEEDS_TEXTS=FOLDER` all texts, to compare two
 * commits with `diff -r`.
 */
import { expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import { controlOf } from './support/control.js';
import { dataOf } from './support/data.js';
import type { Parts } from './support/parts.js';
import { askedNames, readNames } from './support/reads.js';
import { differences } from './support/recording.js';

const SEEDS = Array.from({ length: 20 }, (_, place) => place + 1);

/** 5,000 requests take seconds, and half a minute on a machine that has much else to do. */
const PATIENCE_MS = 180_000;

test('every operation that reads is recorded', () => {
  expect(askedNames(directSandbox()).sort()).toEqual([...readNames].sort());
});

test('the data of seeds 1 to 20 are as they were recorded', { timeout: PATIENCE_MS }, async () => {
  const found = new Map<number, Parts>();
  for (const seed of SEEDS) found.set(seed, await dataOf(seed));
  expect(differences('data', found)).toEqual([]);
});

test('the control plane shows of seeds 1 and 2 what was recorded', async () => {
  const found = new Map<number, Parts>();
  for (const seed of [1, 2]) found.set(seed, await controlOf(seed));
  expect(differences('control', found)).toEqual([]);
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
