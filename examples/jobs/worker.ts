/**
 * Takes payouts from a queue and makes them, each exactly once, until SIGTERM asks it to stop. The
 * queue is a directory here; put your own in the place of `queue.ts`. Let one worker run for it.
 *
 *     node --import tsx examples/jobs/worker.ts ./payouts
 *
 * Don't start it with `npx tsx`: npx keeps SIGTERM to itself, ends, and leaves the worker running.
 *
 * A payout is a file `./payouts/inbox/<id>.json`, whose id never stands for another payout. `key` is
 * the name of a saved withdrawal address:
 *
 *     {"asset_symbol": "BTC", "key": "customer 17", "amount": "0.015"}
 *
 * Set PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET and PARTNER_ACCOUNT_ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient } from 'partner-sdk';
import { pay } from './pay.js';
import { Queue } from './queue.js';

/** Time for calls that are running when SIGTERM comes. Kubernetes kills the process after 30 s. */
const GRACE_MS = 20_000;

/** Number of payouts in progress at once, and the time between two looks into an empty queue. */
const AT_ONCE = 8;
const IDLE_MS = 500;

async function main(): Promise<void> {
  const [directory] = process.argv.slice(2);
  const { PARTNER_ACCOUNT_ID: accountId } = process.env;
  if (directory === undefined || !accountId) throw new Error('usage: PARTNER_ACCOUNT_ID=… worker.ts <directory>');
  const queue = await Queue.open(directory);
  const client = new PartnerClient();

  const stop = new AbortController(); // take no further payout
  const abort = new AbortController(); // end the calls that still run
  const shutDown = (signal: string) => {
    console.log(`${signal}: finishing the payouts in progress`);
    stop.abort();
    setTimeout(() => abort.abort(new Error('the grace period is over')), GRACE_MS).unref();
  };
  process.once('SIGTERM', shutDown);
  process.once('SIGINT', shutDown);

  const work = async () => {
    while (!stop.signal.aborted) {
      const job = await queue.take();
      if (job === undefined) await sleep(IDLE_MS, undefined, { signal: stop.signal }).catch(() => {});
      else await pay({ client, accountId, queue, signal: abort.signal }, job);
    }
  };
  // If one of them fails, for example because the disk is full, the others stop as well.
  const workers = Array.from({ length: AT_ONCE }, () => work().finally(() => stop.abort()));
  const ends = await Promise.allSettled(workers); // first the jobs, which may still need the client
  await client.close(); // then the client
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  console.log(`stopped: ${(await queue.left()).length} payouts are left for the next start`);
}

await main();
