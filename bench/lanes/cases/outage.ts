import { setTimeout as sleep } from 'node:timers/promises';
import type { Scale } from '../../scenarios.js';
import { Backend, LINK, USUAL } from '../backend.js';
import { round, table, target } from '../figures.js';
import { callOf, freshClient } from '../sdk.js';

const CALLERS = 64;

/** One call, as its caller saw it. */
interface Ended {
  readonly begun: number;
  readonly at: number;
  readonly ok: boolean;
}

/** Every answer is 503 for 30 s, then the service is well again. */
export async function outage({ seconds }: Scale): Promise<void> {
  const backend = await Backend.start({ behaviour: { ...USUAL, status: 503 }, link: LINK });
  const client = await freshClient(backend.url, 'outage');
  const call = callOf(client);
  const ended: Ended[] = [];
  let stopped = false;
  const caller = async () => {
    for (let index = 0; !stopped; index++) {
      const begun = performance.now();
      const ok = await call(index).then(
        () => true,
        () => false,
      );
      ended.push({ begun, at: performance.now(), ok });
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  const mark = async () => ({ calls: ended.length, requests: (await backend.counts('outage')).requests });

  const begun = performance.now();
  const end = begun + seconds(30) * 1000;
  while (client.stats().retryBudget.available > 0 && performance.now() < end) await sleep(5);
  const spentAfter = performance.now() - begun;
  const spent = await mark();
  await sleep(Math.max(0, end - performance.now()));
  const over = await mark();
  await backend.behave(USUAL);
  const well = performance.now();
  await sleep(seconds(5) * 1000);
  stopped = true;
  await callers;
  await client.close();
  await backend.stop();

  const onceSpent = (over.requests - spent.requests) / (over.calls - spent.calls);
  table([
    { '': 'calls', 'until spent': spent.calls, 'once spent': over.calls - spent.calls, total: over.calls },
    {
      '': 'requests',
      'until spent': spent.requests,
      'once spent': over.requests - spent.requests,
      total: over.requests,
    },
    {
      '': 'requests/call',
      'until spent': round(spent.requests / spent.calls, 3),
      'once spent': round(onceSpent, 3),
      total: round(over.requests / over.calls, 3),
    },
  ]);
  console.log(`The budget was spent after ${round(spentAfter)} ms. ${recovery(ended, well)}\n`);
  target(`at most 1.2 requests per call once the budget is spent: ${round(onceSpent, 3)}`, onceSpent <= 1.2);
}

/** How the callers saw the end of the outage. */
function recovery(ended: readonly Ended[], well: number): string {
  const first = ended.find(({ at, ok }) => ok && at >= well);
  const lastFailure = ended.findLast(({ ok }) => !ok);
  const failedNew = ended.filter(({ begun, ok }) => begun >= well && !ok).length;
  const after = (moment: number | undefined) => `${round((moment ?? Number.NaN) - well)} ms`;
  return `After its end: first success after ${after(first?.at)}, last failure after ${after(lastFailure?.at)}, of the calls begun since ${failedNew} failed.`;
}
