import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from 'partner-sdk/sandbox';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.js';
import { type Change, changed, exampleOf, Program } from './support/program.js';

const IDS = ['inv-1', 'inv-2', 'inv-3', 'inv-4', 'inv-5', 'inv-6', 'inv-7', 'inv-8', 'inv-9', 'inv-10'];

const DAY = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);

/** A program of the example with ten payouts in its queue, a directory. `left`: the ids in a folder of the queue. */
async function withJobs(
  name: 'worker' | 'nightly',
  { changes = [], ...sandbox }: SandboxOptions & { changes?: readonly Change[] },
  use: (jobs: Program, left: (folder: string) => Promise<string[]>, queue: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'jobs-'));
  const path = await changed(exampleOf(`jobs/${name}.ts`), join(directory, 'program'), changes);
  const jobs = new Program(path, join(directory, 'queue'), sandbox);
  const queue = join(directory, 'queue', name === 'nightly' ? DAY : '');
  const { withdrawalAddressKey: key } = jobs.sandbox.fixtures;
  await mkdir(join(queue, 'inbox'), { recursive: true });
  for (const [index, id] of IDS.entries()) {
    const payout = { asset_symbol: 'BTC', key, amount: `0.0003${index + 1}` };
    await writeFile(join(queue, 'inbox', `${id}.json`), JSON.stringify(payout));
  }
  const left = async (folder: string) => {
    const names = await readdir(join(queue, folder));
    return names.map((name) => name.replace('.json', '')).sort();
  };
  try {
    await jobs.listen();
    await use(jobs, left, queue);
  } finally {
    await jobs.sandbox.close();
    await rm(directory, { recursive: true });
  }
}

/** How often the service has made each payout, by idempotency key. */
const effects = ({ sandbox }: Program): number[] => {
  const made = sandbox.journal.filter(({ verdict }) => verdict === 'accepted').map(({ key }) => key);
  return [...new Set(made)].map((key) => made.filter((one) => one === key).length);
};

/** The worker would work for ever. */
const STOP_WHEN_IDLE: Change = [
  'if (job === undefined) await',
  'if (job === undefined) break;\n      else if (false) await',
];

describe('a worker that gets SIGTERM', () => {
  it('finishes the payouts in progress, begins no other, and ends with 0', () =>
    withJobs('worker', { troubles: [{ does: { delayMs: [500, 900] } }] }, async (worker, left) => {
      const { code, output } = await worker.run({ atRequest: 4, signal: 'SIGTERM' });
      expect(code, output).toBe(0);
      expect(output).toContain('SIGTERM: finishing the payouts in progress');
      const done = await left('done');
      expect(done.length).toBeGreaterThan(0);
      expect(await left('begun')).toEqual([]);
      expect(await left('inbox')).toHaveLength(IDS.length - done.length);
      expect(done.length).toBeLessThan(IDS.length);
    }));

  it('aborts what does not end in the grace period, and the next start makes each payout once', () =>
    withJobs(
      'worker',
      {
        troubles: [{ does: { delayMs: 60_000 } }],
        changes: [['const GRACE_MS = 20_000;', 'const GRACE_MS = 300;'], STOP_WHEN_IDLE],
      },
      async (worker, left) => {
        const { code, output } = await worker.run({ atRequest: 8, signal: 'SIGTERM' });
        expect(code, output).toBe(0);
        expect(output).toMatch(/inv-\d+: AbortedError/);
        expect(await left('begun')).toHaveLength(8);
        worker.sandbox.troubles.clear();
        const next = await worker.run();
        expect(next.code, next.output).toBe(0);
        expect(await left('done')).toEqual([...IDS].sort());
        expect(effects(worker)).toEqual(IDS.map(() => 1));
      },
    ));

  it('that is killed instead loses nothing either', () =>
    withJobs(
      'worker',
      { troubles: [{ does: { delayMs: [5, 40] } }], changes: [STOP_WHEN_IDLE] },
      async (worker, left) => {
        for (const atRequest of [3, 5]) expect((await worker.run({ atRequest })).code).toBe(null);
        expect((await worker.run()).code).toBe(0);
        expect(await left('done')).toEqual([...IDS].sort());
        expect(effects(worker)).toEqual(IDS.map(() => 1));
      },
    ));

  it('has stored the totals with which the reconciliation explains the day', () =>
    withJobs('worker', { realTime: true, changes: [STOP_WHEN_IDLE] }, async (worker, _, queue) => {
      expect((await worker.run()).code).toBe(0);
      for (let day = 0; day < 2; day += 1) worker.sandbox.advance(86_400_000);
      const day = new Date(worker.sandbox.journal[0]?.at ?? 0).toISOString().slice(0, 10);
      const command = [exampleOf('reconcile.ts'), day, `${queue}.books`, worker.accountId];
      expect(await worker.run({}, [...command, '--totals', join(queue, 'done')])).toEqual({ code: 0, output: '' });
    }));
});

describe('a nightly job', () => {
  const changes = async (): Promise<Change[]> => [['LOCK_PORT = 47_311', `LOCK_PORT = ${await freePort()}`]];

  it('runs once at a time: a second start ends with 75 and sends nothing', async () =>
    withJobs('nightly', { changes: [...(await changes()), ['AT_ONCE = 8', 'AT_ONCE = 1']] }, async (job, left) => {
      job.sandbox.troubles.add({ does: { delayMs: 3_000 } });
      const running = job.run();
      await expect.poll(() => job.sandbox.journal.length).toBeGreaterThan(0);
      expect(await job.run()).toEqual({ code: 75, output: 'another run is working\n' });
      job.sandbox.troubles.clear();
      const first = await running;
      expect(first.code, first.output).toBe(0);
      expect(await left('done')).toEqual([...IDS].sort());
      expect(effects(job)).toEqual(IDS.map(() => 1));
    }));

  it('that was killed, or that its time limit ended, is finished by the next run, and each payout is made once', async () =>
    withJobs('nightly', { changes: [...(await changes()), ['30 * 60 * 1_000', '3_000']] }, async (job, left) => {
      job.sandbox.troubles.add({ does: { delayMs: [5, 40] } });
      expect((await job.run({ atRequest: 4 })).code).toBe(null);
      job.sandbox.troubles.add({ does: { delayMs: 60_000 } });
      const late = await job.run();
      expect(late.code, late.output).toBe(1);
      job.sandbox.troubles.clear();
      const last = await job.run();
      expect(last.code, last.output).toBe(0);
      expect(last.output).toContain(`{"day":"${DAY}","done":10,"left":[],"rejected":[],"unclear":[]}`);
      expect(await left('done')).toEqual([...IDS].sort());
      expect(effects(job)).toEqual(IDS.map(() => 1));
    }));

  it.each([403, 404, 405] as const)(
    'closes no payout on a %i, which the wrong service or account gets',
    async (fault) =>
      withJobs('nightly', { changes: await changes() }, async (job, left) => {
        job.sandbox.fail({ operation: 'funds.withdrawals.create', fault, times: 'always' });
        const wrong = await job.run();
        expect(wrong.code, wrong.output).toBe(1);
        expect([await left('inbox'), await left('begun')]).toEqual([[...IDS].sort(), []]);
        job.sandbox.troubles.clear();
        expect((await job.run()).code).toBe(0);
        expect(effects(job)).toEqual(IDS.map(() => 1));
      }),
  );

  it('leaves to a person a payout that another day has, too', async () =>
    withJobs('nightly', { changes: await changes() }, async (job, left, queue) => {
      const other = join(queue, '../2020-01-01/done');
      await mkdir(other, { recursive: true });
      await writeFile(join(other, 'inv-3.json'), '{}');
      const { code, output } = await job.run();
      expect(code, output).toBe(2);
      expect([await left('unclear'), effects(job).length]).toEqual([['inv-3'], IDS.length - 1]);
    }));

  it('stops before it gives the lock back, if its disk fails', async () =>
    withJobs('nightly', { changes: await changes() }, async (job, _, queue) => {
      await mkdir(join(queue, 'inbox', 'inv-0.json')); // can't be read as a file
      const { code, output } = await job.run();
      expect(code, output).toBe(2);
      expect(output).not.toContain('this client has been closed');
    }));

  it('asks for a person if the service rejects a payout', async () =>
    withJobs('nightly', { changes: await changes() }, async (job, left) => {
      const causes = [{ field: 'key', message: 'does not exist' }];
      job.sandbox.fail({ operation: 'funds.withdrawals.create', fault: 404, causes });
      const { code, output } = await job.run();
      expect(code, output).toBe(2);
      expect(await left('rejected')).toHaveLength(1);
      expect(await left('done')).toHaveLength(IDS.length - 1);
    }));
});
