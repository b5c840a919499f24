// Holds the CPU time that importing the built package takes against that of its three dependencies in full. The package
// loads only what it uses of them, so it stays below. A ratio of two processes, and the median of several pairs: a slow
// or busy machine is slow for both.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** Measured is 0.27 in both forms. Above 0.6 Node searches the text of `index.cjs` for names: see `tools/build/finish.ts`. */
const MAX_RATIO = 0.4;
const PAIRS = 11;

const LOADERS = {
  'index.js': ['--input-type=module', '(name) => import(name)'],
  'index.cjs': ['--input-type=commonjs', '(name) => require(name)'],
};
const DEPENDENCIES = ['undici', 'zod/mini', 'decimal.js'];

for (const [entry, [type, load]] of Object.entries(LOADERS)) {
  const ratios = Array.from(
    { length: PAIRS },
    () => cpuTime(type, load, [`./dist/${entry}`]) / cpuTime(type, load, DEPENDENCIES),
  );
  const median = ratios.sort((a, b) => a - b)[Math.floor(PAIRS / 2)];
  console.log(`importing dist/${entry} takes ${median.toFixed(3)} of what its dependencies take, at most ${MAX_RATIO}`);
  assert.ok(
    median <= MAX_RATIO,
    `dist/${entry} does too much when it is imported: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`,
  );
}

/** CPU time in µs of loading these, in a process of its own, where nothing has been loaded. */
function cpuTime(type, load, names) {
  const program = `
    const load = ${load};
    const cpuTime = () => process.cpuUsage().user + process.cpuUsage().system;
    async function main() {
      const begun = cpuTime();
      for (const name of ${JSON.stringify(names)}) await load(name);
      console.log(cpuTime() - begun);
    }
    main();`;
  return Number(execFileSync(process.execPath, [type, '--eval', program], { encoding: 'utf8' }));
}
