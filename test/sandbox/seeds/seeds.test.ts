import { expect, it, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, requestOf } from '../support/partner.js';
import { hashOf } from './story.js';

/**
 * The hashes of seeds 1 to 5. With `SEEDS_TEXTS=FOLDER` the test writes what was hashed, so that `diff -r` shows what
 * differs between two commits.
 */
const RECORDED = ['a6e54df5ad948e2f', 'dc1131b781454b83', 'a17dddd5d31578c2', 'c24ceba2fb513501', 'f12bfb6501371aea'];

test('the data of seeds 1 to 5 are as they were recorded', async () => {
  const found: string[] = [];
  for (const [place] of RECORDED.entries()) found.push(await hashOf(place + 1));
  expect(found).toEqual(RECORDED);
});

it('conversions of the seed do not depend on when they are read', async () => {
  const [early, late] = [directSandbox(), directSandbox()];
  const conversions = ({ sandbox }: typeof early) =>
    sandbox.resources.list('onDemandConversions', { accountId: sandbox.fixtures.accountId, limit: 400 });
  const atOnce = conversions(early);
  for (const symbol of ['BTC', 'ETH', 'SOL', 'EUR']) late.sandbox.prices.set(symbol, '3');
  expect(conversions(late)).toEqual(atOnce);
  expect(atOnce).toContainEqual(expect.objectContaining({ id: early.sandbox.fixtures.conversionId }));
});

it('the ids of writes do not depend on what was read before', async () => {
  const [reader, writer] = [directSandbox(), directSandbox()];
  for (const path of [
    'on-demand-conversions',
    'conversions',
    'transfers',
    'portfolio/transactions',
    'portfolio/history',
  ])
    expect((await reader.send(requestOf(`GET ${reader.account}/${path}`))).status).toBe(200);
  const quote = requestOf(`POST ${reader.account}/quotes`, bodies.quote);
  const answers = [await reader.send(quote), await writer.send(quote)].map((answer) => answer.json());
  const [read, unread] = (await Promise.all(answers)) as { data: { id: string } }[];
  expect(read?.data.id).toBe(unread?.data.id);
});
