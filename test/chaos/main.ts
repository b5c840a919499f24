/**
 * `npm run chaos`: whatever breaks, no effect is doubled or lost, and what a call says is true: direct, behind an edge
 * that takes a connection's requests in turn, behind one that also sends requests again, and over HTTP/2; and whatever bytes a service
 * answers. The seed decides what is called and what breaks where; the clock decides what meets what, so that two runs of a seed are
 * alike, not the same.
 */
import { ANSWERS, runAnswers } from './answers/answers.js';
import { failuresOf, type PartResult, tableOf } from './judge/report.js';
import { type RunOptions, readOptions, USAGE } from './options.js';
import { runPhase } from './run.js';
import { workerProgram } from './worker/program.js';

/** So many parts at a time: they wait more than they compute. */
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
  const results = await runAll(options);
  console.log(`\n${tableOf(results)}`);
  const failed = results.filter(({ findings }) => findings.length > 0);
  if (failed.length === 0) console.log('\nNothing doubled, lost, refused, wrong or left over.');
  else console.log(`\nFailed:\n${failed.map(({ repeat }) => `npm run chaos -- ${repeat}`).join('\n')}`);
  return failed.length === 0 ? 0 : 1;
}

async function runAll(options: RunOptions): Promise<PartResult[]> {
  const { seed, phases, answerSeconds, runtime, repeat } = options;
  const program = await workerProgram(runtime);
  const parts = phases.map((phase) => () => runPhase(phase, options, program));
  if (answerSeconds !== undefined) {
    parts.push(() => runAnswers({ seed, seconds: answerSeconds }, repeat({ name: ANSWERS })));
  }
  const results: PartResult[] = [];
  const waiting = parts.entries();
  const runOneByOne = async () => {
    for (const [place, part] of waiting) {
      const began = performance.now();
      const result = await part();
      results[place] = result;
      console.log(`\n${result.volume}\n  ${((performance.now() - began) / 1_000).toFixed(1)} s`);
      if (result.findings.length > 0) console.log(`\n${failuresOf(result)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runOneByOne));
  return results;
}
