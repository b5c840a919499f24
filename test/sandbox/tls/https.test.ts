import { execFile } from 'node:child_process';
import { connect } from 'node:http2';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PartnerClient, undiciTransport } from '../../../src/index.js';
import { createSandbox, type FaultKind, type ListenOptions } from '../../../src/sandbox/index.js';
import { certificateFor } from '../../support/certificate.js';
import { certificateFile, LOCAL } from '../../support/tls.js';
import { bodies } from '../support/partner.js';
import { overHttp1, overHttp2, PROTOCOLS, secureSandbox } from './support.js';

describe.each(PROTOCOLS)('a sandbox with a certificate, by %s', (protocol) => {
  test('answers reads and writes, and remembers keys', async () => {
    const { sandbox, partner, ask, url } = await secureSandbox();
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const read = await ask(protocol, { method: 'GET', path: '/v1/webhooks' });
    expect(read).toMatchObject({ status: 200, body: expect.stringContaining('"data"') });
    const write = { method: 'POST', path: `${partner.account}/quotes`, body: bodies.quote };
    const headers = { 'Idempotency-Key': '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90' };
    const [one, two] = [await ask(protocol, { ...write, headers }), await ask(protocol, { ...write, headers })];
    expect(one.status).toBe(200);
    expect(two.body).toBe(one.body);
    expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'replayed']);
  });

  test.each<[what: string, fault: FaultKind, status: number | undefined]>([
    ['a connection that breaks before the answer', 'reset', undefined],
    ['an answer that breaks off', 'truncate', 200],
  ])('shows %s', async (_, fault, status) => {
    const { sandbox, partner, ask } = await secureSandbox();
    const path = `${partner.account}/quotes/${sandbox.fixtures.quoteId}`;
    const whole = await ask(protocol, { method: 'GET', path });
    sandbox.fail({ fault });
    const arrived = await ask(protocol, { method: 'GET', path });
    expect(arrived.error).toMatch(protocol === 'HTTP/2' ? /NGHTTP2_INTERNAL_ERROR/ : /ECONNRESET|aborted/);
    expect(arrived.status).toBe(status);
    if (status === 200) expect(arrived.body).toBe(whole.body.slice(0, Math.floor(whole.body.length / 2)));
    // Other requests are not touched.
    expect(await ask(protocol, { method: 'GET', path })).toEqual(whole);
  });

  test.each([204, 205, 304, 503])('shows the status %i', async (fault) => {
    const { sandbox, ask } = await secureSandbox();
    sandbox.fail({ fault });
    expect(await ask(protocol, { method: 'GET', path: '/v1/webhooks' })).toMatchObject({ status: fault });
  });

  test('shows a slow answer, byte by byte', async () => {
    const { sandbox, ask } = await secureSandbox();
    sandbox.fail({ fault: 'slow', bytesPerSecond: 50_000 });
    const slow = await ask(protocol, { method: 'GET', path: '/v1/webhooks' });
    expect(slow).toEqual(await ask(protocol, { method: 'GET', path: '/v1/webhooks' }));
  });

  test('refuses a body that is too large', async () => {
    const { partner, ask } = await secureSandbox();
    const body = 'x'.repeat(1024 * 1024 + 1);
    const refused = await ask(protocol, { method: 'POST', path: `${partner.account}/quotes`, body });
    expect(refused).toMatchObject({ status: 413 });
  });

  test('has its control plane there, and for pages of its own origin alone', async () => {
    const { url, ca } = await secureSandbox();
    const over = protocol === 'HTTP/2' ? overHttp2 : overHttp1;
    const ask = (headers: Readonly<Record<string, string>>) =>
      over({ url, ca, method: 'GET', path: '/_sandbox/clock/now', headers, bytes: undefined });
    expect(await ask({})).toMatchObject({ status: 200 });
    expect(await ask({ origin: url })).toMatchObject({ status: 200 });
    expect(await ask({ origin: url.replace('https', 'http') })).toMatchObject({ status: 403 });
    const host = protocol === 'HTTP/2' ? ':authority' : 'host';
    expect(await ask({ [host]: 'rebound.example' })).toMatchObject({ status: 403 });
  });
});

test('our client trusts the certificate, and retries what was reset', async () => {
  const { sandbox, url, ca } = await secureSandbox();
  const transport = undiciTransport({ tls: { ca } });
  const client = new PartnerClient({ baseUrl: url, ...sandbox.credentials, transport });
  onTestFinished(() => client.close());
  const { accountId } = sandbox.fixtures;
  sandbox.fail({ operation: 'accounts.portfolio.details', fault: 'reset', times: 1 });
  await client.accounts.portfolio.details(accountId);
  await client.webhooks.list();
  expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['fault_before', 'accepted', 'accepted']);
});

test('curl speaks both with it', async () => {
  const { url, ca } = await secureSandbox();
  const file = certificateFile(ca);
  for (const [option, version] of [
    ['--http2', '2'],
    ['--http1.1', '1.1'],
  ] as const) {
    const words = ['-sS', '--cacert', file, option, '-o', '/dev/null', '-w', '%{http_code} %{http_version}'];
    const { stdout } = await promisify(execFile)('curl', [...words, `${url}/_sandbox/fixtures`]);
    expect(stdout).toBe(`200 ${version}`);
  }
});

test('a client that does not know its certificate refuses it', async () => {
  const { url } = await secureSandbox();
  await expect(fetch(`${url}/_sandbox/clock/now`)).rejects.toThrow();
  const asked = {
    url,
    ca: certificateFor('127.0.0.1').cert,
    method: 'GET',
    path: '/_sandbox/clock/now',
    headers: {},
    bytes: undefined,
  };
  expect((await overHttp1(asked)).error).toMatch(/CERT|UNABLE/);
});

test.each<[what: string, tls: unknown, says: string]>([
  ['a text', 'yes', 'listen: tls must be an object'],
  ['true', true, 'listen: tls must be an object'],
  ['a certificate without key', { cert: LOCAL.cert }, 'listen: tls.key must be a private key in PEM'],
  ['no certificate', { ...LOCAL, cert: 'x' }, 'listen: tls.cert must be a certificate in PEM'],
  ['a further member', { ...LOCAL, ca: 'x' }, 'listen: tls must not have ca'],
  [
    'a key of another',
    { ...certificateFor('a.test'), cert: LOCAL.cert },
    'key and cert of tls cannot be used together',
  ],
])('%s as tls is refused, and the sandbox may listen afterwards', async (_, tls, says) => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  await expect(sandbox.listen({ tls } as ListenOptions)).rejects.toThrow(says);
  expect((await sandbox.listen()).url).toMatch(/^http:/);
});

test('closing it ends sessions of HTTP/2 that wait', async () => {
  const { sandbox, url, ca } = await secureSandbox();
  const session = connect(url, { ca });
  // What the sandbox has not read yet resets the connection: that is an end as well.
  session.on('error', () => {});
  // Whether the client sees a reset depends on what it has not read yet.
  session.on('error', () => {});
  const ended = new Promise((resolve) => session.once('close', resolve));
  await new Promise((resolve) => session.once('connect', resolve));
  await sandbox.close();
  await ended;
});
