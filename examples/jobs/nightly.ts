/**
 * Makes the payouts of a day, for a scheduler that starts it every night: one run at a time, within
 * a time limit. However often it is started for a day, it makes each payout once.
 *
 *     node --import tsx examples/jobs/nightly.ts ./payouts 2026-01-15
 *
 * Don't start it with `npx tsx`: npx keeps SIGTERM to itself, ends, and leaves the job running.
 *
 * The payouts are files `./payouts/2026-01-15/inbox/<id>.json`, as for `worker.ts`. Without a day, it
 * takes yesterday, in UTC. Set PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and
 * PARTNER_ACCOUNT_ID.
 *
 * Exit codes: 0 the service has accepted all payouts; 1 start it again for the same day; 2 a person
 * has to look; 75 another run is working.
 */
import { once } from 'node:events';
import { access, readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { PartnerClient } from 'partner-sdk';
import { pay } from './pay.js';
import { Queue } from './queue.js';

/** Time for the whole run. The next one finishes what is left. */
const LIMIT_MS = 30 * 60 * 1_000;

/** A port that no other program of this machine uses. The run that has it is the only one. */
const LOCK_PORT = 47_311;

/** Number of payouts in progress at once. */
const AT_ONCE = 8;

const DAY_MS = 24 * 60 * 60 * 1_000;

async function main(): Promise<number> {
  const [directory, day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)] = process.argv.slice(2);
  const { PARTNER_ACCOUNT_ID: accountId } = process.env;
  if (directory === undefined || !accountId)
    throw new Error('usage: PARTNER_ACCOUNT_ID=… nightly.ts <directory> [day]');
  const lock = await lockPort();
  if (lock === undefined) {
    console.error('another run is working');
    return 75;
  }
  try {
    // Without this folder nobody has exported the day, which is not the same as a day without payouts.
    await access(join(directory, day, 'inbox'));
    const queue = await Queue.open(join(directory, day));
    const elsewhere = await idsOfOtherDays(directory, day);
    const terminated = new AbortController();
    process.once('SIGTERM', () => terminated.abort(new Error('SIGTERM')));
    const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), terminated.signal]);

    await using client = new PartnerClient();
    const work = async () => {
      for (let job = await queue.take(); job !== undefined; job = await queue.take()) {
        if (elsewhere.has(job.id))
          await queue.finish(job, 'unclear', { reason: 'another day has this payout as well' });
        else await pay({ client, accountId, queue, signal }, job);
        if (signal.aborted) return;
      }
    };
    // If one of them fails, for example because the disk is full, the others stop before the lock is given back.
    const stop = (error: unknown) => {
      terminated.abort(error);
      throw error;
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;

    const [left, rejected, unclear] = [await queue.left(), await queue.list('rejected'), await queue.list('unclear')];
    console.log(JSON.stringify({ day, done: (await queue.list('done')).length, left, rejected, unclear }));
    if (left.length > 0) return 1;
    return rejected.length + unclear.length > 0 ? 2 : 0;
  } finally {
    lock.close();
  }
}

/** Payouts of other days that may be made. By the next night, the service may have forgotten their idempotency keys. */
async function idsOfOtherDays(directory: string, day: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const name of await readdir(directory)) {
    if (name === day || !/^\d{4}-\d\d-\d\d$/.test(name)) continue;
    const other = await Queue.open(join(directory, name));
    for (const folder of ['begun', 'done', 'unclear'] as const) for (const id of await other.list(folder)) ids.add(id);
  }
  return ids;
}

/**
 * Takes the lock, or returns undefined if another run has it. The system frees the port when the
 * process ends, however it ends, so no lock is ever left behind.
 */
async function lockPort(): Promise<Server | undefined> {
  const server = createServer().listen(LOCK_PORT, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // A missing variable or folder, or a full disk: another start would not help.
    console.error(error);
    process.exitCode = 2;
  },
);
