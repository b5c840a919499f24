// Holds the CPU time that importing the built package takes against that of its three dependencies, which every
// application that uses them pays anyway. A ratio within one process, and the median of several: a slow or busy machine
// is slow for both.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/**
 * The three take about 110 ms where Node itself starts in 40 ms: this is 20 ms there. Measured are 0.137 to 0.161 with 65
 * operations, nearly all of it V8's reading of the code. The schemas of one list built at
 * import add about 0.03.
 */
const MAX_RATIO = 0.18;
const PROCESSES = 11;

const LOADERS = {
  'index.js': ['--input-type=module', '(name) => import(name)'],
  'index.cjs': ['--input-type=commonjs', '(name) => require(name)'],
};

for (const [entry, [type, load]] of Object.entries(LOADERS)) {
  const ratios = Array.from({ length: PROCESSES }, () => ratioOf(type, program(load, `./dist/${entry}`)));
  const median = ratios.sort((a, b) => a - b)[Math.floor(PROCESSES / 2)];
  console.log(`importing dist/${entry} takes ${median.toFixed(3)} of what its dependencies take, at most ${MAX_RATIO}`);
  assert.ok(
    median <= MAX_RATIO,
    `dist/${entry} does too much when it is imported: ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`,
  );
}

function program(load, entry) {
  return `
    const load = ${load};
    const cpuTime = () => process.cpuUsage().user + process.cpuUsage().system;
    async function main() {
      const begun = cpuTime();
      for (const name of ['undici', 'zod/mini', 'decimal.js']) await load(name);
      const between = cpuTime();
      await load(${JSON.stringify(entry)});
      console.log((cpuTime() - between) / (between - begun));
    }
    main();`;
}

/** In a process of its own, where nothing has been loaded. */
function ratioOf(type, text) {
  return Number(execFileSync(process.execPath, [type, '--eval', text], { encoding: 'utf8' }));
}
