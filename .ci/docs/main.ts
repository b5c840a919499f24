/**
 * Walks through the built site in Chromium, and runs the examples of its operation pages: `tsx .ci/docs/main.ts`.
 * Prints a line that begins with `ok` for each check. The first failure ends it.
 */
import { checkExamples } from './examples.js';
import { walk } from './walk.js';

async function check(name: string, run: () => Promise<string>): Promise<void> {
  const began = performance.now();
  console.log(`ok ${name}: ${await run()} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

await check('the examples of the operation pages', checkExamples);
await check('the site in Chromium', walk);
