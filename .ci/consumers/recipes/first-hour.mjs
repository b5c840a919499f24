import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { check } from '../project.mjs';
import { filesIn } from './test-tools.mjs';

const DOCUMENT = join(import.meta.dirname, '../../../docs/start/first-hour.md');
/** The port of the page's receiver of webhooks. Another program of the machine may have it. */
const PORT = '8421';
/**
 * Each job has a process group, so `kill %1` ends what npx has started, too. Those of a page that fails end with it. A job
 * may end by itself before it is killed.
 */
const AS_AT_A_TERMINAL = `set -m\ntrap 'for job in $(jobs -pr); do kill -- "-$job" 2>/dev/null || true; done' EXIT`;
/** Between what two scripts print. */
const END = '-- end of a script --';

/**
 * docs/start/first-hour.md as written: its files and scripts in an empty folder and one shell, with the packed package
 * in place of the published one. Each script prints what the page shows below it.
 */
export async function checkFirstHour({ tarball, directory }) {
  mkdirSync(directory, { recursive: true });
  const port = String(await freePort());
  const text = readFileSync(DOCUMENT, 'utf8').replaceAll(PORT, port);
  const files = filesIn(text);
  for (const [name, code] of files) writeFileSync(join(directory, name), code);
  const scripts = scriptsIn(text);
  const shown = scripts.filter(({ shown }) => shown !== undefined);
  assert.equal(text.match(/^```\w/gm)?.length, files.length + scripts.length + shown.length, 'each block is used');
  assert.ok(shown.length > 3, 'the first hour shows what its scripts print');
  const whole = scripts.map(({ script }) => `${script}echo '${END}'\n`).join('');
  const installing = whole.replace('npm install partner-sdk\n', `npm install ${tarball}\n`);
  assert.notEqual(installing, whole);
  const bash = ['--norc', '-euo', 'pipefail', '-c', `${AS_AT_A_TERMINAL}\n${installing}`];
  const printed = check('docs/start/first-hour.md', 'bash', bash, { cwd: directory, env: { NO_COLOR: '1' } });
  const parts = printed.split(`${END}\n`);
  for (const [index, { script, shown }] of scripts.entries()) {
    if (shown !== undefined)
      assert.match(parts[index], patternOf(shown), `the first hour shows what this prints:\n${script}`);
  }
}

/** The scripts with what the page shows right below each. */
function scriptsIn(text) {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)];
  return blocks.map(([, script, shown]) => ({ script, shown }));
}

/** A line `…` stands for any lines. */
function patternOf(shown) {
  const lines = shown.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\n`,
  );
  return new RegExp(`^${patterns.join('')}$`);
}
