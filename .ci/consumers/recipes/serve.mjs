import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/support/free-port.ts';

const MAX_START_MS = 180_000;
/** Nothing keeps an application alive after its signal: no idle connection, no timer. */
const MAX_END_MS = 5_000;

/** Lets `use` run with the URL of an application: a program of Node. Gives what the application printed. */
export async function withApplication({ cwd, start, env }, use) {
  const port = await freePort();
  const variables = {
    ...process.env,
    ...env,
    PORT: String(port),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  };
  const child = spawn(process.execPath, start, { cwd, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const exited = once(child, 'exit');
  try {
    const url = `http://127.0.0.1:${port}`;
    await answers(url, child);
    await use(url);
    child.kill('SIGTERM');
    const timeout = sleep(MAX_END_MS, 'alive', { ref: false });
    const ending = await Promise.race([exited, timeout]);
    assert.notEqual(ending, 'alive', `still alive ${MAX_END_MS} ms after SIGTERM`);
    const [code, signal] = ending;
    assert.ok(code === 0 || code === 143 || signal === 'SIGTERM', `ended with ${code ?? signal}`);
  } catch (error) {
    console.error(printed, complaints);
    throw error;
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return printed;
}

/** Waits until the application takes connections. */
async function answers(url, child) {
  const end = Date.now() + MAX_START_MS;
  while (Date.now() < end && child.exitCode === null) {
    try {
      await (await fetch(url)).text();
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error('the application did not start');
}

/** Lets `use` run with the URL of `<folder>/<module>` in Cloudflare's runtime, with `env` as its bindings. */
export async function withWorker({ workerd, folder, module, env, date, flags }, use) {
  const config = join(folder, 'worker.capnp');
  writeFileSync(config, configOf({ module, env, date, flags }));
  const child = spawn(workerd, ['serve', '--control-fd=1', config], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(MAX_START_MS) });
    await use(`http://127.0.0.1:${JSON.parse(line).port}`);
  } finally {
    child.kill();
    await exited;
  }
}

function configOf({ module, env, date, flags }) {
  const text = (value) => JSON.stringify(value);
  const bindings = Object.entries(env).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed ${text(module)})],
  compatibilityDate = ${text(date)},
  compatibilityFlags = ${text(flags)},
  bindings = [${bindings.join(', ')}],
);
`;
}
