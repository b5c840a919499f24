import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createProject } from './project.mjs';
import { withWorker } from './recipes/serve.mjs';
import { runProgram } from './runtimes.mjs';
import { withService } from './service.mjs';

const WORKERD = { x64: '@cloudflare/workerd-linux-64', arm64: '@cloudflare/workerd-linux-arm64' }[process.arch];

/** The date chooses what the runtime does: one before it knew `FinalizationRegistry`, and a new one. */
const WORKERS = [
  { date: '2024-09-01', flags: [] },
  { date: '2025-11-01', flags: [] },
  { date: '2025-11-01', flags: ['nodejs_compat'] },
];

const MAX_RUN_MS = 180_000;

/**
 * The acceptance program runs in Cloudflare's runtime, from a bundle that has nothing of Node. Gives that runtime's
 * program.
 */
export async function checkWorkers({ project, directory }) {
  createProject(directory, [WORKERD]);
  const workerd = join(directory, 'node_modules', WORKERD, 'bin/workerd');
  await bundleForWorkers(project, 'worker');
  for (const worker of WORKERS) await withService(project, (env) => runWorker({ workerd, project, env, ...worker }));
  // What Vercel's functions resolve. Node runs it: it has all that they have.
  const args = ['--conditions=edge-light', 'runtime.mjs'];
  const edge = { name: 'edge-light', transport: 'fetch', command: process.execPath, args, cwd: project };
  await withService(project, (env) => runProgram({ ...edge, env }));
  return workerd;
}

/** Makes `<name>.bundle.mjs` of `<name>.mjs`. For the platform `neutral`, esbuild refuses every module of Node. */
export function bundleForWorkers(project, name) {
  return build({
    bundle: true,
    minify: true,
    format: 'esm',
    logLevel: 'error',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd'],
    absWorkingDir: project,
    entryPoints: [`./${name}.mjs`],
    outfile: `${name}.bundle.mjs`,
  });
}

async function runWorker({ workerd, project, env, date, flags }) {
  const name = `workerd, ${date}${flags.length === 0 ? '' : `, ${flags}`}`;
  await withWorker({ workerd, folder: project, module: 'worker.bundle.mjs', env, date, flags }, async (url) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(MAX_RUN_MS) });
    assert.equal(await response.text(), 'accepted', name);
    console.log(`ok ${name}`);
  });
}
