/** Lets calls wait in a lane and looks at the heap. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeapReport } from './cases/waiting.js';
import { callOf, freshClient } from './sdk.js';

const CALLS = 10_000;
const url = JSON.parse(process.argv[2] ?? '') as string;

async function heap(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    await sleep(20);
    global.gc?.();
  }
  return process.memoryUsage().heapUsed;
}

/** Makes the calls, looks, and aborts them all by one signal. */
async function round(count: number): Promise<HeapReport> {
  const controller = new AbortController();
  const client = await freshClient(url, `waiting-${count}`, { timeout: 600_000, attemptTimeout: 600_000 });
  const call = callOf(client, { signal: controller.signal });
  const before = await heap();
  const calls = Array.from({ length: count }, (_, index) => call(index).then(undefined, () => {}));
  const during = await heap();
  controller.abort();
  await Promise.all(calls);
  calls.length = 0;
  const after = await heap();
  return { perCall: (during - before) / count, left: (after - before) / count };
}

// The first calls of a process also pay for compiled code and caches.
await round(500);
process.send?.(await round(CALLS));
process.exit();
