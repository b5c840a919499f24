import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { certificateFile, LOCAL, tlsWords } from '../../support/tls.js';
import { bash } from '../support/bash.js';
import { COMMAND, type RunningCommand, runToEnd, startListening } from '../support/command.js';
import { directory } from '../support/directory.js';

let sandbox: RunningCommand;
let variables: NodeJS.ProcessEnv;
beforeEach(async () => {
  sandbox = await startListening(['--still']);
  variables = { PARTNER_SANDBOX_URL: sandbox.variable('PARTNER_BASE_URL') };
});

const ctl = (...words: string[]) => runToEnd(['ctl', ...words], variables);

/** Runs it to its end, which is good, and gives what it prints. */
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ctl(...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const result = async (...words: string[]) => JSON.parse(await printed(...words));

/** Runs a line of a shell in which `ctl` is the command. */
async function shell(line: string, ...args: string[]): Promise<string> {
  const words = COMMAND.map((word) => `'${word}'`).join(' ');
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)(
    ...bash('-euo', 'pipefail', '-c', `ctl() { ${words} ctl "$@"; }; ${line}`, 'bash', ...args),
    { env },
  );
  return stdout;
}

describe('ctl drives a running sandbox:', () => {
  test('the clock moves by a time as people write it, or by milliseconds', async () => {
    const before = await result('clock.now');
    for (const time of ['1h', '1h30m', '500']) expect(await printed('advance', time)).toBe('');
    expect(await result('clock.now')).toBe(before + 2.5 * 3_600_000 + 500);
  });

  test('requests of an operation go wrong, once or by options', async () => {
    const options = '{"times": 2, "retryAfterSeconds": 1, "match": {"idempotencyKey": "a-key"}}';
    expect(await result('fail', 'quotes.get', '503', options)).toMatchObject({
      times: 2,
      does: { fault: 503, retryAfterSeconds: 1 },
      match: { operation: 'quotes.get', idempotencyKey: 'a-key' },
    });
    await printed('fail', 'quotes.create', 'reset');
    expect(await result('troubles.list')).toMatchObject([
      { left: 2 },
      { match: { operation: 'quotes.create' }, does: { fault: 'reset' }, left: 1 },
    ]);
  });

  test('a method gets the JSON array of its arguments, by its dots or slashes', async () => {
    await printed('prices.set', '["BTC", "60000.10"]');
    const prices: { symbol: string; usd: string }[] = await result('prices/list');
    expect(prices.find(({ symbol }) => symbol === 'BTC')).toMatchObject({ usd: '60000.1' });
    await printed('troubles.add', '[{"does": {"delivery": {"drop": true}}}]');
    expect((await result('troubles.list')).at(-1)).toMatchObject({ does: { delivery: { drop: true } } });
  });

  test('what is only read is called as a method is', async () => {
    expect(await result('fixtures')).toMatchObject({ accountId: sandbox.fixture('accountId') });
    expect(await result('journal', '[{"verdict": "bad_signature", "limit": 5}]')).toEqual([]);
  });

  test('a state goes through a pipe and a file, and standard input has the arguments', async () => {
    const before = await result('clock.now');
    const file = join(await directory(), 'state.json');
    await writeFile(file, JSON.stringify([await result('snapshot')]));
    await printed('advance', '1d');
    await shell('ctl restore - < "$1"', file);
    expect(await result('clock.now')).toBe(before);
    await printed('advance', '1d');
    await printed('restore', `@${file}`);
    expect(await result('clock.now')).toBe(before);
  });

  test('a result is JSON in lines, also for a reader that stops after the first', async () => {
    expect(await printed('fixtures')).toMatch(/^\{\n {2}"userId": "/);
    expect(await shell('ctl snapshot | head -n 1')).toBe('{\n');
  });
});

test('ctl env prints what a client needs, for a shell and for a file of variables', async () => {
  expect((await shell('eval "$(ctl env)"; echo "$PARTNER_API_SECRET"')).trim()).toBe(
    sandbox.variable('PARTNER_API_SECRET'),
  );
  const lines = (await printed('env', 'dotenv')).trim().split('\n');
  expect(lines.map((line) => line.split('=')[0])).toEqual([
    'PARTNER_BASE_URL',
    'PARTNER_API_KEY',
    'PARTNER_API_SECRET',
    'PARTNER_SANDBOX_URL',
  ]);
  variables = { ...variables, PARTNER_CA_FILE: 'our ca.pem' };
  // Over HTTP the file is not trusted for anything, and so it need not exist.
  expect(await printed('env', 'sh')).toContain("export PARTNER_CA_FILE='our ca.pem'\n");
});

describe('ctl refuses, in one line,', () => {
  test.each<[words: string[], code: number, says: RegExp]>([
    [[], 2, /ctl needs a method or a command/],
    [['reset', '--times', '2'], 2, /there is no option "--times"/],
    [['advance'], 2, /advance needs a time, such as 500ms, 30s, 5m, 1h or 1d/],
    [['advance', 'soon'], 2, /advance needs a time/],
    [['advance', '1h', '[]'], 2, /advance needs a time/],
    [['fail', '503'], 2, /fail needs an operation and a fault/],
    [['env', 'cobol'], 2, /env takes sh or dotenv/],
    [['prices.set', 'BTC', '1'], 2, /"prices\.set" takes its arguments as one JSON array/],
    [['quotse.expire'], 1, /there is no quotse\/expire: did you mean quotes\/expire\?$/m],
    [['no.such'], 1, /there is no no\/such; GET control\.openapi\.json describes what there is$/m],
    [['../v1/users'], 1, /is not a partner-sandbox|there is no/],
    [['prices.set', '["BTC"]'], 1, /prices\.set takes \[symbol, usd, assetType\?\], not 1 argument/],
    [['prices.set', 'BTC'], 1, /"BTC" is not JSON/],
    [['prices.set', '{}'], 1, /the arguments must be a JSON array, not "\{\}"/],
    [['fail', 'quotes.get', '503', '[]'], 1, /the options of a fault must be a JSON object, not "\[\]"/],
    [['restore', '@/no/such/file'], 1, /"\/no\/such\/file" cannot be read: ENOENT/],
    [['prices.set', '["B\ufffdC", "1"]'], 2, /has a character that is not UTF-8/],
    [['quotes.expire', '["none"]'], 1, /there is no quote none/],
  ])('%j', async (words, code, says) => {
    const { stderr, ...others } = await ctl(...words);
    expect(others).toMatchObject({ code, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^partner-sandbox: [^\n]+\n$/);
  });

  test.each([
    ['http://127.0.0.1:1', 1, /nothing listens on http:\/\/127\.0\.0\.1:1: start one with npx/],
    ['sandbox:8420', 2, /PARTNER_SANDBOX_URL must be the address of a sandbox.*, not "sandbox:8420"/],
  ])('the address %s', async (url, code, says) => {
    variables = { PARTNER_SANDBOX_URL: url };
    expect(await ctl('reset')).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  });

  test('what is no sandbox', async () => {
    const other = createServer((_, response) => response.writeHead(418).end('{}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    variables = { PARTNER_SANDBOX_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` };
    const { code, stderr } = await ctl('reset');
    expect(code).toBe(1);
    expect(stderr).toMatch(/is not a partner-sandbox: it answered 418 to POST \/_sandbox\/reset/);
  });

  test('an authority that it does not trust, and trusts that of PARTNER_CA_FILE', async () => {
    const caFile = certificateFile(LOCAL.cert);
    const secure = await startListening(tlsWords());
    variables = { PARTNER_SANDBOX_URL: secure.variable('PARTNER_BASE_URL') };
    const { code, stderr } = await ctl('reset');
    expect(code).toBe(1);
    expect(stderr).toMatch(/Set PARTNER_CA_FILE to the file of its certificate authority/);
    variables = { ...variables, PARTNER_CA_FILE: caFile };
    expect(await result('health')).toMatchObject({ seed: 1 });
    variables = { ...variables, PARTNER_CA_FILE: '/no/such/file' };
    expect((await ctl('reset')).stderr).toMatch(/the certificate authority cannot be read from "\/no\/such\/file"/);
  });
});

test('ctl --help shows the commands, and every method of the sandbox', async () => {
  const help = await printed('--help');
  for (const name of ['advance', 'fail', 'env', 'quotes.expire', 'reset', 'troubles.add', 'prices.set', 'fixtures']) {
    expect(help).toMatch(new RegExp(`\\s${name.replace('.', '\\.')}\\s`));
  }
  expect(help).not.toMatch(/\{id\}|\sevents\s|openapi/);
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
});
