import type { MeasuredProcess } from '../processes.js';
import type { Cell } from './cells.js';
import { type Client, type Contest, clientsOf, startWorker } from './clients.js';
import type { WorkerCommand } from './measured/worker.js';
import type { Service } from './service/service.js';

/** How much is measured. */
export interface Scale {
  /** Of young processes. */
  readonly rounds: number;
  /** A young process is measured from its first call until these. */
  readonly marks: readonly number[];
  /** Of warm processes. */
  readonly warmRounds: number;
  /** Calls of each cell before any is measured. */
  readonly warmUp: number;
  /** Of each client in a cell. */
  readonly turns: number;
  readonly callsOfTurn: number;
}

/** Microseconds of CPU for a call, by client. */
export type Round = ReadonlyMap<string, number>;

/** By the age of the process, then by cell. */
export type Figures = Map<string, Map<string, Round[]>>;

/** A fresh process for each client and cell: V8 still compiles, connections are opened, parts of packages are loaded. */
export async function measureYoung(contest: Contest, cells: readonly Cell[], { rounds, marks }: Scale, into: Figures) {
  for (let round = 0; round < rounds; round++) {
    for (const cell of cells) {
      const spent = new Map<string, readonly number[]>();
      for (const client of inTurn(clientsOf(contest), round)) {
        spent.set(client.name, await visit(client, contest, cell, marks));
      }
      for (const [at, mark] of marks.entries()) {
        add(
          into,
          `first ${mark}`,
          cell,
          new Map([...spent].map(([name, cpu]) => [name, (cpu[at] ?? Number.NaN) / mark])),
        );
      }
    }
    console.error(`Node ${contest.node.version}, young: round ${round + 1} of ${rounds}`);
  }
}

async function visit(client: Client, contest: Contest, cell: Cell, marks: readonly number[]): Promise<number[]> {
  const worker = await startWorker(client, contest);
  try {
    return await load(worker, contest.service, cell, marks);
  } finally {
    await worker.stop();
  }
}

/**
 * A process for each client makes the calls of all cells, and then takes turns with the others in each cell: the machine's
 * speed drifts, and the turns are short enough for all to have the same.
 */
export async function measureWarm(contest: Contest, cells: readonly Cell[], scale: Scale, into: Figures) {
  for (let round = 0; round < scale.warmRounds; round++) {
    const workers: [string, MeasuredProcess][] = [];
    try {
      for (const client of clientsOf(contest)) workers.push([client.name, await startWorker(client, contest)]);
      for (const cell of cells) {
        for (const [, worker] of workers) await load(worker, contest.service, cell, [scale.warmUp]);
      }
      for (const cell of cells) add(into, 'warm', cell, await takeTurns(workers, contest.service, cell, scale));
    } finally {
      for (const [, worker] of workers) await worker.stop();
    }
    console.error(`Node ${contest.node.version}, warm: round ${round + 1} of ${scale.warmRounds}`);
  }
}

/** The first turns go back to the code of this cell, and are not counted. */
const UNCOUNTED = 3;

async function takeTurns(
  workers: readonly [string, MeasuredProcess][],
  service: Service,
  cell: Cell,
  { turns, callsOfTurn }: Scale,
): Promise<Round> {
  const spent = new Map<string, number>();
  for (let turn = -UNCOUNTED; turn < turns; turn++) {
    for (const [name, worker] of inTurn(workers, turn + UNCOUNTED)) {
      const [cpu = Number.NaN] = await load(worker, service, cell, [callsOfTurn]);
      if (turn >= 0) spent.set(name, (spent.get(name) ?? 0) + cpu / callsOfTurn / turns);
    }
  }
  return spent;
}

/** Another one is first each time, and every other time they go backwards. */
function inTurn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? order : order.reverse();
}

/** Makes calls, and sees that the service got each of them once. */
async function load(worker: MeasuredProcess, service: Service, cell: Cell, marks: readonly number[]) {
  const before = await service.counts();
  const { shape, inFlight } = cell;
  const spent = await worker.ask<number[]>({
    command: 'run',
    shape,
    load: { inFlight, marks },
  } satisfies WorkerCommand);
  const requests = (await service.counts()).requests - before.requests;
  if (requests !== marks.at(-1)) throw new Error(`${cell.name}: ${marks.at(-1)} calls, ${requests} requests`);
  return spent;
}

function add(figures: Figures, age: string, { name }: Cell, round: Round): void {
  const cells = figures.get(age) ?? new Map<string, Round[]>();
  figures.set(age, cells.set(name, [...(cells.get(name) ?? []), round]));
}
