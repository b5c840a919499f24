import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { STEPS } from '../../../src/sandbox/kinds/registry/derived.js';
import { EXECUTION_STEPS } from '../../../src/sandbox/kinds/registry/execution-times.js';
import { balancesOf } from '../support/balances.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, whitelisting } from '../support/partner.js';

const quoting = async (partner: DirectPartner) =>
  (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data.id as string;
const shown = async (partner: DirectPartner, id: string) => {
  const { status, body } = await partner.get(`${partner.account}/quotes/${id}`);
  return status === 200 ? body.data.status : status;
};
const executing = (partner: DirectPartner, id: string) => partner.post(`${partner.account}/quotes/${id}/execute`);

describe('reads that lag', () => {
  test('see a write after the time, and not before', async () => {
    const partner = directSandbox({ readLag: 500 });
    const id = await quoting(partner);
    expect(await shown(partner, id)).toBe(404);
    partner.sandbox.advance(499);
    expect(await shown(partner, id)).toBe(404);
    partner.sandbox.advance(1);
    expect(await shown(partner, id)).toBe('offered');
  });

  test('see the state before a change, and the balances before it', async () => {
    const partner = directSandbox({ readLag: 500 });
    const { accountId, userId } = partner.sandbox.fixtures;
    const id = await quoting(partner);
    partner.sandbox.advance(500);
    const before = await balancesOf(partner, accountId);
    expect((await executing(partner, id)).status).toBe(200);
    expect(await shown(partner, id)).toBe('offered');
    expect(await balancesOf(partner, accountId)).toEqual(before);
    expect((await partner.get(`/v1/users/${userId}`)).status).toBe(200);
    partner.sandbox.advance(500);
    expect(await shown(partner, id)).toBe('executing');
    expect(await balancesOf(partner, accountId)).not.toEqual(before);
  });

  test('writes do not lag: what was made can be used at once, and a name is taken at once', async () => {
    const partner = directSandbox({ readLag: 60_000 });
    expect((await executing(partner, await quoting(partner))).status).toBe(200);
    const address = bodies.address(partner.sandbox.fixtures.methodId, 'mine');
    const saving = () => partner.post(`${partner.account}/funds/withdrawals/addresses`, address);
    expect([(await saving()).status, (await saving()).status]).toEqual([200, 409]);
  });

  test('see writes in their order, each for as long', async () => {
    const partner = directSandbox({ readLag: 800 });
    const first = await quoting(partner);
    partner.sandbox.advance(400);
    const second = await quoting(partner);
    partner.sandbox.advance(400);
    expect([await shown(partner, first), await shown(partner, second)]).toEqual(['offered', 404]);
    partner.sandbox.advance(400);
    expect(await shown(partner, second)).toBe('offered');
  });

  test('never see a write early, and at most an eighth late', async () => {
    const partner = directSandbox({ readLag: 800 });
    const made: [id: string, at: number][] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      const now = partner.sandbox.clock.now();
      made.push([await quoting(partner), now]);
      for (const [id, at] of made.slice(-40)) {
        const state = await shown(partner, id);
        if (now - at < 800) expect(state).toBe(404);
        if (now - at > 900) expect(state).toBe('offered');
      }
      partner.sandbox.advance(37);
    }
  });

  test('a write that is refused hides nothing', async () => {
    const partner = directSandbox({ readLag: 500 });
    const { quoteId } = partner.sandbox.fixtures;
    expect((await executing(partner, 'no-quote')).status).toBe(404);
    partner.sandbox.quotes.fail(quoteId);
    partner.sandbox.accounts.deposit(partner.sandbox.fixtures.accountId, { symbol: 'USD', amount: '1' });
    const before = await balancesOf(directSandbox(), partner.sandbox.fixtures.accountId);
    expect(await balancesOf(partner, partner.sandbox.fixtures.accountId)).not.toEqual(before);
  });

  test('do not lag in a sandbox that goes on from a snapshot: it has the state', async () => {
    const partner = directSandbox({ readLag: 500 });
    const id = await quoting(partner);
    const snapshot = partner.sandbox.snapshot();
    expect(JSON.stringify(snapshot)).toContain(id);
    expect(createSandbox({ readLag: 500, snapshot }).snapshot()['accounts']).toEqual(snapshot['accounts']);
  });

  test.each([[-1], ['5'], [Number.NaN], [2 ** 31]])('%j is no time', (readLag) => {
    expect(() => createSandbox({ readLag: readLag as never })).toThrow(
      'createSandbox: readLag must be milliseconds from 0 to 2147483647',
    );
  });
});

describe('execution times', () => {
  test('a quote is executing for as long', async () => {
    const partner = directSandbox({ executionTimes: { 'quote.finish': 60_000 } });
    const id = await quoting(partner);
    await executing(partner, id);
    partner.sandbox.advance(59_999);
    expect(await shown(partner, id)).toBe('executing');
    partner.sandbox.advance(1);
    expect(await shown(partner, id)).toBe('executed');
  });

  test('0 is over with the next request; others keep their time', async () => {
    const partner = directSandbox({ executionTimes: { 'quote.finish': 0 } });
    const id = await quoting(partner);
    await executing(partner, id);
    expect(await shown(partner, id)).toBe('executed');
    await partner.call(whitelisting(partner));
    expect(partner.sandbox.wallets.list().at(-1)?.status).toBe('pending');
    partner.sandbox.advance(5_000);
    expect(partner.sandbox.wallets.list().at(-1)?.status).toBe('approved');
  });

  test('what is planned keeps its time in a snapshot; what is planned later has the new one', async () => {
    const partner = directSandbox({ executionTimes: { 'wallet.screen': 60_000 } });
    await partner.call(whitelisting(partner));
    const restored = createSandbox({ snapshot: partner.sandbox.snapshot() });
    restored.advance(59_999);
    expect(restored.wallets.list().at(-1)?.status).toBe('pending');
    restored.advance(1);
    expect(restored.wallets.list().at(-1)?.status).toBe('approved');
  });

  test.each([
    [{ 'quote.finsh': 1 }, 'executionTimes.quote.finsh is not an option: did you mean quote.finish? Known are'],
    [{ 'quote.finish': -1 }, 'executionTimes.quote.finish must be milliseconds from 0 to'],
    [5, 'executionTimes must be an object'],
    [{ 'limit.restore': 1 }, 'executionTimes.limit.restore is not an option'],
  ])('are not %j', (executionTimes, message) => {
    expect(() => createSandbox({ executionTimes: executionTimes as never })).toThrow(`createSandbox: ${message}`);
  });

  test('are there for every step but those that come again, expire or have a time of their own; the document names all', () => {
    const own = [
      'prices.move',
      'earn.reward',
      'expected_deposit.expire',
      'bank_link.eligible',
      'bank_link.ineligible',
      'limit.restore',
    ];
    const steps = Object.keys(STEPS);
    expect([...EXECUTION_STEPS, ...own].sort()).toEqual(steps.sort());
    const document = readFileSync('docs/sandbox/sandbox-trouble.md', 'utf8');
    for (const name of EXECUTION_STEPS) expect(document).toContain(`\`${name}\``);
  });
});

test('a wrong option of the sandbox names the one that was meant', () => {
  expect(() => createSandbox({ readLog: 5 } as never)).toThrow('did you mean readLag?');
});
