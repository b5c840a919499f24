/** Many processes that use one API key without coordination: `npm run bench:shared-key -- [--short]`. See bench/README.md. */

import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { Fleet, type Plan, type Run, sumOf } from '../../test/calls/support/shared-key-fleet.js';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    processes: { type: 'string', default: '48' },
    runs: { type: 'string' },
    behind: { type: 'string', default: '0,20,200' },
    calls: { type: 'string', default: '1,20' },
    alone: { type: 'boolean', default: false },
  },
});
const processes = Number(values.processes);
const runs = Number(values.runs ?? (values.short ? 2 : 20));
const KINDS = ['read', 'keyed write', 'unkeyed write'] as const;

const folder = await mkdtemp(join('.cache', 'shared-key-'));
const program = join(folder, 'caller.mjs');
await build({
  entryPoints: ['test/calls/support/shared-key-caller.ts'],
  outfile: program,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'error',
});

console.log(
  `${processes} processes, one API key, ${runs} runs, Node ${process.versions.node}, ${availableParallelism()} cores\n`,
);
console.log('| clocks | calls | kind | calls that succeed | failed | written | requests per call | slowest call |');
console.log('|---|---|---|---|---|---|---|---|');
try {
  for (const behind of values.behind.split(',').map(Number)) {
    await using fleet = await Fleet.start(program, { processes, behind });
    for (const calls of values.calls.split(',').map(Number)) {
      for (const atOnce of calls === 1 ? [true] : [true, false]) {
        for (const kind of KINDS) {
          const done: Run[] = [];
          for (let run = 0; run < runs; run++) {
            done.push(await fleet.run({ kind, calls, atOnce }, { keyIsShared: !values.alone }));
          }
          print(behind, { kind, calls, atOnce }, done);
        }
      }
    }
  }
} finally {
  await rm(folder, { recursive: true });
}

function print(behind: number, { kind, calls, atOnce }: Plan, done: readonly Run[]): void {
  const { succeeded, failed, requests, slowest } = sumOf(done);
  const applied = done.reduce((sum, run) => sum + run.applied, 0);
  const all = processes * calls * runs;
  const ends = Object.entries(failed).map(([what, count]) => `${count} × ${what}`);
  const verdict =
    kind === 'read' ? '–' : applied === succeeded ? `${applied}: each once` : `${applied} OF ${succeeded}`;
  console.log(
    `| ${behind === 0 ? 'equal' : `half ${behind} ms behind`} | ${calls}${calls === 1 ? '' : atOnce ? ' at once' : ' in turn'} | ${kind} | ` +
      `${succeeded} of ${all} | ${ends.join(', ') || '–'} | ${verdict} | ${(requests / all).toFixed(2)} | ${slowest.toFixed(0)} ms |`,
  );
}
