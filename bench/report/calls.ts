import type { Cell } from '../calls/cells.js';
import type { CellSummary } from '../calls/summary.js';
import { FLOOR } from '../clients.js';
import type { Results } from './results.js';
import { figure, table } from './table.js';

/** CPU and rate of every client in every cell. */
export function callsTable({ cells, calls }: Results): string {
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
  };
  return table([floorRow, ...[...calls].map(([client, cells]) => cellRow(client, cells.get(cell.name)))]);
}

function cellRow(client: string, summary: CellSummary | undefined): Record<string, string> {
  const { sample, cpu, rate, p99 } = summary ?? {};
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
  };
}

const percent = (share: number | undefined) => `${figure(share === undefined ? undefined : share * 100)} %`;
