import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ConnectionError,
  fetchTransport,
  PartnerClient,
  type Transport,
  undiciTransport,
} from '../../../src/index.js';
import { freePort } from '../../support/free-port.js';
import { Service } from '../../support/service.js';

const USER = 'USER-OF-TESTS-0001';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const TRANSPORTS = [
  ['undici', undiciTransport],
  ['fetch', fetchTransport],
] as const;

async function errorAt(baseUrl: string, transport: () => Transport, keys = { apiKey: 'key', apiSecret: 'c2VjcmV0' }) {
  const client = new PartnerClient({ baseUrl, ...keys, maxRetries: 1, transport: transport() });
  open.push(client);
  return (await client.users.get(USER).catch((thrown: unknown) => thrown)) as ConnectionError;
}

describe.each(TRANSPORTS)('a ConnectionError (%s)', (_, transport) => {
  it.each(['127.0.0.1', 'localhost', '[::1]'])(
    'of a refused connection to %s has host, port, operation and code',
    async (host) => {
      const port = await freePort();
      const error = await errorAt(`http://${host}:${port}`, transport);
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_applied' });
      expect(error.message).toBe(`no connection to ${host}:${port} (users.get): ECONNREFUSED`);
      const json = JSON.stringify(error);
      expect(JSON.parse(json)).toMatchObject({ code: 'ECONNREFUSED', message: error.message, operation: 'users.get' });
      // The reason that the system gives, wherever the transport has put it.
      expect(json).toContain(`connect ECONNREFUSED`);
      expect(inspect(error)).toContain("code: 'ECONNREFUSED'");
    },
  );

  it('of a host that there is not names it, with the default port', async () => {
    const error = await errorAt('https://no-such-host.invalid', transport);
    expect(error.message).toMatch(/^no connection to no-such-host\.invalid:443 \(users\.get\): (ENOTFOUND|EAI_AGAIN)$/);
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it('of an answer that broke off says so', async () => {
    const service = await Service.start();
    open.push(service);
    service.script = () => ({ status: 500, fault: 'reset' });
    const { host } = new URL(service.url);
    const error = await errorAt(service.url, transport, { apiKey: service.apiKey, apiSecret: service.apiSecret });
    expect(error.message).toMatch(`the connection to ${host} broke before the answer was whole (users.get): `);
    expect(error.code).toEqual(expect.any(String));
  });
});
