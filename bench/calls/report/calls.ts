import { figure, table } from '../../figures.js';
import type { Age, Cell } from '../cells.js';
import { FLOOR } from '../clients.js';
import type { CellSummary } from '../summary.js';
import type { Results } from './report.js';

/** CPU and rate of every client in every cell of one age. */
export function callsTable({ cells: all, calls }: Results, age: Age): string {
  const cells = all.filter((cell) => cell.age === age);
  const row = (client: string, textOf: (cell: Cell) => string) => ({
    client,
    ...Object.fromEntries(cells.map((cell) => [cell.title, textOf(cell)])),
  });
  const rows = [...calls].map(([client, summaries]) => row(client, ({ name }) => both(summaries.get(name))));
  return table([row(FLOOR.name, () => '1 / 1'), ...rows]);
}

function both(summary: CellSummary | undefined): string {
  return `${figure(summary?.cpu.median, 2)} / ${figure(summary?.rate.median, 2)}`;
}

/** All figures of one cell. */
export function cellTable(
  cell: Cell,
  { calls, floor }: Pick<Results, 'calls' | 'floor'>,
  floorName = FLOOR.name,
): string {
  const own = floor.get(cell.name);
  const floorRow = {
    client: floorName,
    'CPU µs': figure(own?.cpu, 1),
    'to the floor (p10–p90)': '1',
    'calls/s': figure(own?.rate),
    'to the floor': '1',
    'p50 µs': figure(own?.p50),
    'p99 µs': figure(own?.p99),
    'p99 to the floor': '1',
    'service busy': percent(own?.serviceBusy),
    ...firstCalls(cell, own?.first, '1'),
  };
  return table([floorRow, ...[...calls].map(([client, cells]) => cellRow(client, cell, cells.get(cell.name)))]);
}

function cellRow(client: string, cell: Cell, summary: CellSummary | undefined): Record<string, string> {
  const { sample, cpu, rate, p99, first } = summary ?? {};
  return {
    client,
    'CPU µs': figure(sample?.cpu, 1),
    'to the floor (p10–p90)': `${figure(cpu?.median, 2)} (${figure(cpu?.low, 2)}–${figure(cpu?.high, 2)})`,
    'calls/s': figure(sample?.rate),
    'to the floor': figure(rate?.median, 2),
    'p50 µs': figure(sample?.p50),
    'p99 µs': figure(sample?.p99),
    'p99 to the floor': figure(p99?.median, 2),
    'service busy': percent(sample?.serviceBusy),
    ...firstCalls(cell, sample?.first, figure(first?.median, 2)),
  };
}

function firstCalls({ age }: Cell, microseconds: number | undefined, ratio: string): Record<string, string> {
  return age === 'young' ? { 'first calls µs': figure(microseconds, 1), 'first calls to the floor': ratio } : {};
}

const percent = (share: number | undefined) => `${figure(share === undefined ? undefined : share * 100)} %`;
