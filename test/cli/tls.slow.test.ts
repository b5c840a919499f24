import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { LOCAL } from '../support/tls.js';
import { bash } from './support/bash.js';
import { complaint, runToEnd, startListening } from './support/command.js';
import { directory } from './support/directory.js';

const guide = readFileSync(new URL('../../docs/sandbox/sandbox-command.md', import.meta.url), 'utf8');
const [, recipe = ''] = /```sh\n(openssl req .*?)```/s.exec(guide) ?? [];

test('with the certificate that the guide makes, curl speaks HTTP/2 with it, and ctl drives it', async () => {
  const cwd = await directory();
  const inShell = async (script: string, ...words: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(...bash('-euo', 'pipefail', '-c', script, 'bash', ...words), { cwd });
    return stdout;
  };
  await inShell(recipe);
  const [key, cert] = [join(cwd, 'key.pem'), join(cwd, 'cert.pem')];
  const command = await startListening(['--tls-key', key, '--tls-cert', cert]);
  const url = command.variable('PARTNER_BASE_URL');
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const curl = `curl -sS --cacert cert.pem -w ' %{http_version}' "$1/_sandbox/clock/now"`;
  expect(await inShell(curl, url)).toMatch(/^\{"data":\d+\} 2$/);
  expect(await inShell(curl, url.replace('127.0.0.1', 'localhost'))).toMatch(/ 2$/);
  const variables = { PARTNER_SANDBOX_URL: url, PARTNER_CA_FILE: cert };
  expect(await runToEnd(['ctl', 'clock.now'], variables)).toMatchObject({ code: 0, stderr: '' });
});

test.each<[what: string, words: (key: string, cert: string) => string[], code: number, says: RegExp]>([
  ['a key alone', (key) => ['--tls-key', key], 2, /--tls-key and --tls-cert must be set together/],
  ['a certificate alone', (_, cert) => ['--tls-cert', cert], 2, /--tls-key and --tls-cert must be set together/],
  [
    'no such file',
    (key) => ['--tls-key', key, '--tls-cert', 'none.pem'],
    1,
    /--tls-cert cannot be read from "none\.pem"/,
  ],
  [
    'files that are swapped',
    (key, cert) => ['--tls-key', cert, '--tls-cert', key],
    1,
    /--tls-key must be a private key/,
  ],
])('%s is one clear line', async (_, words, code, says) => {
  const folder = await directory();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await writeFile(key, LOCAL.key);
  await writeFile(cert, LOCAL.cert);
  const stderr = await complaint(['--port', '0', ...words(key, cert)], code);
  expect(stderr).toMatch(says);
});
