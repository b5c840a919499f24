import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox, type ListenOptions } from '../../../src/sandbox/index.js';

/** Listens, and returns a function that asks for the credentials under another name of the host. */
async function listening(options: ListenOptions) {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  const { port } = await sandbox.listen(options);
  return (host: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const path = '/_sandbox/credentials';
      const asked = request({ host: '127.0.0.1', port, path, headers: { host, ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      });
      asked.on('error', reject).end();
    });
}

test('a name without a dot, as that of a service in a network of containers, is taken where others reach it', async () => {
  const ask = await listening({ host: '0.0.0.0' });
  for (const name of ['sandbox', 'sandbox:8420', 'SANDBOX', 'my_sandbox-1:80']) {
    expect(await ask(name)).toMatchObject({ status: 200 });
  }
  expect(await ask('sandbox:8420', { origin: 'http://sandbox:8420' })).toMatchObject({ status: 200 });
});

test.each([
  'rebound.example',
  'sandbox.',
  'a.b',
  '127.0.0.1.nip.io',
  'localhost.example',
  'a b',
  '%',
  '*',
  'evil.example:80@localhost',
  'evil.example@127.0.0.1:1',
  'localhost/x',
])('the name %j of a page is refused there, and the refusal names the option', async (name) => {
  const ask = await listening({ host: '0.0.0.0' });
  const { status, text } = await ask(name);
  expect(status).toBe(403);
  expect(text).toContain('--allow-host');
  expect(text).toContain('PARTNER_SANDBOX_ALLOW_HOST');
  expect(text).toContain('allowedHosts');
});

test('on this machine alone such a name needs to be allowed', async () => {
  const ask = await listening({});
  expect(await ask('sandbox')).toMatchObject({ status: 403 });
  const allowing = await listening({ allowedHosts: ['Sandbox', 'sandbox.test'] });
  expect(await allowing('sandbox:8420')).toMatchObject({ status: 200 });
  expect(await allowing('Sandbox.TEST')).toMatchObject({ status: 200 });
  expect(await allowing('other.test')).toMatchObject({ status: 403 });
});

test('a page of another origin has no access by an allowed name either', async () => {
  const ask = await listening({ allowedHosts: ['sandbox.test'] });
  for (const origin of ['http://rebound.example', 'https://sandbox.test', 'null', 'http://sandbox.test:1']) {
    expect(await ask('sandbox.test', { origin })).toMatchObject({ status: 403 });
  }
  expect(await ask('sandbox.test', { 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
});

test.each([['sandbox.test'], [['http://sandbox']], [['sandbox:80']], [['*.test']], [['']], [[5]]])(
  'allowedHosts: %j is refused by name',
  async (allowedHosts) => {
    const sandbox = createSandbox();
    const wrong = { allowedHosts } as unknown as ListenOptions;
    await expect(sandbox.listen(wrong)).rejects.toThrow(/^listen: allowedHosts must be a list of host names$/);
    await sandbox.close();
  },
);

test.each(['127.0.0.1', '0.0.0.0'])(
  'a health check by HTTP/1.0 names no host, and a sandbox on %s is healthy',
  async (host) => {
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.close());
    const { port } = await sandbox.listen({ host });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /_sandbox/health HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  },
);
