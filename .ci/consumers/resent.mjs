import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import { check, createProject } from './project.mjs';
import { withWorker } from './recipes/serve.mjs';
import { DENO_OPTIONS, denoEnvironment, PACKAGES } from './runtimes.mjs';
import { withService } from './service.mjs';

/** 1.3.12 sends every request again whose connection breaks, 1.4.5 no POST. */
const BUNS = ['1.3.12', '1.4.5'];

const SOURCES = join(import.meta.dirname, '../../test/resent');

/**
 * A runtime may send a request again when its connection breaks. In each, with the default transport and with
 * `fetchTransport()`, no write is doubled, every outcome is true, and reads succeed.
 */
export async function checkResent({ project, runtimes, directory, workerd }) {
  createProject(
    directory,
    BUNS.map((version) => `bun-${version}@npm:${PACKAGES.bun}@${version}`),
  );
  // `tsconfigRaw` for the paths of this repository, which lead to the sources: this is about the installed package.
  const common = { bundle: true, format: 'esm', external: ['partner-sdk'], tsconfigRaw: {}, logLevel: 'error' };
  await build({
    ...common,
    entryPoints: { 'resent-program': 'program.ts', 'resent-worker': 'worker.ts', ledger: 'ledger-program.ts' },
    absWorkingDir: SOURCES,
    outdir: project,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
  });
  const deno = join(runtimes, 'node_modules', PACKAGES.deno, 'deno');
  const commands = [
    ['Node', process.execPath],
    ...BUNS.map((version) => [
      `Bun ${version}`,
      join(directory, `node_modules/bun-${version}/bin/bun`),
      '--no-install',
    ]),
    ['Deno', deno, 'run', ...DENO_OPTIONS],
  ];
  for (const [name, command, ...args] of commands) {
    for (const transport of ['default', 'fetch']) {
      await withService(
        project,
        (env) => {
          const said = check(`${name}, ${transport}: nothing is sent again`, command, [...args, 'resent-program.mjs'], {
            cwd: project,
            env: { ...env, ...denoEnvironment(project), TRANSPORT: transport },
          });
          assert.equal(said.trim(), 'nothing', `${name}, ${transport}`);
        },
        'ledger.mjs',
      );
    }
  }
  await build({
    ...common,
    external: [],
    entryPoints: [join(project, 'resent-worker.mjs')],
    outfile: join(project, 'resent-worker.bundle.mjs'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd'],
  });
  await withService(
    project,
    (env) =>
      withWorker(
        { workerd, folder: project, module: 'resent-worker.bundle.mjs', env, date: '2025-11-01', flags: [] },
        async (url) => {
          const said = await (await fetch(url)).text();
          assert.equal(said, 'nothing', 'workerd');
          console.log(`ok workerd: nothing is sent again`);
        },
      ),
    'ledger.mjs',
  );
}
