import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Agent, ProxyAgent } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
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
  vi.unstubAllEnvs();
  for (const one of open.splice(0)) await one.close();
});

const TRANSPORTS = [
  ['undici', undiciTransport],
  ['fetch', fetchTransport],
] as const;

async function errorAt(baseUrl: string, transport: () => Transport, keys = { apiKey: 'key', apiSecret: 'c2VjcmV0' }) {
  const client = new PartnerClient({
    baseUrl,
    ...keys,
    allowInsecureHttp: true,
    maxRetries: 1,
    transport: transport(),
  });
  open.push(client);
  return (await client.users.get(USER).catch((thrown: unknown) => thrown)) as ConnectionError;
}

const NOTHING_LISTENS =
  '. Nothing listens there: check host and port of baseUrl, and that the service or the sandbox is running';

describe.each(TRANSPORTS)('a ConnectionError (%s)', (_, transport) => {
  it.each(['127.0.0.1', 'localhost', '[::1]'])(
    'of a refused connection to %s has host, port, operation and code',
    async (host) => {
      const port = await freePort();
      const error = await errorAt(`http://${host}:${port}`, transport);
      expect(error).toMatchObject({ name: 'ConnectionError', code: 'ECONNREFUSED', outcome: 'not_applied' });
      expect(error.message).toBe(`no connection to ${host}:${port} (users.get): ECONNREFUSED${NOTHING_LISTENS}`);
      const json = JSON.stringify(error);
      expect(JSON.parse(json)).toMatchObject({ code: 'ECONNREFUSED', message: error.message, operation: 'users.get' });
      // The reason that the system gives, wherever the transport has put it.
      expect(json).toContain(`connect ECONNREFUSED`);
      expect(inspect(error)).toContain("code: 'ECONNREFUSED'");
    },
  );

  it('of a host that there is not names it, with the default port', async () => {
    const error = await errorAt('https://no-such-host.invalid', transport);
    expect(error.message).toMatch(/^no connection to no-such-host\.invalid:443 \(users\.get\): (ENOTFOUND|EAI_AGAIN)/);
    // What is between a client of undici and a mock of fetch.
    expect(error.message.includes('it does not see this transport')).toBe(transport === undiciTransport);
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it('of an answer that broke off says so', async () => {
    const service = await Service.start();
    open.push(service);
    service.script = () => ({ status: 500, fault: 'reset' });
    const { host } = new URL(service.url);
    const error = await errorAt(service.url, transport, { apiKey: service.apiKey, apiSecret: service.apiSecret });
    expect(error.message).toMatch(`the connection to ${host} broke before the response was complete (users.get): `);
    expect(error.code).toEqual(expect.any(String));
  });
});

describe('a ConnectionError of a dispatcher says what to change:', () => {
  it('a proxy that asks for a password, which the error does not show', async () => {
    const proxy = createHttpServer().on('connect', (_, socket: Socket) =>
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'),
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    open.push(proxy);
    const { port } = proxy.address() as AddressInfo;
    const dispatcher = new ProxyAgent(`http://name:hunter2@127.0.0.1:${port}`);
    const error = await errorAt('https://partner.example', () => undiciTransport({ dispatcher }));
    expect(error.message).toMatch(/The proxy asks for a name and a password \(407\): write them into its URL/);
    expect(inspect(error) + JSON.stringify(error)).not.toContain('hunter2');
    await dispatcher.close();
  });

  it('a dispatcher of another undici', async () => {
    const refusal = Object.assign(new Error('invalid onConnect method'), { code: 'UND_ERR_INVALID_ARG' });
    const dispatcher = {
      dispatch: () => {
        throw refusal;
      },
    };
    const error = await errorAt('https://partner.example', () => undiciTransport({ dispatcher: dispatcher as never }));
    expect(error.message).toMatch(/it must be one of undici 7/);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%d is not followed, and the error names the new place', async (status) => {
    const service = await Service.start();
    open.push(service);
    const { apiKey, apiSecret } = service;
    service.script = () => ({ status, headers: { location: `https://moved.example/v1?secret=${apiSecret}` } });
    const error = await errorAt(service.url, undiciTransport, { apiKey, apiSecret });
    expect(error.message).toMatch(/redirects to https:\/\/moved\.example\/v1\?secret=\[redacted\].*change baseUrl$/);
    expect(service.requests).toHaveLength(1);
  });
});

const PROXY_ADVICE =
  '. HTTPS_PROXY is set, which this client does not read: to use this proxy, give transport: undiciTransport({ dispatcher: ' +
  'new ProxyAgent(process.env.HTTPS_PROXY) }), with ProxyAgent of undici 7';

describe('a proxy that the environment names', () => {
  /** No variable of the machine that runs the tests counts. */
  const set = (variables: Record<string, string>) => {
    for (const name of ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY']) {
      vi.stubEnv(name, variables[name]);
      vi.stubEnv(name.toLowerCase(), variables[name.toLowerCase()]);
    }
  };
  /** An address of this machine that is not called loopback. Nothing listens. */
  const refused = async (scheme: string) => `${scheme}://0.0.0.0:${await freePort()}`;
  const adviceAt = async (url: string, transport: () => Transport = undiciTransport) => {
    const { message } = await errorAt(url, transport);
    return /^no connection to 0\.0\.0\.0:\d+ \(users\.get\): ECONNREFUSED(.*)$/.exec(message)?.[1];
  };

  it('is named where the client finds no connection, with the way to use it, and without its password', async () => {
    set({ HTTPS_PROXY: 'http://user:hunter2@proxy.test:8080' });
    expect(await adviceAt(await refused('https'))).toBe(PROXY_ADVICE);
    const unknown = await errorAt('https://no-such-host.invalid', undiciTransport);
    expect(unknown.message).toMatch(/: (ENOTFOUND|EAI_AGAIN)\. HTTPS_PROXY is set/);
    expect(inspect(unknown) + JSON.stringify(unknown)).not.toMatch(/hunter2|proxy\.test/);
  });

  it('is named with fetchTransport() in Bun, where no agent of undici works and fetch reads the variable', async () => {
    set({ HTTPS_PROXY: 'x' });
    const { versions } = process;
    Object.defineProperty(process, 'versions', { value: { ...versions, bun: '1.4.5' } });
    try {
      const advice =
        '. HTTPS_PROXY is set, which this client does not read: to use this proxy, give transport: fetchTransport()';
      expect(await adviceAt(await refused('https'))).toBe(advice);
    } finally {
      Object.defineProperty(process, 'versions', { value: versions });
    }
  });

  it.each([
    ['https', { https_proxy: 'x' }, 'https_proxy'],
    ['https', { ALL_PROXY: 'x', HTTP_PROXY: 'x' }, 'ALL_PROXY'],
    ['http', { HTTP_PROXY: 'x', HTTPS_PROXY: 'x' }, 'HTTP_PROXY'],
    ['http', { all_proxy: 'x' }, 'all_proxy'],
    ['https', { HTTPS_PROXY: 'x', NO_PROXY: 'example.com, .internal' }, 'HTTPS_PROXY'],
    ['https', { HTTPS_PROXY: 'x', NO_PROXY: '0.0.0.0:1' }, 'HTTPS_PROXY'],
  ])('for %s with %j it is that of %s', async (scheme, variables, name) => {
    set(variables as Record<string, string>);
    expect(await adviceAt(await refused(scheme))).toBe(PROXY_ADVICE.replaceAll('HTTPS_PROXY', name));
  });

  it.each([
    ['http', { HTTPS_PROXY: 'x' }],
    ['https', { HTTP_PROXY: 'x' }],
    ['https', { HTTPS_PROXY: '' }],
    ['https', { HTTPS_PROXY: 'x', NO_PROXY: '*' }],
    ['https', { HTTPS_PROXY: 'x', no_proxy: 'example.com,0.0.0.0' }],
    ['https', { HTTPS_PROXY: 'x', NO_PROXY: '.0.0.0' }],
    ['https', {}],
  ])('for %s with %j there is none to name', async (scheme, variables) => {
    set(variables as Record<string, string>);
    expect(await adviceAt(await refused(scheme))).toBe(NOTHING_LISTENS);
  });

  it('is not named for this machine, nor to a client with a dispatcher or a fetch of its own', async () => {
    set({ HTTPS_PROXY: 'x', HTTP_PROXY: 'x' });
    expect((await errorAt(`https://127.0.0.1:${await freePort()}`, undiciTransport)).message).toContain(
      `ECONNREFUSED${NOTHING_LISTENS}`,
    );
    const agent = new Agent();
    open.push(agent);
    expect(await adviceAt(await refused('https'), () => undiciTransport({ dispatcher: agent }))).toBe(NOTHING_LISTENS);
    expect(await adviceAt(await refused('https'), fetchTransport)).toBe(NOTHING_LISTENS);
  });

  it('that a dispatcher goes through is named where it cannot be reached', async () => {
    const [service, proxy] = [await freePort(), await freePort()];
    const dispatcher = new ProxyAgent(`http://127.0.0.1:${proxy}`);
    open.push(dispatcher);
    const error = await errorAt(`http://127.0.0.1:${service}`, () => undiciTransport({ dispatcher }));
    const at = `127.0.0.1:${service} (users.get): ECONNREFUSED at 127.0.0.1:${proxy}`;
    expect(error.message).toBe(`no connection to ${at}`);
  });

  it('is named by a timeout before the first connection, and not by one after it', async () => {
    set({ HTTPS_PROXY: 'x', HTTP_PROXY: 'x' });
    const silent = await listenOn('0.0.0.0', createServer());
    const client = clientAt(`https://0.0.0.0:${silent}`);
    const opening = (await client.users.get(USER, { timeout: 300 }).catch((thrown: unknown) => thrown)) as Error;
    expect(opening.message).toBe(`the call's timeout (300 ms) passed (users.get)${PROXY_ADVICE}`);
    const answering = createHttpServer((_request, response) => void response.writeHead(200));
    const connected = clientAt(`http://0.0.0.0:${await listenOn('0.0.0.0', answering)}`);
    const late = (await connected.users.get(USER, { timeout: 300 }).catch((thrown: unknown) => thrown)) as Error;
    expect(late.message).toBe("the call's timeout (300 ms) passed (users.get)");
  });
});

it('https to a port that speaks http says so, on the way of the SDK and on others', async () => {
  const port = await listenOn('127.0.0.1', createHttpServer());
  for (const transport of [undiciTransport, fetchTransport]) {
    const error = await errorAt(`https://127.0.0.1:${port}`, transport);
    expect(error.code).toMatch(/^ERR_SSL_/);
    expect(error.message).toMatch(
      /: ERR_SSL_\w+\. The server speaks http at this port, not https: check the scheme and port of baseUrl$/,
    );
  }
});

function clientAt(baseUrl: string): PartnerClient {
  const client = new PartnerClient({
    baseUrl,
    apiKey: randomUUID(),
    apiSecret: 'c2VjcmV0',
    allowInsecureHttp: true,
    maxRetries: 0,
    transport: undiciTransport(),
  });
  open.push(client);
  return client;
}

async function listenOn(host: string, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}
