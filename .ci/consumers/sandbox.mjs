import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from './project.mjs';

const ROOT = join(import.meta.dirname, '../..');
const MINUTES = 60_000;

/** Where partners run their tests; Vitest itself needs a newer Node than the oldest that the package supports. */
const TESTED_NODES = /in use$|^Node 24$/;

/** The packaged sandbox stays small, and a partner's tests run on it behind MSW. `nodes`: name and program of each Node. */
export function checkSandbox({ project, tarball, directory, nodes }) {
  const output = check('100,000 requests', process.execPath, ['--expose-gc', 'sandbox-memory.mjs'], {
    cwd: project,
    timeout: 10 * MINUTES,
  });
  console.log(`  ${output.trim()}`);

  const partner = createProject(directory, [tarball, ...['msw', 'vitest'].map(asWeUseIt)]);
  cpSync(join(ROOT, 'examples/msw'), join(partner, 'msw'), { recursive: true });
  for (const [name, program] of nodes.filter(([name]) => TESTED_NODES.test(name))) {
    check(`MSW on ${name}`, program, ['node_modules/vitest/vitest.mjs', 'run', 'msw'], {
      cwd: partner,
      timeout: 2 * MINUTES,
    });
  }
}

/** The version that the package itself is tested with. */
function asWeUseIt(name) {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return `${name}@${devDependencies[name]}`;
}
