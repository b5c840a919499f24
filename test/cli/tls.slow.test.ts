import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bash } from './support/bash.js';
import { complaint, startListening } from './support/command.js';
import { directory } from './support/directory.js';

/** Asks as a user of the shell does, who has the output of the command. */
async function inShell(output: string, script: string): Promise<string> {
  const cwd = await directory();
  const { stdout } = await promisify(execFile)(
    ...bash('-euo', 'pipefail', '-c', `eval "$1"; ${script}`, 'bash', output),
    { cwd },
  );
  return stdout;
}

test('with --tls the authority stands in the output, and curl trusts it by HTTP/2', async () => {
  const command = await startListening(['--tls']);
  expect(command.variable('PARTNER_BASE_URL')).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const curl = `printf '%s' "$1" | sed -n 's/^# ca //p' > ca.pem
    curl -sS --cacert ca.pem -w ' %{http_version}' "$PARTNER_BASE_URL/_sandbox/clock/now"`;
  expect(await inShell(command.stdout, curl)).toMatch(/^\{"data":\d+\} 2$/);
});

test('with --tls-ca the authority is in a file, for the allowed names, too', async () => {
  const file = join(await directory(), 'ca file.pem');
  const command = await startListening(['--tls-ca', file, '--allow-host', 'sandbox.test']);
  expect(new X509Certificate(readFileSync(file)).ca).toBe(true);
  const curl = `port="\${PARTNER_BASE_URL##*:}"
    curl -sS --cacert "$PARTNER_CA_FILE" --resolve "sandbox.test:$port:127.0.0.1" "https://sandbox.test:$port/_sandbox/clock/now"`;
  expect(await inShell(command.stdout, curl)).toMatch(/^\{"data":\d+\}$/);
});

test('with --json the authority is a member of the first line', async () => {
  const command = await startListening(['--tls', '--json']);
  const [{ url, ca }] = command.events;
  expect(url).toMatch(/^https:/);
  expect(new X509Certificate(ca).subject).toBe('CN=partner-sandbox CA');
});

test('a file for the authority that cannot be written is one clear line', async () => {
  const says = /^partner-sandbox: the authority cannot be written to ".*ca\.pem": ENOENT.*\n$/;
  expect(await complaint(['--port', '0', '--tls-ca', join(await directory(), 'none', 'ca.pem')])).toMatch(says);
});
