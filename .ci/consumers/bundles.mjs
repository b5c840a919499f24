import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, createProject } from './project.mjs';
import { withService } from './service.mjs';

const BUNDLERS = ['esbuild', 'rollup', 'rolldown', 'webpack'];
const TOOLS = [
  'esbuild',
  'rollup@4',
  '@rollup/plugin-node-resolve',
  '@rollup/plugin-commonjs',
  'rolldown@1',
  'webpack@5',
];
const FORMATS = { esm: 'mjs', cjs: 'cjs' };

/**
 * The acceptance program runs from the one file that each bundler makes of it, as an ES module and as CommonJS, where
 * nothing is installed.
 */
export async function checkBundles({ tarball, directory }) {
  const project = createProject(directory, [tarball, ...TOOLS]);
  const elsewhere = mkdtempSync(join(tmpdir(), 'partner-sdk-bundles-'));
  const make = (bundler, format, entry, file) =>
    check(`${bundler}, ${format}`, process.execPath, ['bundle.mjs', bundler, format, join(project, entry), file], {
      cwd: project,
    });
  try {
    cpSync(join(project, 'run-lambda.mjs'), join(elsewhere, 'run-lambda.mjs'));
    for (const bundler of BUNDLERS) {
      for (const [format, extension] of Object.entries(FORMATS)) {
        const file = join(elsewhere, `${bundler}.${extension}`);
        make(bundler, format, 'lambda.mjs', file);
        await withService(project, (env) => {
          const name = `the bundle of ${bundler}, ${format}, ${statSync(file).size} bytes`;
          check(name, process.execPath, ['run-lambda.mjs', file], { cwd: elsewhere, env });
        });
      }
    }
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
}
