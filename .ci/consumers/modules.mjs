import assert from 'node:assert/strict';
import { check } from './project.mjs';

/**
 * The package brings exactly its three dependencies, and works in ESM and in CJS, also when a process loads both
 * copies.
 */
export function checkModules(project) {
  const tree = JSON.parse(check('npm ls --omit=dev', 'npm', ['ls', '--omit=dev', '--all', '--json'], { cwd: project }));
  assert.deepEqual(namesOf(tree), ['partner-sdk']);
  const dependencies = tree.dependencies['partner-sdk'];
  // npm names an optional peer that is not installed, and gives it no version.
  const installed = Object.entries(dependencies.dependencies).filter(([, { version }]) => version !== undefined);
  assert.deepEqual(Object.keys(Object.fromEntries(installed)).sort(), ['decimal.js', 'undici', 'zod']);
  for (const dependency of Object.values(dependencies.dependencies)) assert.deepEqual(namesOf(dependency), []);

  check('ESM', process.execPath, ['esm.mjs'], { cwd: project });
  check('partner-sandbox', 'npx', ['--no-install', 'partner-sandbox', '--version'], { cwd: project });
  check('partner-sdk', 'npx', ['--no-install', 'partner-sdk', '--version'], { cwd: project });
  check('CJS', process.execPath, ['cjs.cjs'], { cwd: project });
}

function namesOf({ dependencies = {} }) {
  return Object.keys(dependencies).sort();
}
