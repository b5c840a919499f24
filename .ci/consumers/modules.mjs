import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  for (const name of Object.keys(PARTS)) checkParts(project, name);
  checkInstalledZod(project);
}

/** Of these packages a call loads some files, by their names, and not the whole. */
const PARTS = {
  undici: { file: '/undici/lib/dispatcher/client.js', whole: '/undici/index.js' },
  zod: { file: '/zod/v4/core/compile.cjs', whole: '/zod/v4/core/index.cjs' },
};

/** A call loads the same files of a package in each version that our range allows. */
function checkParts(project, name) {
  const { version, range } = JSON.parse(
    check(`the range of ${name}`, process.execPath, ['-p', rangeOf(name)], { cwd: project }),
  );
  const versions = [
    JSON.parse(check(`npm view ${name}`, 'npm', ['view', `${name}@${range}`, 'version', '--json'], { cwd: project })),
  ].flat();
  assert.ok(versions.includes(version), `${version} is not of ${range}`);
  for (const one of versions) {
    check(`npm install ${name} ${one}`, 'npm', ['install', '--no-save', `${name}@${one}`], { cwd: project });
    const run = check(`the files of ${name} ${one}`, process.execPath, ['parts.cjs', 'commonjs'], { cwd: project });
    const { files } = JSON.parse(run);
    assert.ok(
      files.some((path) => path.endsWith(PARTS[name].file)),
      `${PARTS[name].file} is not loaded`,
    );
    assert.ok(!files.some((path) => path.endsWith(PARTS[name].whole)), `${PARTS[name].whole} is loaded`);
  }
}

const rangeOf = (name) =>
  `JSON.stringify({ version: require('${name}/package.json').version, range: require('partner-sdk/package.json').dependencies['${name}'] })`;

/** The zod that runs is the one that is installed: in ESM, in CJS, and if it has other files. */
function checkInstalledZod(project) {
  const zod = join(project, 'node_modules', 'zod');
  const aside = `${zod}.aside`;
  renameSync(zod, aside);
  try {
    cpSync(aside, zod, { recursive: true });
    const parse = join(zod, 'v4/core/parse.cjs');
    const text = readFileSync(parse, 'utf8');
    const marked = text.replaceAll('return result.issues.length ? ', (found) => `process.emit('zod'); ${found}`);
    assert.notEqual(marked, text);
    writeFileSync(parse, marked);
    for (const type of ['module', 'commonjs']) expectMark(project, type, 'a marked file of zod');
    rmSync(zod, { recursive: true });
    mkdirSync(zod);
    writeFileSync(
      join(zod, 'package.json'),
      JSON.stringify({ name: 'zod', version: '4.99.0', exports: { './mini': './mini.cjs' } }),
    );
    const mini = `const zod = require('${join(aside, 'mini/index.cjs')}');`;
    writeFileSync(join(zod, 'mini.cjs'), `${mini}\n${MARKED}\nmodule.exports = { ...zod, safeParse };`);
    for (const type of ['module', 'commonjs']) expectMark(project, type, 'a zod of other files');
  } finally {
    rmSync(zod, { recursive: true, force: true });
    renameSync(aside, zod);
  }
}

const MARKED = 'const safeParse = (...args) => { process.emit("zod"); return zod.safeParse(...args); };';

function expectMark(project, type, what) {
  const { counted } = JSON.parse(check(`${what}, ${type}`, process.execPath, ['parts.cjs', type], { cwd: project }));
  assert.ok(!counted.includes(0), `${what} is not called for a response: ${counted}`);
}

function namesOf({ dependencies = {} }) {
  return Object.keys(dependencies).sort();
}
