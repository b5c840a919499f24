import { callsTable, cellTable } from './calls.js';
import { footprintTable } from './footprint.js';
import type { Results } from './results.js';
import { targetsTable } from './targets.js';

/** The whole text of RESULTS.md. */
export function report(machine: readonly string[], command: string, results: Results): string {
  const { cells, rounds, compile, footprint } = results;
  const sections = [
    '# Results',
    `\`${command}\`, ${rounds} rounds; what the figures mean is in [README.md](README.md).`,
    machine.join('\n'),
    '## Calls: CPU per call / calls per second, as multiples of the floor',
    callsTable(results),
    '## Targets',
    targetsTable(results),
  ];
  if (footprint !== undefined) sections.push('## Memory, start, size', footprintTable(footprint));
  if (compile !== undefined) {
    sections.push(
      '## Compiling',
      `\`tsc\` ${compile.version}: ${compile.empty.toFixed(2)} s for an empty file. As multiples of that: ${compile.zodAlone.toFixed(2)} for one that imports zod, ${compile.everyResource.toFixed(2)} for one that uses every resource of partner-sdk.`,
    );
  }
  for (const cell of cells) sections.push(`## ${cell.title}`, cellTable(cell, results));
  return `${sections.join('\n\n')}\n`;
}
