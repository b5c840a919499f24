import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bash } from '../support/bash.js';
import { complaint, type RunningCommand, runToEnd, startListening } from '../support/command.js';

/** How curl ends if the answer is a refusal. */
const CURL_REFUSED = 22;

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

const result = async (...words: string[]) => JSON.parse(await printed(...words, '--json'));

describe('ctl drives a running sandbox:', () => {
  test('the clock moves by a time as people write it', async () => {
    const before = await result('clock.now');
    expect(await printed('advance', '1h')).toBe('');
    expect(await printed('advance', '1h30m')).toBe('');
    await printed('advance', '500');
    expect(await result('clock.now')).toBe(before + 2.5 * 3_600_000 + 500);
  });

  test('requests go wrong, the fault is shown, and is taken back', async () => {
    const words = ['fail', 'quotes.get', '503', '--times', '2', '--for', '5m', '--match', '{"key": "a-key"}'];
    expect(await result(...words)).toMatchObject({
      ...{
        id: 'fault_1',
        operation: 'quotes.get',
        fault: 503,
        times: 2,
        for: 300_000,
        match: { key: 'a-key' },
      },
    });
    expect(await result('faults')).toMatchObject([{ id: 'fault_1' }]);
    expect(await printed('faults.remove', 'fault_1')).toBe('');
    expect(await result('faults')).toEqual([]);
    expect(await result('fail', 'reset')).toMatchObject({ fault: 'reset' });
  });

  test('amounts keep their digits, and options are members of the last argument', async () => {
    await printed('prices.set', 'BTC', '60000.10');
    const prices: { symbol: string; usd: string }[] = await result('prices');
    expect(prices.find(({ symbol }) => symbol === 'BTC')).toMatchObject({ usd: '60000.1' });
    const account = sandbox.fixture('accountId');
    await printed('accounts.deposit', account, '--symbol', 'BTC', '--amount', '0.10');
    await printed('accounts.deposit', account, '{"symbol": "BTC", "amount": "0.10"}');
    const deposit = await result('call', 'accounts.deposit', account, '--symbol', 'BTC', '--amount', '0.10');
    expect(deposit).toMatchObject({ method_id: expect.any(String) });
  });

  test('methods and what is only read have their own names', async () => {
    await printed('scenarios.start', 'maintenance', '--for', '10m');
    expect(await result('scenarios.list')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: 'maintenance' })]),
    );
    await printed('webhooks.register', '{"url": "http://127.0.0.1:1/"}');
    await printed('webhooks.trigger', 'quote.executed');
    expect(await result('health')).toMatchObject({ seed: 1 });
    expect(await result('journal', '--verdict', 'bad_signature', '--limit', '5')).toEqual([]);
  });

  test('the state is put back from a file, and a file holds any other object', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ctl-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [state, deposit] = ['state.json', 'deposit.json'].map((name) => join(folder, name));
    await writeFile(String(state), await printed('snapshot'));
    const before = await result('clock.now');
    await printed('advance', '1d');
    await printed('restore', `@${state}`);
    expect(await result('clock.now')).toBe(before);
    await writeFile(String(deposit), '{"symbol": "BTC", "amount": "0.10"}');
    await printed('accounts.deposit', sandbox.fixture('accountId'), `@${deposit}`);
  });

  test('a world by its address', async () => {
    const { id, url, credentials } = await result('worlds.add', '--seed', '7');
    const before = await result('clock.now');
    await printed('advance', '1h', '--url', url);
    expect(await result('clock.now')).toBe(before);
    expect(await result('clock.now', '--url', `${url}/`)).toBe(before + 3_600_000);
    const variables = await printed('env', '--url', url);
    expect(variables).toContain(`export PARTNER_API_KEY=${credentials.apiKey}\n`);
    expect(variables).toContain(`export PARTNER_SANDBOX_URL=${url}\n`);
    expect(variables).toContain(`export PARTNER_BASE_URL=${new URL(url).origin}\n`);
    expect(await result('worlds.list')).toMatchObject([{ id }]);
    await printed('worlds.remove', id);
    expect((await ctl('clock.now', '--url', url)).stderr).toMatch(/there is no world world_1/);
  });

  test('a result is indented, text stays text, and with --json it is one line', async () => {
    expect(await printed('fixtures')).toMatch(/^\{\n {2}"userId": "/);
    expect((await printed('fixtures', '--json')).split('\n')).toHaveLength(2);
  });
});

test('ctl curl prints a line that works when it is pasted, with quotes and brackets in it', async () => {
  const run = async (line: string) => (await promisify(execFile)(...bash('-euc', line))).stdout;
  expect(JSON.parse(await run(await printed('curl', 'GET', '/v1/webhooks?page_size=3'))).data).toBeInstanceOf(Array);
  const account = sandbox.fixture('accountId');
  const body = `{"from": {"symbol": "USD", "type": "fiat", "amount": "100.00"},
    "to": {"symbol": "BTC", "type": "crypto"}}`;
  const line = await printed('curl', 'post', `/v1/accounts/${account}/quotes`, body);
  expect(line).toMatch(/Idempotency-Key: [0-9a-f-]{36}/);
  expect(JSON.parse(await run(line)).data.from.amount).toBe('100.00');
  // A word that a shell would take apart is refused by the service alone.
  const hostile = `{"a": "it's $HOME \`id\` ! \\\\ [x] @"}`;
  const refused = await run(await printed('curl', 'POST', '/v1/users?a[]={x,y}&b=%20', hostile)).catch(
    (error) => error,
  );
  expect(refused.code).toBe(CURL_REFUSED);
  expect(JSON.parse(refused.stdout).error.code).toBe('bad_request');
});

test('ctl env prints what a client needs, for a shell and for languages', async () => {
  const { stdout } = await promisify(execFile)(
    ...bash('-euc', `eval "$1"; echo "$PARTNER_API_SECRET"`, 'bash', await printed('env')),
  );
  expect(stdout.trim()).toBe(sandbox.variable('PARTNER_API_SECRET'));
  const python = `${await printed('env', '--python')}print(os.environ["PARTNER_API_SECRET"])`;
  expect((await promisify(execFile)('python3', ['-c', python])).stdout.trim()).toBe(stdout.trim());
  expect(await printed('env', '--go')).toContain('os.Setenv("PARTNER_API_KEY", "pk_');
});

describe('ctl refuses, in one line,', () => {
  test.each<[words: string[], code: number, says: RegExp]>([
    [[], 2, /ctl needs to know what to do/],
    [['quotse.expire', 'x'], 2, /there is no "quotse\.expire": did you mean quotes\.expire\?/],
    [['tial'], 2, /did you mean tail\?/],
    [['advance', '1', '2', '3', '4'], 2, /advance takes <ms>/],
    [['prices.set', 'BTC'], 2, /prices\.set takes <symbol> <usd> \[assetType\]/],
    [['call', 'prices.set', 'BTC'], 2, /prices\.set takes <symbol> <usd>/],
    [['fail'], 2, /fail takes an operation and a fault/],
    [['curl', 'GET', 'v1'], 2, /the path begins with \//],
    [['curl', 'STEAL', '/v1'], 2, /curl takes METHOD PATH/],
    [['env', '--cobol'], 2, /there is no option "--cobol" here/],
    [['faults', '--url'], 2, /--url needs a value/],
    [['webhooks.register', '--url', 'http://127.0.0.1:3000/hooks'], 2, /--url is the address of the sandbox/],
    [['faults', 'fault_1'], 2, /faults takes no arguments/],
    [['faults.add', '{'], 2, /"\{" is not JSON/],
    [['restore', '@/no/such/file'], 2, /"\/no\/such\/file" cannot be read \(ENOENT\)/],
    [['advance', 'soon'], 2, /"soon" is no number, and no time like 500ms, 30s, 5m, 1h or 1d/],
    [['quotes.expire', 'none'], 1, /there is no quote none/],
    [['call', 'no.such'], 1, /there is no no\/such/],
  ])('%j', async (words, code, says) => {
    const { stderr, ...others } = await ctl(...words);
    expect(others).toMatchObject({ code, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^partner-sandbox: [^\n]+\n$/);
  });

  test('an address at which nothing listens, and one at which something else does', async () => {
    expect(await complaint(['ctl', 'reset', '--url', 'http://127.0.0.1:1'])).toMatch(
      /nothing listens on .*: start one with npx/,
    );
    const other = createServer((_, response) => response.writeHead(418).end('{}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await complaint(['ctl', 'reset', '--url', url])).toMatch(/is no partner-sandbox: it answered 418/);
  });

  test('an authority that is not trusted', async () => {
    const secure = await startListening(['--tls']);
    const url = secure.variable('PARTNER_BASE_URL');
    expect(await complaint(['ctl', 'reset', '--url', url])).toMatch(/Name the file of its authority with --ca/);
  });

  test('with --json as JSON', async () => {
    const { stderr } = await ctl('quotes.expire', 'none', '--json');
    expect(JSON.parse(stderr)).toMatchObject({ event: 'error', exitCode: 1 });
  });
});

test('ctl --help shows the commands, and every method of the sandbox', async () => {
  const help = await printed('--help');
  for (const name of ['advance', 'fail', 'tail', 'curl', 'env', 'quotes.expire', 'reset', 'faults.add', 'prices.set']) {
    expect(help).toMatch(new RegExp(`\\s${name.replace('.', '\\.')}\\s`));
  }
});
