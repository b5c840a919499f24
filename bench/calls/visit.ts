import type { Client } from '../clients.js';
import type { Shape } from '../measured/client.js';
import type { Load, LoadResult } from '../measured/load.js';
import type { WorkerCommand } from '../measured/worker.js';
import { type MeasuredProcess, startWorker } from '../processes.js';
import type { Service } from '../service/service.js';
import type { Cell } from './cells.js';

/** How long calls are made, in milliseconds of CPU time. */
export interface Durations {
  /** Between two looks at whether calls still get cheaper. */
  readonly window: number;
  readonly longestWarmUp: number;
  readonly measure: number;
}

/** One measurement of one cell. */
export interface Sample {
  /** Microseconds of CPU for one call. */
  readonly cpu: number;
  /** Calls in a second. */
  readonly rate: number;
  /** Microseconds. */
  readonly p50: number;
  readonly p99: number;
  /** The share of the time in which the service was busy: at 1 it would be the service that was measured. */
  readonly serviceBusy: number;
}

export type Visit = ReadonlyMap<string, Sample>;

/**
 * Measures all cells in a fresh process, so that client and floor always have the same history: in a process that idles between visits V8
 * drops optimised code and shrinks the heap.
 */
export async function visit(
  client: Client,
  cells: readonly Cell[],
  service: Service,
  times: Durations,
): Promise<Visit> {
  const worker = await startWorker(client, service);
  try {
    const mine = cells.filter(({ shape }) => client.shapes.includes(shape));
    for (const cell of busiest(mine)) await warmUp(worker, cell, times);
    const samples = new Map<string, Sample>();
    for (const cell of mine) {
      await warmUp(worker, cell, times);
      samples.set(cell.name, await measure(worker, cell, service, times.measure));
    }
    return samples;
  } finally {
    await worker.stop();
  }
}

/** What a window must cost of the cheapest before it, or calls get no cheaper. */
const CHEAPER = 0.97;
const WINDOWS_NO_CHEAPER = 5;

/** Makes calls until they get no cheaper: until V8 has compiled what it will. A cell uses code that the others did not. */
async function warmUp(worker: MeasuredProcess, cell: Cell, { window, longestWarmUp }: Durations): Promise<void> {
  let cheapest = Number.POSITIVE_INFINITY;
  let noCheaper = 0;
  for (let spent = 0; spent < longestWarmUp && noCheaper < WINDOWS_NO_CHEAPER; spent += window) {
    const { cpuMicroseconds, calls } = await load(worker, cell, window);
    const cost = cpuMicroseconds / calls;
    noCheaper = cost < cheapest * CHEAPER ? 0 : noCheaper + 1;
    cheapest = Math.min(cheapest, cost);
  }
}

/** Each shape once, with as many calls in flight as it will have. */
function busiest(cells: readonly Cell[]): Cell[] {
  const most = new Map<Shape, Cell>();
  for (const cell of cells) {
    if (cell.inFlight > (most.get(cell.shape)?.inFlight ?? 0)) most.set(cell.shape, cell);
  }
  return [...most.values()];
}

async function measure(
  worker: MeasuredProcess,
  cell: Cell,
  service: Service,
  cpuMilliseconds: number,
): Promise<Sample> {
  const before = await service.counts();
  const result = await load(worker, cell, cpuMilliseconds);
  const after = await service.counts();
  const requests = after.requests - before.requests;
  if (requests !== result.calls) throw new Error(`${cell.name}: ${result.calls} calls, ${requests} requests`);
  return {
    cpu: result.cpuMicroseconds / result.calls,
    rate: (result.calls / result.milliseconds) * 1000,
    p50: result.p50Microseconds,
    p99: result.p99Microseconds,
    serviceBusy: (after.cpuMicroseconds - before.cpuMicroseconds) / 1000 / result.milliseconds,
  };
}

function load(worker: MeasuredProcess, { shape, inFlight }: Cell, cpuMilliseconds: number): Promise<LoadResult> {
  return run(worker, shape, { inFlight, cpuMilliseconds });
}

export function run(worker: MeasuredProcess, shape: Shape, load: Load): Promise<LoadResult> {
  return worker.ask<LoadResult>({ command: 'run', shape, load } satisfies WorkerCommand);
}
