import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.js';
import { signWebhook } from '../../src/webhooks/index.js';
import { certificateFile, LOCAL } from '../support/tls.js';
import { type Ran, run, service } from './support/run.js';

interface Finding {
  readonly about: string;
  readonly level: string;
  readonly message: string;
}

interface Report extends Ran {
  readonly findings: readonly Finding[];
}

async function doctor(words: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Promise<Report> {
  const ran = await run(words, env, input);
  return { ...ran, findings: words.includes('--json') && ran.stdout !== '' ? JSON.parse(ran.stdout).findings : [] };
}

const about = ({ findings }: Report, name: string) => findings.filter((one) => one.about === name);

async function server(listener: RequestListener): Promise<string> {
  const made = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => made.once('listening', resolve));
  onTestFinished(() => {
    made.closeAllConnections();
    made.close();
  });
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

describe('doctor, where all is right', () => {
  test('makes one signed read, finds no problem and ends with 0', async () => {
    const { sandbox, env } = await service();
    const ran = await doctor(['doctor', '--json'], env);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout).ok).toBe(true);
    expect(sandbox.journal.map(({ operation, status }) => [operation, status])).toEqual([['webhooks.list', 200]]);
    expect(about(ran, 'secret')).toEqual([{ about: 'secret', level: 'ok', message: 'base64, 64 bytes' }]);
    expect(about(ran, 'clock')[0]?.level).toBe('ok');
    expect(about(ran, 'http')[0]?.message).toBe('HTTP/1.1');
    expect(about(ran, 'nonce')[0]?.message).toContain('19 digits');
    expect(about(ran, 'tls')[0]?.level).toBe('warning');
  });

  test('reads the user that the environment names, and prints lines for people', async () => {
    const { sandbox, env } = await service();
    const { PARTNER_BASE_URL, ...keys } = env;
    const user = { ...keys, PARTNER_USER_ID: sandbox.fixtures.userId };
    const ran = await doctor(['doctor', '--base-url', PARTNER_BASE_URL], user);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^ok +read +the service accepted API key, signature and nonce$/m);
    expect(ran.stdout).toMatch(/No problem was found\.\n$/);
    expect(sandbox.journal[0]?.operation).toBe('users.get');
  });

  test('over HTTPS it tells protocol, ALPN and the certificate', async () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ tls: LOCAL });
    const { apiKey, apiSecret } = sandbox.credentials;
    const env = { PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
    const ran = await doctor(['doctor', '--json'], { ...env, NODE_EXTRA_CA_CERTS: certificateFile(LOCAL.cert) });
    expect(ran.code).toBe(0);
    expect(about(ran, 'tls')[0]?.message).toMatch(/^TLSv1\.3, ALPN h2, certificate for \d+ more days$/);
    expect(about(ran, 'http')[0]?.message).toBe('HTTP/2');
    const untrusted = await doctor(['doctor', '--json'], env);
    expect(untrusted.code).toBe(1);
    expect(about(untrusted, 'tls')[0]?.message).toMatch(/no handshake: \w+/);
  });
});

describe('doctor, where something is wrong', () => {
  test.each([
    ['of another key', () => Buffer.alloc(64, 7).toString('base64'), /401/, /not that of this API key/],
    ['with quotation marks', (secret: string) => `"${secret}"`, undefined, /quotation marks/],
    ['with a line end', (secret: string) => `${secret}\n`, undefined, /white space or a line end/],
    ['in hex', (secret: string) => Buffer.from(secret, 'base64').toString('hex'), undefined, /looks like hex/],
    ['cut off', (secret: string) => secret.slice(0, 12), undefined, /cut off/],
  ])('a secret %s', async (_, change, read, message) => {
    const { env } = await service();
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_API_SECRET: change(env.PARTNER_API_SECRET) });
    expect(ran.code).toBe(1);
    expect(JSON.stringify(ran.findings)).toMatch(message);
    if (read !== undefined) expect(about(ran, 'read')[0]?.message).toMatch(read);
  });

  test('key and secret are swapped, so nothing is sent', async () => {
    const { sandbox, env } = await service();
    const { PARTNER_API_KEY, PARTNER_API_SECRET } = env;
    const swapped = { ...env, PARTNER_API_KEY: PARTNER_API_SECRET, PARTNER_API_SECRET: PARTNER_API_KEY };
    const ran = await doctor(['doctor', '--json'], swapped);
    expect(ran.code).toBe(1);
    expect(about(ran, 'secret')[0]?.message).toMatch(/swap the two/);
    expect(about(ran, 'read')[0]?.message).toBe('nothing was sent');
    expect(sandbox.journal).toHaveLength(0);
  });

  test.each([
    ['a path too many', '/v1', 'AUT39D4-G362T-FYVHMD', /the base URL has a path; http:\/\/127\.0\.0\.1:\d+ alone/],
    ['a path too many, and no user', '/v1', '', /the base URL has a path/],
  ])('the base URL has %s', async (_, path, userId, message) => {
    const { env, url } = await service();
    const wrong = { ...env, PARTNER_BASE_URL: `${url}${path}`, PARTNER_USER_ID: userId };
    const ran = await doctor(['doctor', '--json'], wrong);
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.message).toMatch(message);
  });

  test('another API answers 404', async () => {
    const { env } = await service();
    const url = await server((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":"not_found"}}');
    });
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: url });
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.message).toMatch(/the API is not at this base URL/);
  });

  test('an unknown user is a warning alone', async () => {
    const { env } = await service();
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_USER_ID: 'AUT39D4-G362T-XXXXXX' });
    expect(ran.code).toBe(0);
    expect(about(ran, 'read')[0]).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/user is unknown/),
    });
  });

  test('http to a port that speaks TLS', async () => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ tls: LOCAL });
    const { env } = await service();
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: url.replace('https:', 'http:') });
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.message).toMatch(/must begin with https/);
  });

  test('the key was used with a larger nonce: the service that explains itself is quoted', async () => {
    const { sandbox, env } = await service({ explain: true });
    const { PartnerClient } = await import('../../src/index.js');
    await using ahead = new PartnerClient({
      baseUrl: env.PARTNER_BASE_URL,
      ...sandbox.credentials,
      nonce: { next: () => BigInt(Date.now()) * 1_000_000n + 3_600_000_000_000n },
    });
    await ahead.webhooks.list();
    const ran = await doctor(['doctor', '--json'], env);
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.message).toMatch(/401 .*API-Nonce/);
    expect(
      about(ran, '401')
        .map(({ message }) => message)
        .join(),
    ).toMatch(/higher nonce/);
  });

  test('the clocks are 10 minutes apart', async () => {
    const { sandbox, env } = await service();
    const url = await server(async (request, response) => {
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await sandbox.fetch(new Request(`http://127.0.0.1${request.url}`, { headers }));
      response.setHeader('date', new Date(Date.now() + 600_000).toUTCString());
      response.setHeader('via', '1.1 edge');
      response.setHeader('server', `echo of ${String(request.headers['api-sign']).slice(0, 44)}`);
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: url });
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.level).toBe('ok');
    expect(about(ran, 'clock')[0]).toMatchObject({ level: 'problem' });
    expect(about(ran, 'clock')[0]?.message).toMatch(/^this machine is (59\d|60\d) s behind the service/);
    expect(about(ran, 'edge')[0]?.message).toBe('server: echo of …, via: 1.1 edge');
  });

  test('nothing listens, and a name is unknown', async () => {
    const { env } = await service();
    const refused = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: 'http://127.0.0.1:1' });
    expect(refused.code).toBe(1);
    expect(about(refused, 'read')[0]?.message).toMatch(/ECONNREFUSED/);
    const unknown = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: 'https://no-such-host.invalid' });
    expect(unknown.code).toBe(1);
    expect(about(unknown, 'tls')[0]?.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  test('plain http to another machine is refused, and nothing is sent', async () => {
    const { env } = await service();
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: 'http://api.example.com' });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(/the base URL must be https: plain http is for loopback only/);
  });

  test.each([[502], [200]])('a proxy answers %d with HTML', async (status) => {
    const { env } = await service();
    const url = await server((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>secret page</h1>');
    });
    const ran = await doctor(['doctor', '--json'], { ...env, PARTNER_BASE_URL: url });
    expect(ran.code).toBe(1);
    expect(about(ran, 'read')[0]?.message).toMatch(/proxy/);
    expect(ran.stdout).not.toContain('secret page');
  });

  test('wrong use ends with 2 and one line', async () => {
    const { env } = await service();
    for (const [words, variables, message] of [
      [['doctr'], env, /did you mean doctor/],
      [[], env, /command is missing/],
      [['doctor', '--jsno'], env, /did you mean --json\? See partner-sdk doctor --help/],
      [['doctor', '--timeout', 'soon'], env, /whole number/],
      [['doctor'], { ...env, PARTNER_API_SECRET: '' }, /PARTNER_API_SECRET is not set/],
      [
        ['doctor'],
        { ...env, PARTNER_BASE_URL: '', PARTNER_API_KEY: '' },
        /PARTNER_BASE_URL and PARTNER_API_KEY are not set/,
      ],
      [['doctor', 'webhook', '/no/such/file'], WEBHOOK_ENV, /cannot be read: ENOENT/],
    ] as const) {
      const ran = await doctor(words, variables);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toMatch(message);
      expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    }
    expect((await doctor(['--help'])).stdout).toMatch(/Exit codes: 0/);
    expect((await doctor(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

const secret = Buffer.from('a signing secret of a webhook').toString('base64');
const body = '{"id":"evt_1","type":"quote.executed","data":{}}';
const signed = (options: object = {}) => signWebhook({ body, secret, ...options })['X-Signature'];
const WEBHOOK_ENV = { PARTNER_WEBHOOK_SECRET: secret, PARTNER_WEBHOOK_SIGNATURE: 't=1,v1=00' };
const check = (text: string, signature: string, more: NodeJS.ProcessEnv = {}) =>
  doctor(['doctor', 'webhook', '--json'], { ...WEBHOOK_ENV, PARTNER_WEBHOOK_SIGNATURE: signature, ...more }, text);

describe('doctor webhook', () => {
  test('takes a genuine delivery from stdin', async () => {
    const ran = await check(body, signed());
    expect(ran.code).toBe(0);
    expect(about(ran, 'webhook')[0]?.message).toBe('the delivery is genuine and fresh');
    expect(ran.stdout).not.toContain('quote.executed');
  });

  test.each([
    [
      'a body that was parsed and written anew',
      JSON.stringify(JSON.parse(body), null, 2),
      signed(),
      {},
      /written anew/,
    ],
    ['a pasted line end', `${body}\n`, signed(), {}, /line end/],
    ['another secret', body, signed({ secret: Buffer.alloc(32, 1).toString('base64') }), {}, /another secret/],
    [
      'a delivery of an hour ago',
      body,
      signed({ timestampSeconds: Math.floor(Date.now() / 1000) - 3600 }),
      {},
      /36\d\d s old/,
    ],
    ['a header of another form', body, 'sha256=abc', {}, /./],
    ['a secret that is not base64', body, signed(), { PARTNER_WEBHOOK_SECRET: 'whsec:%%%%' }, /base64/],
  ])('names the mistake of %s', async (_, text, signature, env, message) => {
    const ran = await check(text, signature, env);
    expect(ran.code).toBe(1);
    expect(about(ran, 'webhook')[0]?.message).toMatch(message);
  });

  test('a secret with a line end is a problem, as a handler refuses it', async () => {
    const ran = await check(body, signed(), { PARTNER_WEBHOOK_SECRET: `${secret}\n` });
    expect(ran.code).toBe(1);
    expect(about(ran, 'secret')[0]?.message).toMatch(/^PARTNER_WEBHOOK_SECRET has white space or a line end/);
  });

  test('the header may be pasted with its name', async () => {
    expect((await check(body, `X-Signature: ${signed()}`)).code).toBe(0);
  });

  test('a tolerance may be given', async () => {
    const old = signed({ timestampSeconds: Math.floor(Date.now() / 1000) - 3600 });
    const env = { ...WEBHOOK_ENV, PARTNER_WEBHOOK_SIGNATURE: old };
    expect((await doctor(['doctor', 'webhook', '--tolerance', '7200'], env, body)).code).toBe(0);
  });
});
