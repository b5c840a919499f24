import { AGES } from '../calls/cells.js';
import { TLS_CELL, TLS_FLOOR } from '../calls/tls.js';
import type { CompileFigures } from '../compile/compile.js';
import { callsTable, cellTable } from './calls.js';
import { footprintTable } from './footprint.js';
import type { Results } from './results.js';
import { targetsTable } from './targets.js';

/** The whole text of RESULTS.md. */
export function report(machine: readonly string[], command: string, results: Results): string {
  const { cells, rounds, tls, compile, footprint } = results;
  const sections = [
    '# Results',
    `\`${command}\`, ${rounds} rounds; what the figures mean is in [README.md](README.md).`,
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
  if (footprint !== undefined) sections.push('## Memory, start, size', footprintTable(footprint));
  if (compile !== undefined) sections.push('## Compiling', compileText(compile));
  for (const cell of cells) sections.push(`## ${cell.title}, ${cell.age}`, cellTable(cell, results));
  return `${sections.join('\n\n')}\n`;
}

function compileText({ version, empty, zodAlone, everyResource }: CompileFigures): string {
  return [
    `\`tsc\` ${version} takes ${empty.toFixed(2)} s for an empty file.`,
    `As multiples of that: ${zodAlone.toFixed(2)} for a file that imports zod alone,`,
    `${everyResource.toFixed(2)} for one that uses every resource of partner-sdk.`,
  ].join(' ');
}
