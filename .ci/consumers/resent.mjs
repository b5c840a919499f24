import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import { check } from './project.mjs';
import { withWorker } from './recipes/serve.mjs';
import { DENO_OPTIONS, denoEnvironment, PACKAGES } from './runtimes.mjs';
import { withService } from './service.mjs';
import { bundleForWorkers } from './workers.mjs';

const ROOT = join(import.meta.dirname, '../..');

const SOURCES = join(ROOT, 'test/resent');

/**
 * A runtime may send a request again when its connection breaks. In each, with the default transport and with
 * `fetchTransport()`, no write is doubled, every outcome is true and reads succeed. The methods that a runtime may send
 * again are those that the documents name.
 */
export async function checkResent({ project, runtimes, workerd }) {
  await bundlePrograms(project);
  const installed = (path) => join(runtimes, 'node_modules', path);
  const bun = (version) => [installed(`bun-${version}/bin/bun`), '--no-install'];
  const deno = [installed(`${PACKAGES.deno}/deno`), 'run', ...DENO_OPTIONS];
  for (const [name, transport, resent, command, ...args] of [
    ['Node', 'fetch', 'nothing', process.execPath],
    ['Bun 1.3.12', 'default', 'GET', ...bun('1.3.12')],
    ['Bun 1.4.5', 'default', 'nothing', ...bun('1.4.5')],
    ['Bun 1.4.5', 'fetch', 'GET', ...bun('1.4.5')],
    ['Deno', 'default', 'nothing', ...deno],
    ['Deno', 'fetch', 'GET', ...deno],
  ]) {
    await withLedger(project, (ledger) => {
      const env = { ...ledger, ...denoEnvironment(project), TRANSPORT: transport };
      const title = `${name}, ${transport} transport: what is sent again`;
      const said = check(title, command, [...args, 'resent-program.mjs'], { cwd: project, env });
      assert.equal(said.trim(), resent, title);
    });
  }
  for (const [name, command, ...args] of [
    ['Bun 1.4.5', ...bun('1.4.5')],
    ['Deno', ...deno, '--allow-run=openssl'],
  ]) {
    checkChaos({ name, runtime: command, env: denoEnvironment(project) });
    check(`${name}: the host of a certificate`, command, [...args, 'hosts.mjs'], {
      cwd: project,
      env: denoEnvironment(project),
    });
  }
  const worker = { workerd, folder: project, module: 'resent-worker.bundle.mjs', date: '2025-11-01', flags: [] };
  await withLedger(project, (env) =>
    withWorker({ ...worker, env }, async (url) => {
      assert.equal(await (await fetch(url)).text(), 'DELETE, GET');
      console.log('ok workerd: what is sent again');
    }),
  );
}

/** The workers of the chaos suite, from the sources: what they say is true in this runtime, too. */
function checkChaos({ name, runtime, env }) {
  for (const edge of ['direct', 'resending']) {
    const options = ['--edge', edge, '--phase', 'keys', '--calls', '300', '--runtime', runtime];
    check(`${name}: chaos, ${edge}`, 'npm', ['run', 'chaos', '--', ...options], { cwd: ROOT, env });
  }
}

const withLedger = (project, use) => withService(project, use, 'resent-ledger.mjs');

/** The programs use the installed package, and the worker has it in its bundle. */
async function bundlePrograms(project) {
  await build({
    bundle: true,
    format: 'esm',
    logLevel: 'error',
    absWorkingDir: SOURCES,
    outdir: project,
    entryPoints: {
      'resent-program': 'program.ts',
      'resent-worker': 'worker.ts',
      'resent-ledger': 'ledger-program.ts',
      hosts: 'hosts.ts',
    },
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    external: ['partner-sdk'],
    // The paths in tsconfig.json lead to the sources of the package.
    tsconfigRaw: {},
  });
  await bundleForWorkers(project, 'resent-worker');
}
