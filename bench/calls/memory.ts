import type { Client } from '../clients.js';
import { median } from '../lanes/figures.js';
import type { WorkerCommand } from '../measured/worker.js';
import { startWorker } from '../processes.js';
import type { Service } from '../service/service.js';
import { run } from './visit.js';

const CALLS = 3_000;
const IN_FLIGHT = 64;

/** By client, the most bytes that a fresh process ever had in memory which read 3,000 pages, 64 at once. */
export async function measurePeakMemory(
  clients: readonly Client[],
  service: Service,
  times: number,
): Promise<ReadonlyMap<string, number>> {
  const peaks = new Map(clients.map(({ name }) => [name, [] as number[]]));
  for (let time = 0; time < times; time++) {
    for (const client of clients) peaks.get(client.name)?.push(await peakMemory(client, service));
  }
  return new Map([...peaks].map(([name, bytes]) => [name, median(bytes)]));
}

async function peakMemory(client: Client, service: Service): Promise<number> {
  const worker = await startWorker(client, service);
  await run(worker, 'page', { calls: CALLS, inFlight: IN_FLIGHT });
  const bytes = await worker.ask<number>({ command: 'peakMemory' } satisfies WorkerCommand);
  await worker.stop();
  return bytes;
}
