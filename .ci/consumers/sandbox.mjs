import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from './project.mjs';

const ROOT = join(import.meta.dirname, '../..');
const MINUTES = 60_000;

/** Where partners run their tests; Vitest itself needs a newer Node than the oldest that the package supports. */
const TESTED_NODES = /in use$|^Node 24$/;

/** What the examples use besides the package: a partner's tests behind MSW, and servers that receive webhooks. */
const PARTNERS_OWN = ['vitest', 'msw', 'express', 'fastify', 'hono', '@hono/node-server'];

/** The packaged sandbox stays small, and the examples work with it in a partner's project. `nodes`: name and program of each Node. */
export function checkSandbox({ project, tarball, directory, nodes }) {
  const output = check('100,000 requests', process.execPath, ['--expose-gc', 'sandbox-memory.mjs'], {
    cwd: project,
    timeout: 10 * MINUTES,
  });
  console.log(`  ${output.trim()}`);

  const partner = createProject(directory, [tarball, ...PARTNERS_OWN.map(asWeUseIt)]);
  for (const path of ['examples', 'test/examples']) cpSync(join(ROOT, path), join(partner, path), { recursive: true });
  for (const [name, program] of nodes.filter(([name]) => TESTED_NODES.test(name))) {
    check(`examples on ${name}`, program, ['node_modules/vitest/vitest.mjs', 'run', 'examples'], {
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
