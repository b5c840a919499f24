/**
 * `npm run chaos`: whatever breaks, no effect is doubled or lost, and what a call says is true: direct, behind an edge
 * that takes a connection's requests in turn, behind one that also sends requests again, and over HTTP/2. The seed decides what is called and what breaks where;
 * the clock decides what meets what, so that two runs of a seed are alike, not the same.
 */
import { Leftovers } from './judge/leftovers.js';
import { failuresOf, tableOf, volumeOf } from './judge/report.js';
import { type RunOptions, readOptions, USAGE } from './options.js';
import { labelOf } from './plan/phases.js';
import { type PhaseResult, runPhase } from './run.js';
import { workerProgram } from './worker/program.js';

/** So many phases at a time: they wait more than they compute. */
const AT_A_TIME = 3;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: RunOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  console.log(`seed ${options.seed}`);
  const leftovers = new Leftovers();
  const results = await runAll(options);
  // Other people's timers among them: those of Redis clients.
  const left = await leftovers.afterWaiting(10_000);
  console.log(`\n${tableOf(results)}`);
  if (left.length > 0) console.log(`\nleft over here, after all phases: ${left.join(', ')}`);
  const failed = results.filter(({ findings }) => findings.length > 0).map(({ phase }) => options.commandFor(phase));
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`);
  if (failed.length > 0 || left.length > 0) return 1;
  console.log('\nNothing doubled, lost, refused, wrong or left over.');
  return 0;
}

async function runAll({ seed, phases, sabotage, runtime, commandFor }: RunOptions): Promise<PhaseResult[]> {
  const program = await workerProgram(runtime);
  const results = new Map<string, PhaseResult>();
  const waiting = phases.values();
  const runOneByOne = async () => {
    for (const phase of waiting) {
      const result = await runPhase(phase, { seed, sabotage, program });
      results.set(labelOf(phase), result);
      console.log(`\n${volumeOf(result)}`);
      if (result.findings.length > 0) console.log(`\n${failuresOf(result, commandFor(phase))}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runOneByOne));
  return phases.flatMap((phase) => results.get(labelOf(phase)) ?? []);
}
