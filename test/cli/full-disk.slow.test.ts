import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { MAIN } from '../command/support/run.js';
import { bash } from './support/bash.js';
import { COMMAND, startListening } from './support/command.js';
import { directory } from './support/directory.js';

const SANDBOX = COMMAND[1];

/** Runs a program whose standard output is the file `$0`. */
async function into(file: string, limit: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = `${limit} exec "$@" > "$0"`;
  const [shell, args] = bash('-c', line, file, process.execPath, ...words);
  const ran = promisify(execFile)(shell, args, { env: { PATH: process.env['PATH'], ...env } });
  return ran.then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

const PROGRAMS: readonly (readonly [string, readonly string[]])[] = [
  ['partner-sdk operations', [MAIN, 'operations']],
  ['partner-sdk --help', [MAIN, '--help']],
  ['partner-sdk --version', [MAIN, '--version']],
  ['partner-sdk call --help', [MAIN, 'call', '--help']],
  ['partner-sdk call users.get --help', [MAIN, 'call', 'users.get', '--help']],
  ['partner-sdk doctor --help', [MAIN, 'doctor', '--help']],
  ['partner-sandbox --help', [SANDBOX, '--help']],
  ['partner-sandbox --version', [SANDBOX, '--version']],
  ['partner-sandbox ctl --help', [SANDBOX, 'ctl', '--help']],
];

describe('on a full disk a program that prints fails, and says why:', () => {
  test.each(PROGRAMS)('%s', async (_, words) => {
    const { code, stderr } = await into('/dev/full', '', words);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the output cannot be written: ENOSPC/);
  });

  // The system takes what fits, without an error. A limit of a file's size behaves as a disk does that fills up.
  test.each([
    ['partner-sdk operations', [MAIN, 'operations']],
    ['partner-sandbox ctl snapshot', [SANDBOX, 'ctl', 'snapshot']],
  ])('%s, of which a part fits', async (_, words) => {
    const sandbox = await startListening(['--still']);
    const file = join(await directory(), 'cut.json');
    const env = { PARTNER_SANDBOX_URL: sandbox.variable('PARTNER_BASE_URL') };
    const { code, stderr } = await into(file, "trap '' XFSZ; ulimit -f 2;", words, env);
    expect(readFileSync(file)).toHaveLength(2048);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the output cannot be written: EFBIG/);
  });

  test('and one that can print does not', async () => {
    const file = join(await directory(), 'whole.txt');
    closeSync(openSync(file, 'w'));
    expect(await into(file, '', [MAIN, 'operations'])).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^ +users\.get .*\n(.*\n)+$/);
  });
});
