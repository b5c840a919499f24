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
  checkUndici(project);
}

/** A call loads two files of undici, in each version that the package allows. */
function checkUndici(project) {
  const { version, range } = JSON.parse(
    check('the range of undici', process.execPath, ['-p', RANGE], { cwd: project }),
  );
  const versions = [
    JSON.parse(check('npm view undici', 'npm', ['view', `undici@${range}`, 'version', '--json'], { cwd: project })),
  ].flat();
  assert.ok(versions.includes(version), `${version} is not of ${range}`);
  for (const one of versions) {
    check(`npm install undici ${one}`, 'npm', ['install', '--no-save', `undici@${one}`], { cwd: project });
    check(`two files of undici ${one}`, process.execPath, ['-e', LOADED], { cwd: project });
  }
}

const RANGE = `JSON.stringify({ version: require('undici/package.json').version, range: require('partner-sdk/package.json').dependencies.undici })`;

const LOADED = `
const { PartnerClient } = require('partner-sdk');
const server = require('node:http').createServer((request, response) => response.end('{"data":{}}'));
server.listen(0, '127.0.0.1', async () => {
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const client = new PartnerClient({ baseUrl, apiKey: 'k', apiSecret: 'c2VjcmV0' });
  await client.request({ method: 'GET', path: '/v1/things' });
  await client.close();
  server.close();
  const files = Object.keys(require.cache).filter((path) => path.includes('/undici/'));
  if (!files.some((path) => path.endsWith('lib/dispatcher/client.js'))) throw new Error('undici is not loaded: ' + files);
  if (files.some((path) => path.endsWith('undici/index.js'))) throw new Error('all of undici is loaded');
});`;

function namesOf({ dependencies = {} }) {
  return Object.keys(dependencies).sort();
}
