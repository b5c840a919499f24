import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { figure, median, quantile, table } from '../figures.js';
import { isPinned } from '../processes.js';
import { revision } from '../project.js';
import type { Cell } from './cells.js';
import type { Contest } from './clients.js';
import type { Figures, Round } from './rounds.js';

/** A row of the tables: what it makes of a round, or of its whole list. */
interface Row {
  readonly name: string;
  readonly textOf: (rounds: readonly Round[]) => string;
}

/** CPU for a call as a multiple of the floor's: the median of all rounds, and what eight of ten lay between. */
export function tableOf(contest: Contest, cells: readonly Cell[], figures: Figures): string {
  const rows = rowsOf(contest);
  return table(
    [...figures].flatMap(([age, byCell]) =>
      rows.map(({ name, textOf }) => ({
        [`Node ${contest.node.version}`]: `${age}: ${name}`,
        ...Object.fromEntries(cells.map((cell) => [cell.title, textOf(byCell.get(cell.name) ?? [])])),
      })),
    ),
  );
}

function rowsOf({ floors: [floor, again], ours, others }: Contest): Row[] {
  const base = (round: Round) => (cpuOf(round, floor.name) + cpuOf(round, again.name)) / 2;
  const [first, ...variants] = ours;
  return [
    { name: `${floor.name}, µs`, textOf: (rounds) => figure(median(rounds.map(base)), 1) },
    ...[...ours, ...others].map(({ name }) => ratioRow(name, (round) => cpuOf(round, name) / base(round))),
    ratioRow(again.name, (round) => cpuOf(round, again.name) / cpuOf(round, floor.name)),
    ...variants.map(({ name }) =>
      ratioRow(`${name} to ${first?.name}`, (round) => cpuOf(round, name) / cpuOf(round, first?.name ?? '')),
    ),
  ];
}

function ratioRow(name: string, ratioOf: (round: Round) => number): Row {
  return {
    name,
    textOf: (rounds) => {
      const ratios = rounds.map(ratioOf).sort((a, b) => a - b);
      const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => figure(quantile(ratios, share), 2));
      return `${middle} (${low}–${high})`;
    },
  };
}

const cpuOf = (round: Round, client: string) => round.get(client) ?? Number.NaN;

/** Where, when and on what a run was made, as lines of Markdown. */
export function machineLines(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cores = isPinned
    ? 'client and service on a core each'
    : 'client and service share the cores (no `taskset`, or one core): ratios are less sharp';
  return [
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${revision()}`,
    `- ${platform()} ${release()}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GB; ${cores}`,
    `- load when it ended: ${loadavg()[0]?.toFixed(2)}, of which the bench is 1`,
  ].join('\n');
}
