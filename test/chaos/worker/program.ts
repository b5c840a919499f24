import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** How a worker is started. */
export interface WorkerProgram {
  readonly file: string;
  readonly execPath: string;
  readonly execArgv: readonly string[];
}

const SOURCE = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Below `node_modules`, so that it finds the packages. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/chaos/', import.meta.url));

/** Options of each runtime, by a part of the name of its executable. */
const RUNTIMES: readonly (readonly [name: string, execArgv: readonly string[]])[] = [
  ['bun', ['--no-install']],
  ['deno', ['run', '--allow-all', '--no-prompt', '--no-remote', '--node-modules-dir=manual']],
];

/** As in the package that is built: Bun replaces the package undici, but not its files. */
const filesOfUndici: Plugin = {
  name: 'files-of-undici',
  setup({ onResolve }) {
    const path = fileURLToPath(new URL('../../../src/transport/http1/undici-parts.node.ts', import.meta.url));
    onResolve({ filter: /\/undici-parts\.js$/, namespace: 'file' }, ({ kind }) =>
      kind === 'import-statement' ? { path } : undefined,
    );
  },
};

/** The worker for Node, or for the executable of another runtime, for which it is made one file of JavaScript. */
export async function workerProgram(runtime: string | undefined): Promise<WorkerProgram> {
  if (runtime === undefined) {
    return { file: SOURCE, execPath: process.execPath, execArgv: ['--import', 'tsx'] };
  }
  const [, execArgv = []] = RUNTIMES.find(([name]) => basename(runtime).includes(name)) ?? [];
  await mkdir(FOLDER, { recursive: true });
  const file = `${FOLDER}worker.cjs`;
  await build({
    entryPoints: [SOURCE],
    outfile: file,
    bundle: true,
    logLevel: 'error',
    format: 'cjs',
    platform: 'node',
    packages: 'external',
    plugins: [filesOfUndici],
  });
  return { file, execPath: runtime, execArgv };
}
