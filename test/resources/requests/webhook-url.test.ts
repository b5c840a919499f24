import { describe, expect, test } from 'vitest';
import { PartnerClient, RequestValidationError } from '../../../src/index.js';
import { createSandbox, createTestClient } from '../../../src/sandbox/index.js';

const sandbox = createSandbox({ seed: 1 });
const clientAt = (baseUrl: string, allowInsecureHttp = false) =>
  new PartnerClient({ ...sandbox.credentials, baseUrl, allowInsecureHttp, transport: sandbox.transport() });

const ON_THIS_MACHINE = ['localhost:3000', '127.0.0.1', '127.9.0.1:8080', '[::1]:8080', '127.1'];
const NEAR = [
  ...['application:3000', 'my_app', 'host.docker.internal:3000', 'app.localhost', 'hooks.default.svc.cluster.local'],
  ...['10.0.0.1', '10.255.255.255:80', '172.16.0.1', '172.31.255.1', '192.168.1.7', '[fc00::1]', '[fd12:3456::1]:8080'],
];
const FAR = [
  ...['partner.example', 'localhost.example', 'internal.example', 'notinternal.example', '10.0.0.1.example'],
  ...[
    '8.8.8.8',
    '11.0.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[2001:db8::1]',
  ],
];

const register = (client: PartnerClient, url: string) =>
  client.webhooks.create({ url }).then(
    (made) => made.url,
    (error: unknown) => (error instanceof RequestValidationError ? error.issues[0]?.message : error),
  );

describe.each([
  ['a client of a sandbox on loopback', clientAt('http://127.0.0.1:8420')],
  ['a client of a sandbox on loopback with TLS', clientAt('https://localhost:8420')],
  ['a client with allowInsecureHttp', clientAt('http://sandbox:8420', true)],
  ['a test client', createTestClient().client],
])('%s', (_, client) => {
  test.each([...ON_THIS_MACHINE, ...NEAR])('registers a webhook at http://%s', async (host) => {
    expect(await register(client, `http://${host}/hooks`)).toBe(`http://${host}/hooks`);
  });

  test.each(FAR)('registers no webhook at http://%s', async (host) => {
    expect(await register(client, `http://${host}/hooks`)).toMatch(/^must be an https URL/);
  });
});

describe('a client of a service on the internet', () => {
  const client = clientAt('https://api.partner.example');

  test.each(NEAR)('registers no webhook at http://%s, and says which client does', async (host) => {
    const sent = sandbox.journal.length;
    expect(await register(client, `http://${host}/hooks`)).toMatch(/^must be https: .*allowInsecureHttp/);
    expect(sandbox.journal).toHaveLength(sent);
  });

  test('registers one over https at any host, and over http on this machine', async () => {
    for (const url of ['https://application:3000/hooks', ...ON_THIS_MACHINE.map((host) => `http://${host}/hooks`)]) {
      expect(await register(client, url)).toBe(url);
    }
  });
});
