import { type MeasuredProcess, startWorker } from '../processes.js';
import type { Cell } from './cells.js';
import type { Client } from './clients.js';
import type { Shape } from './measured/client.js';
import type { Load, LoadResult } from './measured/load.js';
import type { WorkerCommand } from './measured/worker.js';
import type { Service } from './service/service.js';

/** How long calls are made, in milliseconds of CPU time. */
export interface Durations {
  /** Calls of a young process before those that are measured, and again as many. */
  readonly youngCalls: number;
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
  /** Microseconds of CPU for one of the first calls of a young process, connecting included. NaN in a warm one. */
  readonly first: number;
}

export type Visit = ReadonlyMap<string, Sample>;

/** Measures the warm cells in one fresh process, and each young cell in another. */
export async function visit(
  client: Client,
  cells: readonly Cell[],
  service: Service,
  times: Durations,
): Promise<Visit> {
  const mine = cells.filter(({ shape }) => client.shapes.includes(shape));
  const samples = new Map<string, Sample>();
  for (const cell of mine.filter(({ age }) => age === 'young')) {
    samples.set(cell.name, await visitYoung(client, cell, service, times.youngCalls));
  }
  const warm = mine.filter(({ age }) => age === 'warm');
  if (warm.length === 0) return samples;
  return new Map([...samples, ...(await visitWarm(client, warm, service, times))]);
}

/** The first calls open the connections and are run uncompiled: they are counted apart. */
async function visitYoung(client: Client, cell: Cell, service: Service, calls: number): Promise<Sample> {
  const worker = await startWorker(client, service);
  try {
    const first = await run(worker, cell.shape, { inFlight: cell.inFlight, calls });
    const sample = await measure(worker, cell, service, { calls });
    return { ...sample, first: first.cpuMicroseconds / first.calls };
  } finally {
    await worker.stop();
  }
}

/**
 * Client and floor always have the same history: in a process that idles between visits V8 drops optimised code and
 * shrinks the heap.
 */
async function visitWarm(client: Client, cells: readonly Cell[], service: Service, times: Durations): Promise<Visit> {
  const worker = await startWorker(client, service);
  try {
    for (const cell of busiest(cells)) await warmUp(worker, cell, times);
    const samples = new Map<string, Sample>();
    for (const cell of cells) {
      await warmUp(worker, cell, times);
      samples.set(cell.name, await measure(worker, cell, service, { cpuMilliseconds: times.measure }));
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
    const { cpuMicroseconds, calls } = await load(worker, cell, { cpuMilliseconds: window });
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

async function measure(worker: MeasuredProcess, cell: Cell, service: Service, length: Length): Promise<Sample> {
  const before = await service.counts();
  const result = await load(worker, cell, length);
  const after = await service.counts();
  const requests = after.requests - before.requests;
  if (requests !== result.calls) throw new Error(`${cell.name}: ${result.calls} calls, ${requests} requests`);
  return {
    cpu: result.cpuMicroseconds / result.calls,
    rate: (result.calls / result.milliseconds) * 1000,
    p50: result.p50Microseconds,
    p99: result.p99Microseconds,
    serviceBusy: (after.cpuMicroseconds - before.cpuMicroseconds) / 1000 / result.milliseconds,
    first: Number.NaN,
  };
}

type Length = Omit<Load, 'inFlight'>;

function load(worker: MeasuredProcess, { shape, inFlight }: Cell, length: Length): Promise<LoadResult> {
  return run(worker, shape, { inFlight, ...length });
}

export function run(worker: MeasuredProcess, shape: Shape, load: Load): Promise<LoadResult> {
  return worker.ask<LoadResult>({ command: 'run', shape, load } satisfies WorkerCommand);
}
