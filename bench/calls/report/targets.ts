import { figure, table } from '../../figures.js';
import { CELLS } from '../cells.js';
import { OURS, PEERS } from '../clients.js';
import type { Results } from './report.js';

/** A figure, and what it should be: targets are shown, and never fail a run. */
interface Target {
  readonly what: string;
  readonly value: number | undefined;
  readonly goal: { readonly atMost: number } | { readonly atLeast: number };
}

/** Those that this run can tell about. */
export function targetsTable(results: Results): string {
  const targets = [...floorTargets(results), ...gapsTargets(results), ...peerTargets(results)];
  const rows = targets.filter(({ value }) => value !== undefined).map(rowOf);
  return rows.length === 0 ? '' : table(rows);
}

function rowOf({ what, value = Number.NaN, goal }: Target): Record<string, string> {
  const isMet = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
  return {
    target: what,
    goal: 'atMost' in goal ? `≤ ${goal.atMost.toFixed(2)}` : `≥ ${goal.atLeast.toFixed(2)}`,
    figure: figure(value, 2),
    '': isMet ? 'met' : 'MISSED',
  };
}

function floorTargets({ calls }: Results): Target[] {
  const ours = calls.get(OURS.name);
  const cpu = (cell: string, atMost: number): Target[] =>
    [cell, `young:${cell}`].map((name) => ({
      what: `CPU per call to the floor: ${titleOf(name)}`,
      value: ours?.get(name)?.cpu.median,
      goal: { atMost },
    }));
  return [
    ...cpu('quote:64', 0.8),
    ...cpu('write:64', 0.85),
    ...cpu('page:64', 1.25),
    ...cpu('quote:1', 0.9),
    {
      what: `rate to the floor: ${titleOf('quote:64')}`,
      value: ours?.get('quote:64')?.rate.median,
      goal: { atLeast: 1.2 },
    },
    { what: `p99 to the floor: ${titleOf('quote:1')}`, value: ours?.get('quote:1')?.p99.median, goal: { atMost: 1.3 } },
  ];
}

/** What is missing may cost as much again, and not the 20 times of a page that is read strictly first. */
function gapsTargets({ calls }: Results): Target[] {
  return ['64', '1'].map((inFlight) => ({
    what: `CPU per call to a whole page: ${titleOf(`gaps:${inFlight}`)}`,
    value: cpuOf(calls, OURS.name, `gaps:${inFlight}`) / cpuOf(calls, OURS.name, `page:${inFlight}`) || undefined,
    goal: { atMost: 2 },
  }));
}

/** Less CPU than each peer in every cell. */
function peerTargets({ calls, cells }: Results): Target[] {
  return PEERS.map(({ name: peer }) => {
    const [worst] = cells
      .map(({ name }) => ({ name, ratio: cpuOf(calls, OURS.name, name) / cpuOf(calls, peer, name) }))
      .filter(({ ratio }) => !Number.isNaN(ratio))
      .sort((a, b) => b.ratio - a.ratio);
    const what = `CPU per call to ${peer}, at worst: ${titleOf(worst?.name ?? '')}`;
    return { what, value: worst?.ratio, goal: { atMost: 1 } };
  });
}

function cpuOf(calls: Results['calls'], client: string, cell: string): number {
  return calls.get(client)?.get(cell)?.cpu.median ?? Number.NaN;
}

function titleOf(name: string): string {
  const cell = CELLS.find((one) => one.name === name);
  return cell === undefined ? name : `${cell.title}${cell.age === 'young' ? ', young' : ''}`;
}
