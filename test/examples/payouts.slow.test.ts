import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { seeded } from '../support/random.js';
import { type Payouts, paying } from './support/payouts.js';

vi.setConfig({ testTimeout: 10 * 60_000 });

const HOUR = 3_600_000;

/** Answers are on their way when the job dies. */
const troubles = [{ does: { delayMs: [5, 40] } }] as const;

/** Kills the job at random requests, then lets it run until it does not ask to be started again. */
async function survive(payouts: Payouts, seed: number, kills: number): Promise<void> {
  const random = seeded(seed);
  for (let kill = 0; kill < kills; kill += 1) {
    const death = random() < 0.25 ? { after: 300 + random() * 1_500 } : { atRequest: 1 + Math.floor(random() * 25) };
    await payouts.run(death);
    if (random() < 0.3) await payouts.tearBook().catch(() => {});
  }
  for (let run = 0; run < 10; run += 1) {
    const { code, output } = await payouts.run();
    if (code !== 1) return expect(code, output).toBe(0);
  }
  expect.fail(`It is not done: ${payouts.runs.at(-1)?.output}`);
}

describe('payouts, by a job that is killed with SIGKILL at random moments: each is paid once', () => {
  it.each([1, 2])('seed %i', (seed) =>
    paying({ count: 30, sandbox: { troubles } }, async (payouts) => {
      await survive(payouts, seed, 10);
      payouts.expectEachOnce();
    }),
  );

  it('also while the service fails in every way', () =>
    paying({ count: 20, sandbox: { troubles } }, async (payouts) => {
      payouts.sandbox.troubles.add({ does: 'chaos', probability: 0.05 });
      await survive(payouts, 3, 6);
      payouts.expectEachOnce();
    }));
});

it('with random keys payouts are made twice, and the test sees it', () =>
  paying(
    {
      count: 20,
      sandbox: { troubles },
      changes: [["idempotencyKeyFor('payouts', operation, this.#accountId, ...ids)", 'crypto.randomUUID()']],
    },
    async (payouts) => {
      for (const atRequest of [24, 30, 26]) await payouts.run({ atRequest });
      await payouts.run();
      expect(payouts.withdrawals().length).toBeGreaterThan(20);
      expect(() => payouts.expectEachOnce()).toThrow();
    },
  ));

describe('the job', () => {
  it('notes each step before the next, and sends nothing again when all is known', () =>
    paying({ count: 3 }, async (payouts) => {
      expect((await payouts.run()).code).toBe(0);
      const [first, ...lines] = await payouts.readBook();
      expect(first).toEqual({ target: expect.stringContaining(payouts.accountId) });
      expect(lines.filter(({ id }) => id === 'inv-1')).toEqual([
        { id: 'inv-1', payout: payouts.rows[0], begun: expect.any(Number) },
        { id: 'inv-1', ref_id: expect.any(String), total: expect.stringMatching(/^0\.0003\d+$/) },
        { id: 'inv-1', end: 'paid' },
      ]);
      const before = payouts.sandbox.journal.length;
      expect((await payouts.run()).code).toBe(0);
      expect(payouts.sandbox.journal).toHaveLength(before);
      payouts.expectEachOnce();
    }));

  it('settles a payment of unknown outcome in the same run', () =>
    paying({ count: 1 }, async (payouts) => {
      payouts.sandbox.fail({ operation: 'funds.withdrawals.create', fault: 'reset', when: 'after', times: 5 });
      const { code, output } = await payouts.run();
      expect(code, output).toBe(0);
      payouts.expectEachOnce();
    }));

  it('names a payout that is rejected, and one whose withdrawal failed', () =>
    paying({ count: 2, sandbox: { realTime: false } }, async (payouts) => {
      const [, second] = payouts.rows;
      await payouts.write([{ ...payouts.rows[0], amount: '1000000' }, second as object]);
      const running = payouts.run();
      await expect.poll(() => payouts.withdrawals().length, { interval: 5 }).toBe(1);
      payouts.sandbox.withdrawals.fail(payouts.withdrawals()[0]?.ref_id ?? '');
      payouts.sandbox.advance(150);
      const { code, output } = await running;
      expect(code, output).toBe(2);
      expect(output).toMatch(/inv-1 is rejected: BadRequestError/);
      expect(output).toMatch(/inv-2 is failed: the ledger says so/);
    }));

  it.each([403, 404, 405] as const)(
    'keeps every payout open on a %i, which the wrong service or account gets',
    (fault) =>
      paying({ count: 2 }, async (payouts) => {
        payouts.sandbox.fail({ operation: 'funds.withdrawals.create', fault, times: 'always' });
        const { code, output } = await payouts.run();
        expect(code, output).toBe(1);
        expect(output).toContain('2 payouts: {"paid":0,"failed":0,"open":2,"rejected":0,"unclear":0}');
        payouts.sandbox.troubles.clear();
        expect((await payouts.run()).code).toBe(0);
        payouts.expectEachOnce();
      }),
  );

  it('leaves to a person what it may have sent, or has paid, with other contents', () =>
    paying({ count: 2 }, async (payouts) => {
      payouts.sandbox.fail({
        operation: 'funds.withdrawals.create',
        fault: 503,
        when: 'after',
        times: Number.POSITIVE_INFINITY,
      });
      expect((await payouts.run()).code).toBe(1);
      payouts.sandbox.troubles.clear();
      await payouts.write([{ ...payouts.rows[0], amount: '0.0005' }, payouts.rows[1] as object]);
      const { code, output } = await payouts.run();
      expect(code, output).toBe(2);
      expect(output).toContain('inv-1 is unclear: it was sent with other contents');
      await payouts.write([payouts.rows[0] as object, { ...payouts.rows[1], amount: '0.0005' }]);
      const changedAfter = await payouts.run();
      expect(changedAfter.output).toContain('inv-2 is unclear: it was sent with other contents');
      expect(changedAfter.output).toContain('"paid":1,"failed":0,"open":0,"rejected":0,"unclear":1');
      expect(payouts.withdrawals()).toHaveLength(2);
    }));
});

describe('the book', () => {
  it('is lost, or the payout is in the file of another day: it is not paid again when the keys are forgotten', () =>
    paying({ count: 1 }, async (payouts) => {
      expect((await payouts.run()).code).toBe(0);
      await rm(payouts.bookFile);
      payouts.sandbox.advance(25 * HOUR);
      const { code, output } = await payouts.run();
      expect(code, output).toBe(2);
      expect(output).toContain('inv-1 is unclear');
      payouts.expectEachOnce();
    }));

  it('of wrong settings is continued with the right ones, unless something may have been sent', () =>
    paying({ count: 1 }, async (payouts) => {
      const [payout] = payouts.rows;
      await payouts.writeBook([{ target: 'http://wrong' }, { id: 'inv-1', payout, begun: null }]);
      expect((await payouts.run()).code).toBe(0);
      payouts.expectEachOnce();
      await payouts.writeBook([{ target: 'http://wrong' }, { id: 'inv-1', payout, begun: Date.now() }]);
      const { code, output } = await payouts.run();
      expect(code, output).toBe(2);
      expect(output).toContain('is the book of another service or account');
    }));

  it('says that a payout was begun in the future: nobody knows its age, so it is not sent', () =>
    paying({ count: 1 }, async (payouts) => {
      const [payout] = payouts.rows;
      const target = `${await payouts.listen()} ${payouts.accountId}`;
      await payouts.writeBook([{ target }, { id: 'inv-1', payout, begun: Date.now() + HOUR }]);
      const { code, output } = await payouts.run();
      expect(code, output).toBe(2);
      expect(output).toContain('inv-1 is unclear: the clock was wrong when it was sent');
      expect(payouts.sandbox.journal).toHaveLength(0);
    }));

  it('has an address that was corrected before the withdrawal: the save has another key', () =>
    paying({ count: 1 }, async (payouts) => {
      payouts.sandbox.fail({ operation: 'funds.withdrawals.create', fault: 403, times: 'always' });
      expect((await payouts.run()).code).toBe(1);
      await payouts.write([{ ...payouts.rows[0], address: 'bc1q0ht9tyks4vh7p5p904t340cr9nvahy7u3re7zg' }]);
      const { code, output } = await payouts.run();
      expect(code, output).toBe(2);
      const saves = payouts.sandbox.journal.filter(({ operation }) => operation === 'funds.withdrawalAddresses.save');
      expect(new Set(saves.map(({ key }) => key)).size).toBe(2);
    }));
});

describe('the shipped reconciliation explains a day of the job to the last digit, with the totals of the job', () => {
  it.each<[string, (payouts: Payouts) => Promise<unknown>]>([
    ['in one run', async () => {}],
    [
      'after lost responses that are settled',
      async ({ sandbox }) =>
        sandbox.fail({ operation: 'funds.withdrawals.create', fault: 'reset', when: 'after', times: 5 }),
    ],
    ['after runs that were killed', (payouts) => survive(payouts, 4, 4)],
  ])('%s', (_, prepare) =>
    paying({ count: 3, sandbox: { troubles } }, async (payouts) => {
      await prepare(payouts);
      const job = await payouts.run();
      expect(job.code, job.output).toBe(0);
      expect(await payouts.reconcile()).toEqual({ code: 0, output: '' });
    }),
  );
});
