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
    check(`the files of ${name} ${one}`, process.execPath, ['-e', loaded(PARTS[name])], { cwd: project });
  }
}

const rangeOf = (name) =>
  `JSON.stringify({ version: require('${name}/package.json').version, range: require('partner-sdk/package.json').dependencies['${name}'] })`;

const loaded = ({ file, whole }) => `
const { NotFoundError, PartnerClient } = require('partner-sdk');
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/v1/users/AAAAAAA-AAAAA-AAAAAA') return response.end('{"data":{"id":"AAAAAAA-AAAAA-AAAAAA"}}');
  response.writeHead(404).end('{"error":{"code":"user_not_found","instance":7}}');
});
server.listen(0, '127.0.0.1', async () => {
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const client = new PartnerClient({ baseUrl, apiKey: 'k', apiSecret: 'c2VjcmV0' });
  for (let use = 0; use < 3; use++) {
    await client.users.get('AAAAAAA-AAAAA-AAAAAA');
    const error = await client.users.get('BBBBBBB-BBBBB-BBBBBB').catch((reason) => reason);
    if (!(error instanceof NotFoundError) || error.instance !== '7') throw error;
  }
  await client.close();
  server.close();
  const files = Object.keys(require.cache);
  if (!files.some((path) => path.endsWith('${file}'))) throw new Error('${file} is not loaded');
  if (files.some((path) => path.endsWith('${whole}'))) throw new Error('${whole} is loaded');
});`;

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
  const load = (name, from) =>
    type === 'module' ? `import { ${name} } from '${from}';` : `const { ${name} } = require('${from}');`;
  const program = `${load('PartnerClient', 'partner-sdk')}
${load('createServer', 'node:http')}
let calls = 0;
process.on('zod', () => calls++);
// Counted from here: what is called for the response.
const server = createServer((request, response) => {
  calls = 0;
  response.end('{"data":{"id":"AAAAAAA-AAAAA-AAAAAA"}}');
});
server.listen(0, '127.0.0.1', async () => {
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const client = new PartnerClient({ baseUrl, apiKey: 'k', apiSecret: 'c2VjcmV0' });
  await client.users.get('AAAAAAA-AAAAA-AAAAAA');
  await client.close();
  server.close();
  if (calls === 0) throw new Error('another zod runs');
});`;
  check(`${what}, ${type}`, process.execPath, [`--input-type=${type}`, '-e', program], { cwd: project });
}

function namesOf({ dependencies = {} }) {
  return Object.keys(dependencies).sort();
}
