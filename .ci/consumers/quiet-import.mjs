import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { check } from './project.mjs';

const PROGRAM = 'quiet-import.cjs';
const FORMS = ['import', 'require'];
const PROGRAMS = { module: "import 'partner-sdk';", commonjs: "require('partner-sdk');" };
const ENTRIES = ['partner-sdk', 'partner-sdk/webhooks', 'partner-sdk/redis', 'partner-sdk/sandbox'];
/** The copies of the package in one process find each other by these, and copies of zod. */
const KNOWN_GLOBALS = /^global: (Symbol\(partner-sdk\.[\w.@-]+\)|__zod_global(Config|Registry))$/;

/**
 * An import of the package touches no file, process, standard stream, environment, timer or socket: a program that
 * watches all of them sees nothing. Node's own permissions say the same of files and processes.
 */
export function checkQuietImport({ project, nodes }) {
  for (const [name, node] of nodes) {
    for (const entry of ENTRIES) checkQuiet({ name, node, entry, project });
    checkPermissions(name, node, project);
  }
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
function checkPermissions(name, node, project) {
  const [major] = execFileSync(node, ['--print', 'process.versions.node'], { encoding: 'utf8' }).split('.');
  const option = major === '20' ? '--experimental-permission' : '--permission';
  for (const [type, program] of Object.entries(PROGRAMS)) {
    const args = ['--no-warnings', option, `--allow-fs-read=${project}/*`, `--input-type=${type}`, '-e', program];
    check(`${name} ${option}, ${type}`, node, args, { cwd: project });
  }
}
