import { expect, test } from 'vitest';
import { bodies, openSandbox } from '../support/partner.js';
import { addWorld, ofSandbox, type WorldPartner } from './support/world.js';

const WORKERS = 20;

interface Outcome {
  readonly quotes: readonly string[];
  readonly usd: string;
  readonly isBalanced: boolean;
  readonly requests: number;
}

/** A test suite that has its world to itself: what it finds depends on nothing but its seed and its number. */
async function work(worker: WorldPartner, number: number): Promise<Outcome> {
  const quotes: string[] = [];
  await worker.ask('POST accounts/setBalance', [worker.world.fixtures.accountId, { symbol: 'USD', total: '10000' }]);
  for (let round = 0; round <= number % 4; round += 1) {
    const quote = await worker.post(`${worker.account}/quotes`, bodies.quote);
    const { status } = await worker.post(`${worker.account}/quotes/${quote.body.data.id}/execute`);
    expect(status).toBe(200);
    quotes.push(quote.body.data.id);
    await worker.ask('POST clock/advance', [60_000]);
  }
  const { data: books } = await worker.ask('GET books/check');
  const { data: journal } = await worker.ask('GET journal');
  return { quotes, usd: await worker.usd(), isBalanced: books.isBalanced, requests: journal.length };
}

test('20 workers in 20 worlds disturb neither each other nor the sandbox', async () => {
  const root = await openSandbox();
  const before = await ofSandbox(root).usd();
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => addWorld(root, { seed: 11 })));
  const found = await Promise.all(workers.map(work));
  for (const [number, { quotes, isBalanced, requests }] of found.entries()) {
    const rounds = (number % 4) + 1;
    expect([quotes.length, isBalanced, requests]).toEqual([rounds, true, 2 * rounds]);
    // The worlds of one seed give the same ids and amounts to the same calls.
    expect(quotes).toEqual(found[3]?.quotes.slice(0, rounds));
    expect(found[number]?.usd).toBe(found[number % 4]?.usd);
  }
  expect(new Set(found.map(({ usd }) => usd)).size).toBe(4);
  expect(await ofSandbox(root).usd()).toBe(before);
  expect(root.sandbox.journal).toEqual([]);
});
