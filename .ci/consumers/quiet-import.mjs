import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './project.mjs';

const PROGRAM = 'quiet-import.cjs';
const FORMS = ['import', 'require'];
const PROGRAMS = { module: "import 'partner-sdk';", commonjs: "require('partner-sdk');" };
const ENTRIES = ['partner-sdk', 'partner-sdk/webhooks', 'partner-sdk/redis', 'partner-sdk/sandbox'];
/** The copies of the package in one process find each other by these, and copies of zod. */
const KNOWN_GLOBALS = /^global: (Symbol\(partner-sdk\.[\w.@-]+\)|__zod_global(Config|Registry))$/;

/** What an import must not do, each as a line of a broken package, and what the program says of it. The first writes. */
const BREACHES = [
  ["require('node:fs').writeFileSync('/dev/null', 'x')", 'file: fs.writeFileSync'],
  ["require('node:fs').readFileSync(__filename)", 'file: fs.readFileSync'],
  ["void require('node:fs/promises').stat(__filename)", 'file: fs/promises.stat'],
  ["require('node:child_process').spawnSync(process.execPath, ['--version'])", 'process: child_process.spawnSync'],
  ["new (require('node:worker_threads').Worker)('', { eval: true }).unref()", 'process: worker_threads.Worker'],
  ["process.emitWarning('old')", 'process: process.emitWarning'],
  ["process.chdir('.')", 'process: process.chdir'],
  ['process.exitCode = 0', 'exitCode: 0'],
  ["process.on('exit', () => {})", 'listener: process.on'],
  ["require('node:events').EventEmitter.prototype.once.call(process, 'SIGTERM', () => {})", 'listener: SIGTERM'],
  ['process.env.PARTNER_BASE_URL', 'environment: PARTNER_BASE_URL'],
  ["'NO_COLOR' in process.env", 'environment: NO_COLOR'],
  ['Object.keys(process.env)', 'environment: its names'],
  ['process.stdout.isTTY', 'stream: process.stdout'],
  ['process.stderr', 'stream: process.stderr'],
  ['process.stdin', 'stream: process.stdin'],
  ["console.error('hello')", 'stream: console.error'],
  ['setTimeout(() => {}, 1)', 'timer: globalThis.setTimeout'],
  ["require('node:timers').setInterval(() => {}, 1).unref()", 'timer: timers.setInterval'],
  ['process.nextTick(() => {})', 'timer: process.nextTick'],
  ["require('node:net').connect(1, '127.0.0.1').on('error', () => {})", 'network: net.connect'],
  ["new (require('node:net').Socket)().on('error', () => {}).connect(1)", 'network: net.Socket.prototype.connect'],
  ["require('node:dns').lookup('localhost', () => {})", 'network: dns.lookup'],
  ["fetch('http://127.0.0.1:1').catch(() => {})", 'network: globalThis.fetch'],
  ["new MessageChannel().port1.on('message', () => {})", 'handle: MessagePort'],
  ['Promise.resolve().then(() => process.stdout)', 'stream: process.stdout'],
  ['globalThis.partner = 1', 'global: partner'],
];
const MAX_RUN_MS = 60_000;
const DIST = 'node_modules/partner-sdk/dist';
/** The first file that each entry runs, and the one that is an ES module. */
const FIRST_FILE = 'supported-node.cjs';
const ES_MODULE = 'index.js';
const ES_BREACH = ["import { existsSync } from 'node:fs'; existsSync('/');", 'file: fs.existsSync'];

/**
 * An import of the package touches no file, process, standard stream, environment, timer or socket: its program, which
 * sees all that a broken package does there, sees nothing. Node's own permissions say the same of files and processes.
 */
export function checkQuietImport({ project, directory, nodes }) {
  for (const [name, node] of nodes) {
    for (const entry of ENTRIES) checkQuiet({ name, node, entry, project });
  }
  cpSync(project, directory, { recursive: true });
  checkBreaches(directory);
  for (const [name, node] of nodes) checkPermissions(name, node, project, directory);
}

/** The import of one entry on one Node. */
export function checkQuiet({ name, node, entry, project }) {
  for (const form of FORMS) {
    const seen = JSON.parse(
      check(`${name}: a quiet ${form} of ${entry}`, node, [PROGRAM, form, entry], { cwd: project }),
    );
    assert.deepEqual(
      seen.filter((one) => !KNOWN_GLOBALS.test(one)),
      [],
      `${form} of ${entry} touches what is not its own`,
    );
  }
}

/** With leave to read modules, and for nothing else. Node 20 names the option otherwise. */
function checkPermissions(name, node, project, directory) {
  const [major] = execFileSync(node, ['--print', 'process.versions.node'], { encoding: 'utf8' }).split('.');
  const option = major === '20' ? '--experimental-permission' : '--permission';
  for (const [type, program] of Object.entries(PROGRAMS)) {
    const args = (cwd) => ['--no-warnings', option, `--allow-fs-read=${cwd}/*`, `--input-type=${type}`, '-e', program];
    check(`${name} ${option}, ${type}`, node, args(project), { cwd: project });
    const { stderr } = spawnSync(node, args(directory), { cwd: directory, encoding: 'utf8', timeout: MAX_RUN_MS });
    assert.match(stderr, /ERR_ACCESS_DENIED/, `${name} lets a package write at its import`);
  }
}

/** The program sees each of these when the package does it. The package writes a file afterwards. */
function checkBreaches(directory) {
  const expect = (form, [line, said]) => {
    const args = [PROGRAM, form, 'partner-sdk'];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: directory,
      encoding: 'utf8',
      timeout: MAX_RUN_MS,
    });
    assert.ok(JSON.parse(stdout || '[]').includes(said), `${form} of a package that has ${line}: ${stdout}${stderr}`);
  };
  const esModule = join(directory, DIST, ES_MODULE);
  const whole = readFileSync(esModule, 'utf8');
  writeFileSync(esModule, `${ES_BREACH[0]}\n${whole}`);
  expect('import', ES_BREACH);
  writeFileSync(esModule, whole);
  const first = join(directory, DIST, FIRST_FILE);
  const code = readFileSync(first, 'utf8');
  for (const breach of BREACHES.toReversed()) {
    writeFileSync(first, `${breach[0]};\n${code}`);
    for (const form of FORMS) expect(form, breach);
  }
  console.log(`ok ${BREACHES.length + 1} ways to touch something at an import are seen`);
}
