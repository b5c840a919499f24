import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asWeUseIt, check, createProject } from './project.mjs';

const ROOT = join(import.meta.dirname, '../..');
const MINUTES = 60_000;

/** Vitest needs a newer Node than the oldest that the package supports. */
const TESTED_NODES = /in use$|^Node 24$/;

/** The packages that the examples and their tests use: MSW, servers that receive webhooks, addresses with checksums. */
const PARTNERS_OWN = ['vitest', 'msw', 'express', 'fastify', 'hono', '@hono/node-server', 'tsx', '@scure/base'];

/**
 * The packaged sandbox stays small, and the examples work with it in a partner's project. `nodes`: name and program of
 * each Node.
 */
export function checkSandbox({ project, tarball, directory, nodes }) {
  checkFirstProgram(project, nodes);
  const output = check('100,000 requests', process.execPath, ['--expose-gc', 'sandbox-memory.mjs'], {
    cwd: project,
    timeout: 10 * MINUTES,
  });
  console.log(`  ${output.trim()}`);

  const partner = createProject(directory, [tarball, ...PARTNERS_OWN.map(asWeUseIt)]);
  // As README says it: from the package, not from the copy that follows.
  const quickstart = join(partner, 'node_modules/partner-sdk/examples/quickstart.ts');
  check('quickstart of the package', process.execPath, ['--import', 'tsx', quickstart], { cwd: partner });
  const sources = [
    'examples',
    'test/examples',
    'test/support/random.ts',
    'src/sandbox/core/basics/random.ts',
    'test/sandbox/support/addresses.ts',
  ];
  for (const path of sources) cpSync(join(ROOT, path), join(partner, path), { recursive: true });
  const run = (name, program, ...tests) =>
    check(name, program, ['node_modules/vitest/vitest.mjs', 'run', ...tests], { cwd: partner, timeout: 4 * MINUTES });
  for (const [name, program] of nodes.filter(([name]) => TESTED_NODES.test(name))) {
    run(`examples on ${name}`, program, 'msw', 'webhooks');
  }
  // Once: it starts the program anew for each time that it is killed.
  run('the program that is killed', process.execPath, 'crash-safe', '--testNamePattern', 'seed 1$');
}

/** README's complete program, pasted as it says, prints what it says. */
function checkFirstProgram(project, nodes) {
  const readme = readFileSync(join(project, 'node_modules/partner-sdk/README.md'), 'utf8');
  const [, code, printed] = /^```ts\n((?:(?!```).)*?createSandbox.*?)^```\n\s*^```text\n(.*?)^```/ms.exec(readme) ?? [];
  if (code === undefined) throw new Error('README has no complete program');
  writeFileSync(join(project, 'first.mjs'), code);
  for (const [name, program] of nodes) {
    const output = check(`README's program on ${name}`, program, ['first.mjs'], { cwd: project });
    if (output !== printed) throw new Error(`README's program on ${name} prints ${JSON.stringify(output)}`);
  }
}
