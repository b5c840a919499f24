import { readFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { isPinned } from '../../processes.js';
import { revision } from '../../project.js';
import { AGES, type Cell } from '../cells.js';
import type { CallsSummary } from '../summary.js';
import { TLS_CELL, TLS_FLOOR, type TlsFigures } from '../tls.js';
import type { Sample } from '../visit.js';
import { callsTable, cellTable } from './calls.js';
import { targetsTable } from './targets.js';

/** Everything that a run has measured; what it was not told to measure is not there. */
export interface Results {
  readonly cells: readonly Cell[];
  readonly rounds: number;
  readonly calls: CallsSummary;
  /** By cell. */
  readonly floor: ReadonlyMap<string, Sample>;
  readonly tls: TlsFigures | undefined;
}

/** The whole text of RESULTS.md. */
export function report(machine: readonly string[], command: string, results: Results): string {
  const { cells, rounds, tls } = results;
  const sections = [
    '# Results',
    `\`${command}\`, ${rounds} rounds; what the figures mean is in [README.md](../README.md).`,
    machine.join('\n'),
  ];
  if (cells.length > 0) {
    for (const age of AGES.filter((one) => cells.some((cell) => cell.age === one))) {
      const title = `## Calls in ${age} processes: CPU per call / calls per second, as multiples of the floor`;
      sections.push(title, callsTable(results, age));
    }
    sections.push('## Targets', targetsTable(results));
  }
  if (tls !== undefined) sections.push(`## Over TLS: ${TLS_CELL.title}`, cellTable(TLS_CELL, tls, TLS_FLOOR.name));
  for (const cell of cells) sections.push(`## ${cell.title}, ${cell.age}`, cellTable(cell, results));
  return `${sections.join('\n\n')}\n`;
}

/** Where, when and on what a run was made, as lines of Markdown. */
export function machineLines(project: string, installedIn: string | undefined): string[] {
  const manifest = readFileSync(join(project, 'node_modules/partner-sdk/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cores = isPinned
    ? 'client and service on a core each'
    : 'client and service share the cores (no `taskset`, or one core): ratios are less sharp';
  return [
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, partner-sdk ${version} ${installedIn === undefined ? `of ${revision()}` : 'as it was installed'}`,
    `- Node ${process.versions.node}, ${platform()} ${release()}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GB; ${cores}`,
    `- load when it ended: ${loadavg()[0]?.toFixed(2)}, of which the bench is 1`,
  ];
}
