import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bash } from '../cli/support/bash.js';
import { directory } from '../cli/support/directory.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';
import { errorOf, keyOf, MAIN, RunningCommand, run, service } from './support/run.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const QUOTE = '--from.symbol USD --from.type fiat --from.amount 100.10 --to.symbol BTC --to.type crypto'.split(' ');
const WEBHOOK = ['--url', 'https://partner.example/hooks', '--events', 'quote.executed'];

async function fileOf(content: string | Buffer): Promise<string> {
  const file = join(await directory(), 'body.json');
  await writeFile(file, content);
  return file;
}

/** A service that answers every request in one way. */
async function answering(body: string) {
  const answered = await Service.start();
  onTestFinished(() => answered.close());
  answered.script = () => ({ body });
  const { url: PARTNER_BASE_URL, apiKey: PARTNER_API_KEY, apiSecret: PARTNER_API_SECRET, requests } = answered;
  return { env: { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET }, requests };
}

describe('call prints the result, and nothing else, on standard output:', () => {
  test('a read', async () => {
    const { sandbox, env } = await service();
    const { userId } = sandbox.fixtures;
    const ran = await run(['call', 'users.get', userId], env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: userId, type: 'individual' });
    expect(sandbox.journal).toHaveLength(1);
  });

  test('a write by flags, whose key is told', async () => {
    const { sandbox, env } = await service();
    const ran = await run(['call', 'accounts.quotes.create', sandbox.fixtures.accountId, ...QUOTE], env);
    expect(ran.code).toBe(0);
    expect(keyOf(ran)).toMatch(UUID);
    expect(ran.stderr).toBe(`Idempotency-Key: ${keyOf(ran)}\n`);
    expect(sandbox.journal[0]?.key).toBe(keyOf(ran));
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'offered', from: { symbol: 'USD', amount: '100.1' } });
  });

  test('a write by --body: of a word, of a file, of standard input', async () => {
    const { sandbox, env } = await service();
    const body = '{"from":{"symbol":"USD","type":"fiat","amount":"5.00"},"to":{"symbol":"BTC","type":"crypto"}}';
    for (const given of [body, `@${await fileOf(body)}`, '-']) {
      const words = ['call', 'accounts.quotes.create', sandbox.fixtures.accountId, '--body', given];
      expect(await run(words, env, given === '-' ? body : '')).toMatchObject({ code: 0 });
    }
    expect(sandbox.journal.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a write by --body: of a file with a byte order mark, as PowerShell writes it', async () => {
    const { sandbox, env } = await service();
    const { userId } = sandbox.fixtures;
    const given = `\ufeff{"full_name":{"first_name":"Zoë"}}`;
    for (const [word, input] of [[`@${await fileOf(given)}`, ''] as const, ['-', given] as const])
      expect(await run(['call', 'users.update', userId, '--body', word], env, input)).toMatchObject({ code: 0 });
    expect(sandbox.journal.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('a write that takes no key says so, and an answer without a value is null', async () => {
    const { sandbox, env } = await service();
    const ran = await run(
      ['call', 'funds.addresses.delete', sandbox.fixtures.accountId, sandbox.fixtures.addressId],
      env,
    );
    expect(ran).toMatchObject({
      code: 0,
      stdout: 'null\n',
      stderr: 'No Idempotency-Key: a retry has no second effect\n',
    });
    const update = ['call', 'users.update', sandbox.fixtures.userId, '--full_name.first_name', 'Ada'];
    expect((await run(update, env)).stderr).toMatch(/^No Idempotency-Key: a retry .* second effect\n$/);
  });

  test('amounts are exact in both directions', async () => {
    const amount = '123456789012345678901234567890.123456789012345678';
    const side = (symbol: string, type: string) => ({ symbol, type, name: symbol, amount });
    const quote = { id: 'q', status: 'offered', from: side('USD', 'fiat'), to: side('BTC', 'crypto') };
    const { env, requests } = await answering(JSON.stringify({ data: quote }));
    const words = QUOTE.map((word) => (word === '100.10' ? amount : word));
    const ran = await run(['call', 'accounts.quotes.create', 'AA3ND9X-QN6TC-CYEUVD', ...words], env);
    expect(ran.code).toBe(0);
    expect(JSON.parse(String(requests[0]?.body)).from.amount).toBe(amount);
    expect(JSON.parse(ran.stdout)).toMatchObject({ from: { amount }, to: { amount } });
  });

  test('text of the service cannot move the cursor of a terminal', async () => {
    const { env } = await answering(JSON.stringify({ data: { id: 'AUT39D4-G362T-FYVHMD', type: '\u009b2J\u202e' } }));
    const { stdout } = await run(['call', 'users.get', 'AUT39D4-G362T-FYVHMD'], env);
    expect(stdout).toContain('"\\u009b2J\\u202e"');
  });

  test('-i shows attempts, status and headers on standard error', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 503, times: 2 });
    const ran = await run(['call', 'users.get', sandbox.fixtures.userId, '-i'], env);
    expect(ran.stderr).toMatch(/^attempts: 3\nstatus: 200\ncontent-type: application\/json\n/);
    const missing = await run(['call', 'users.get', 'AUT39D4-G362T-XXXXXX', '--include'], env);
    expect(missing.stderr).toMatch(/^status: 404\ncontent-type: /m);
    expect(errorOf(missing)).toMatchObject({ code: 'user_not_found' });
  });

  test('--curl prints a line that works once, and sends nothing', async () => {
    const { sandbox, env } = await service();
    const ran = await run(['call', 'accounts.quotes.create', sandbox.fixtures.accountId, ...QUOTE, '--curl'], env);
    expect(ran.code).toBe(0);
    expect(sandbox.journal).toHaveLength(0);
    const answer = (await promisify(execFile)(...bash('-euc', ran.stdout))).stdout;
    expect(JSON.parse(answer).data.from.amount).toBe('100.10');
    expect(sandbox.journal.map(({ verdict, key }) => [verdict, key])).toEqual([['accepted', keyOf(ran)]]);
    // A second time its nonce is too old: curl ends with 22, and prints the answer.
    const again = await promisify(execFile)(...bash('-euc', ran.stdout)).catch((error) => error);
    expect(again.code).toBe(22);
    expect(JSON.parse(again.stdout).error.code).toBe('unauthenticated');
  });

  test('a one-time password comes from PARTNER_OTP', async () => {
    const { sandbox, env } = await service({ otp: '27182818' });
    const words = ['call', 'accounts.wallets.whitelist', sandbox.fixtures.accountId, '--via', 'bitcoin', '--address'];
    const whitelist = [...words, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'];
    const missing = await run(whitelist, env);
    expect(missing.code).toBe(2);
    expect(errorOf(missing)['message']).toMatch(/one-time password: set PARTNER_OTP/);
    expect(sandbox.journal).toHaveLength(0);
    expect(await run(whitelist, { ...env, PARTNER_OTP: '27182818' })).toMatchObject({ code: 0 });
  });
});

describe('--all prints every item as a line of JSON,', () => {
  const LIST = ['call', 'webhooks.list', '--page_size', '7', '--all'];
  const idsOf = (stdout: string) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id as string);

  test('over all pages', async () => {
    const { sandbox, env } = await service();
    const ran = await run(LIST, env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(idsOf(ran.stdout)).size).toBeGreaterThan(20);
    expect(sandbox.journal.length).toBeGreaterThan(3);
  });

  /** Fails as `stop` says when two pages are printed; gives the sandbox and the command. */
  async function stopped(stop: (sandbox: Awaited<ReturnType<typeof service>>['sandbox']) => void) {
    let pages = 0;
    const made = await service({
      onRequest: () => {
        if (++pages === 2) stop(made.sandbox);
      },
    });
    return { ...made, command: new RunningCommand(LIST, made.env) };
  }

  test('and tells the token to go on from when it fails midway', async () => {
    const { env, command } = await stopped((sandbox) => sandbox.fail({ fault: 400 }));
    const ran = await command.ended;
    expect(ran.code).toBe(1);
    expect(idsOf(ran.stdout)).toHaveLength(14);
    const { advice, pageToken } = errorOf(ran);
    expect(advice).toContain(`continue with --page_token ${pageToken}`);
    const rest = await run([...LIST, '--page_token', String(pageToken)], env);
    const whole = await run(LIST, env);
    expect([...idsOf(ran.stdout), ...idsOf(rest.stdout)]).toEqual(idsOf(whole.stdout));
  });

  test('and tells it after Ctrl-C, too', async () => {
    const { sandbox, command } = await stopped((one) => one.fail({ fault: 'timeout' }));
    await until(() => sandbox.journal.length === 3);
    command.child.kill('SIGINT');
    const ran = await command.ended;
    expect(ran.code).toBe(1);
    expect(idsOf(ran.stdout)).toHaveLength(14);
    expect(errorOf(ran)).toMatchObject({ code: 'AbortedError', pageToken: expect.any(String) });
  });
});

describe('what fails is one line of JSON, and an exit code:', () => {
  test('1: the service refuses', async () => {
    const { env } = await service();
    const ran = await run(['call', 'users.get', 'AUT39D4-G362T-XXXXXX'], env);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    const advice = 'this call changed nothing: correct it';
    expect(errorOf(ran)).toMatchObject({ outcome: 'not_applied', code: 'user_not_found', advice });
  });

  test('1: a proxy refuses, with no code of its own', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 'html', times: 'always' });
    const ran = await run(['call', 'webhooks.list', '--timeout', '2000'], env);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(errorOf(ran)).toMatchObject({ outcome: 'not_applied', code: expect.stringMatching(/./) });
  });

  test('1: a 401 names the doctor', async () => {
    const { env } = await service();
    const PARTNER_API_SECRET = Buffer.alloc(64, 7).toString('base64');
    const ran = await run(['call', 'webhooks.list'], { ...env, PARTNER_API_SECRET });
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({
      response: { status: 401 },
      advice: expect.stringContaining('npx partner-sdk doctor'),
    });
  });

  test('1: a 401 because another process was first is tried again', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 401 });
    expect(await run(['call', 'users.get', sandbox.fixtures.userId], env)).toMatchObject({ code: 0 });
    expect(sandbox.journal).toHaveLength(2);
  });

  test('1: nobody can be told the key, so nothing is sent', async () => {
    const { sandbox, env } = await service();
    const command = new RunningCommand(['call', 'webhooks.create', ...WEBHOOK], env);
    command.child.stderr.destroy();
    expect((await command.ended).code).toBe(1);
    expect(sandbox.journal).toHaveLength(0);
  });

  test.each([
    ['Latin-1', 'latin1', /it is not in UTF-8, but perhaps in Latin-1 or Windows-1252: save it as UTF-8$/],
    ['UTF-16', 'utf16le', /it is in UTF-16: save it as UTF-8$/],
  ] as const)('2: a body in %s would name another recipient, so nothing is sent', async (_, encoding, message) => {
    const { sandbox, env } = await service();
    const bytes = Buffer.from('{"to":{"tag":"Müller"},"amount":"1.00","symbol":"USD"}', encoding);
    for (const [word, input] of [[`@${await fileOf(bytes)}`, ''] as const, ['-', bytes] as const]) {
      const ran = await run(['call', 'accounts.transfers.create', 'AA3ND9X-QN6TC-CYEUVD', '--body', word], env, input);
      expect(ran.code).toBe(2);
      expect(errorOf(ran)['message']).toMatch(message);
    }
    expect(sandbox.journal).toHaveLength(0);
  });

  test('2: a word in Latin-1 would name another recipient, so nothing is sent', async () => {
    const { sandbox, env } = await service();
    const line = `exec "$0" "$1" call accounts.transfers.create AA3ND9X-QN6TC-CYEUVD --to.tag "$(printf 'M\\374ller')"`;
    const words = bash('-c', line, process.execPath, MAIN);
    const error = await promisify(execFile)(...words, { env: { ...process.env, ...env } }).catch((failed) => failed);
    expect(error.code).toBe(2);
    expect(JSON.parse(error.stderr).message).toMatch(/"M.ller" has a character that is not UTF-8$/);
    expect(sandbox.journal).toHaveLength(0);
  });

  test.each<[words: string[], message: RegExp]>([
    [['users.gte', 'x'], /did you mean users\.get\?/],
    [['users.get', 'short'], /^nothing was sent, because the input of users\.get is wrong: USER_ID must have 14 to 42/],
    [['webhooks.list', '--page_size', '0'], /--page_size must be/],
    [['funds.transactions.list', '--type', 'bogus'], /wrong: --type must be/],
    [['accounts.transfers.create', 'AA3ND9X-QN6TC-CYEUVD', '--body', '{}'], /--to\.account, --to\./],
    [['webhooks.list', '--idempotency-key', 'x'], /^webhooks\.list takes no --idempotency-key$/],
    [
      ['webhooks.create', ...WEBHOOK, '--idempotency-key', 'x'],
      /: --idempotency-key must be a UUIDv4; without the flag, a new one is drawn$/,
    ],
    [['webhooks.list', '--timeout', 'soon'], /--timeout must be a whole number/],
    [['users.get', 'AUT39D4-G362T-FYVHMD', '--all'], /--all works only for lists/],
    [
      ['webhooks.create', ...WEBHOOK, '--base-url', 'https://api.invalid'],
      /^api\.invalid is another machine, so .* needs --yes/,
    ],
    [['webhooks.create', ...WEBHOOK, '--base-url', 'https://api.invalid', '--curl'], /needs --yes/],
    [['webhooks.list', '--base-url', 'http://api.invalid'], /must be https: plain http is for loopback only$/],
    [[], /call needs an operation/],
  ])('2: wrong usage %j', async (words, message) => {
    const { sandbox, env } = await service();
    const ran = await run(['call', ...words], env);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    expect(errorOf(ran)['message']).toMatch(message);
    expect(errorOf(ran)).toMatchObject({
      outcome: 'not_applied',
      code: expect.any(String),
      advice: expect.any(String),
    });
    expect(sandbox.journal).toHaveLength(0);
  });

  test('2: a variable is missing, and a secret as a flag is no flag', async () => {
    const { env } = await service();
    const missing = await run(['call', 'webhooks.list'], { ...env, PARTNER_API_SECRET: '' });
    expect(missing.code).toBe(2);
    expect(errorOf(missing)).toMatchObject({
      message: expect.stringMatching(/^PARTNER_API_SECRET is not set/),
      advice: 'see npx partner-sdk call webhooks.list --help and npx partner-sdk call --help',
    });
    const flag = await run(['call', 'webhooks.list', '--api-secret', 'aGlkZGVu'], env);
    expect(flag.code).toBe(2);
    expect(flag.stderr).not.toContain('aGlkZGVu');
  });

  test('with --yes a write leaves this machine', async () => {
    const { env } = await service();
    const ran = await run(['call', 'webhooks.create', ...WEBHOOK, '--base-url', 'https://api.invalid', '--yes'], env);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({ name: 'ConnectionError', outcome: 'not_applied' });
  });

  test('3: a write without key whose answer is lost', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 'reset', when: 'after' });
    const submit = ['call', 'users.verifications.submitUrl', sandbox.fixtures.userId];
    const ran = await run([...submit, '--front_url', 'https://documents.example/front.jpg'], env);
    expect(ran.stderr).toMatch(/^No Idempotency-Key: a retry may have a second effect\n/);
    expect(ran.code).toBe(3);
    expect(errorOf(ran)).toMatchObject({
      outcome: 'unknown',
      advice: 'check whether it was applied before you retry it',
    });
  });

  test('4: a write that is applied, but its answer is never whole', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 'truncate', times: 'always' });
    const ran = await run(['call', 'webhooks.create', ...WEBHOOK], env);
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(errorOf(ran)).toMatchObject({
      outcome: 'applied',
      advice: expect.stringMatching(/read the state, or retry the call with --idempotency-key \S+ to get its response/),
    });
  });

  test('0: the reader of a list wants no more of it', async () => {
    const { env } = await service();
    const command = new RunningCommand(['call', 'webhooks.list', '--all'], env);
    command.child.stdout.destroy();
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('4: nobody reads the result of a write', async () => {
    const { sandbox, env } = await service();
    const command = new RunningCommand(['call', 'webhooks.create', ...WEBHOOK], env);
    command.child.stdout.destroy();
    const ran = await command.ended;
    expect(ran.code).toBe(4);
    expect(errorOf(ran)).toMatchObject({ outcome: 'applied', code: 'EPIPE' });
    expect(sandbox.journal[0]?.verdict).toBe('accepted');
  });
});

describe('between the key and the answer,', () => {
  test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    '%s ends it, and the key repeats the write: one effect',
    async (signal) => {
      const { sandbox, env } = await service();
      const before = (await run(['call', 'webhooks.list', '--all'], env)).stdout.split('\n').length;
      sandbox.fail({ operation: 'webhooks.create', fault: 'timeout', when: 'after' });
      const command = new RunningCommand(['call', 'webhooks.create', ...WEBHOOK], env);
      await until(() => sandbox.journal.some(({ operation }) => operation === 'webhooks.create'));
      // It was told before the request arrived.
      const key = keyOf(command);
      expect(key).toMatch(UUID);
      command.child.kill(signal);
      const ran = await command.ended;
      expect(ran).toMatchObject({ code: signal === 'SIGKILL' ? null : 3, stdout: '' });
      if (signal !== 'SIGKILL') {
        expect(errorOf(ran)).toMatchObject({ outcome: 'unknown', idempotencyKey: key });
        expect(errorOf(ran)['advice']).toContain(`--idempotency-key ${key}`);
      }
      const again = await run(['call', 'webhooks.create', ...WEBHOOK, '--idempotency-key', key], env);
      expect(again.code).toBe(0);
      expect(keyOf(again)).toBe(key);
      expect(JSON.parse(again.stdout)).toMatchObject({ signing_secret: expect.any(String) });
      expect(sandbox.journal.at(-1)?.verdict).toBe('replayed');
      expect((await run(['call', 'webhooks.list', '--all'], env)).stdout.split('\n')).toHaveLength(before + 1);
    },
  );

  test('Ctrl-C of a read changes nothing', async () => {
    const { sandbox, env } = await service();
    sandbox.fail({ fault: 'timeout' });
    const command = new RunningCommand(['call', 'users.get', sandbox.fixtures.userId], env);
    await until(() => sandbox.journal.length === 1);
    command.child.kill('SIGINT');
    expect((await command.ended).code).toBe(1);
  });
});
