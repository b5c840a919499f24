/**
 * A process that finds out by experiment which names zod, undici and Node look up on `Object.prototype`.
 * It puts a getter there for each name in their sources, makes calls of all kinds, and prints each
 * name that was looked up with the file that did it, as JSON. The getters give `undefined`, so nothing else changes.
 * Arguments: addresses of services over HTTP, over HTTP/1.1 with TLS, over HTTP/2, their certificate, and their API key
 * with its secret.
 */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { createRequire } from 'node:module';
import { connect as connectTcp, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { connect as connectTls, createSecureContext } from 'node:tls';
import * as undici from 'undici';
import * as z from 'zod';
import { fetchTransport, PartnerClient, type Transport, undiciTransport } from '../../src/index.js';
import { signWebhook, verifyWebhook, webhookHandler } from '../../src/webhooks/index.js';

const [http = '', https = '', http2 = '', ca = '', apiKey = '', apiSecret = ''] = process.argv.slice(2);
const { stdout } = process;
const require = createRequire(import.meta.url);

/** With one of these there, the language itself takes every description of a property for another. */
export const DESCRIPTOR = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];

function sources(): string[] {
  const { binding } = process as unknown as { readonly binding?: (name: string) => Record<string, string> };
  const ofNode = Object.values(binding?.call(process, 'natives') ?? {}).filter((text) => typeof text === 'string');
  const ofPackages = ['undici', 'zod', 'decimal.js'].flatMap((name) => {
    const folder = dirname(require.resolve(`${name}/package.json`));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => /\.c?js$/.test(file)).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  });
  return [...ofNode, ...ofPackages, readFileSync(new URL(import.meta.url), 'utf8')];
}

function candidates(): Set<PropertyKey> {
  const names = new Set<PropertyKey>(Array.from({ length: 20 }, (_, index) => String(index)));
  for (const source of sources()) {
    for (const [name] of source.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(name);
    for (const [, name = ''] of source.matchAll(/['"](:?[a-z][a-z0-9-]*)['"]/g)) names.add(name);
  }
  for (const symbol of Reflect.ownKeys(Symbol)) {
    const value = Reflect.get(Symbol, symbol);
    if (typeof value === 'symbol') names.add(value);
  }
  for (const name of [...Reflect.ownKeys(Object.prototype), ...DESCRIPTOR]) names.delete(name);
  return names;
}

const seen = new Map<string, Set<string>>();
let isNoting = false;

function note(name: PropertyKey): void {
  if (isNoting) return;
  isNoting = true;
  const { prepareStackTrace } = Error;
  let files: string[] = [];
  Error.prepareStackTrace = (_, sites) => {
    files = sites.map((site) => site.getFileName() ?? '').filter((file) => file !== '');
    return '';
  };
  const holder = { __proto__: null, stack: undefined };
  Error.captureStackTrace(holder);
  // V8 makes the text when it is read.
  void holder.stack;
  Error.prepareStackTrace = prepareStackTrace;
  // The first two frames are this function and the getter.
  const [, , reader] = files;
  const readers = seen.get(String(name)) ?? new Set();
  seen.set(String(name), readers.add(reader ?? ''));
  isNoting = false;
}

function install(names: Iterable<PropertyKey>): void {
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, {
      __proto__: null,
      configurable: true,
      get() {
        note(name);
      },
      set(value: unknown) {
        const own = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
        Reflect.defineProperty(this as object, name, own as PropertyDescriptor);
      },
    } as PropertyDescriptor);
  }
}

const ACCOUNT = 'ACCOUNT-0000-0001';
const KEY = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
const quote = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };
const saved = { asset_symbol: 'BTC', method_id: KEY, key: 'cold', address: 'bc1' };
const transfers: readonly (readonly [string, () => Transport])[] = [
  [http, () => undiciTransport()],
  [https, () => undiciTransport({ tls: { ca } })],
  [http2, () => undiciTransport({ tls: { ca } })],
  [http2, () => undiciTransport()],
  ['http://127.0.0.1:1', () => undiciTransport()],
  [http, () => undiciTransport({ dispatcher: new undici.Agent() })],
  [https, () => undiciTransport({ dispatcher: new undici.Agent({ connect: { ca } }) })],
  [http, () => fetchTransport()],
  [https, () => fetchTransport()],
];

const calls: readonly ((client: PartnerClient) => PromiseLike<unknown>)[] = [
  (client) => client.users.get('USER-0000-0000-0001'),
  (client) => client.users.get(''),
  (client) => client.users.get('USER-0000-0000-0001', { signal: AbortSignal.timeout(5_000) }),
  (client) => client.users.waitFor('USER-0000-0000-0001', { timeout: 100 }),
  (client) => client.accounts.quotes.create(ACCOUNT, quote, { idempotencyKey: KEY }),
  (client) => client.accounts.quotes.create(ACCOUNT, { ...quote, from: { symbol: '' } } as never),
  (client) => client.accounts.quotes.create(ACCOUNT, { ...quote, from: { symbol: '' } } as never),
  (client) => client.accounts.quotes.create(ACCOUNT, { ...quote, from: 5 } as never),
  (client) => client.accounts.portfolio.details(ACCOUNT),
  (client) => client.funds.withdrawalAddresses.save(ACCOUNT, saved, { idempotencyKey: KEY }),
  (client) => client.users.assets.list('USER-0000-0000-0001', { page_size: 5 } as never),
  (client) => client.webhooks.list().toArray({ limit: 3 }),
  (client) => client.request({ method: 'GET', path: '/v1/things', schema: z.object({ data: z.unknown() }) }),
  (client) => client.request({ method: 'POST', path: '/v1/things/{id}', params: { id: 'x' }, body: { list: [1] } }),
  (client) => client.request({ method: 'GET', path: '/v1/fault/400' }),
  (client) => client.request({ method: 'GET', path: '/v1/fault/503' }),
  (client) => client.request({ method: 'GET', path: '/v1/fault/reset' }),
];

async function make(origin: string, transport: Transport): Promise<void> {
  const client = new PartnerClient({ baseUrl: origin, apiKey, apiSecret, transport, maxRetries: 0, timeout: 700 });
  for (let round = 0; round < 2; round++) {
    for (const call of calls) await Promise.resolve(call(client)).catch(() => {});
  }
  await Promise.all(calls.slice(0, 3).map((call) => Promise.resolve(call(client)).catch(() => {})));
  await client.close();
}

async function deliver(): Promise<void> {
  const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
  const headers = signWebhook({ body, secret: apiSecret });
  verifyWebhook({ body, headers, secret: apiSecret });
  const handle = webhookHandler({ secret: apiSecret, onEvent: () => {} });
  await handle(new Request('http://localhost/', { method: 'POST', body, headers: { ...headers } }));
}

/** What the client does with objects that inherit nothing, done with plain ones: those show every name that is read. */
async function usePlainObjects(): Promise<void> {
  const schema = z.object({ naming: z.string().min(1), listing: z.array(z.looseObject({})).optional() });
  for (const value of [{ naming: 'x', listing: [{}] }, { naming: '' }, {}]) {
    schema.safeParse(value, {});
    await schema.safeParseAsync(value, {});
  }
  const { hostname, port } = new URL(http);
  await opened(connectTcp({ host: hostname, port: Number(port) }));
  for (const origin of [https, http2]) {
    const { hostname: host, port: secure } = new URL(origin);
    await opened(connectTls({ host, port: Number(secure) }), 'secureConnect');
    await opened(
      connectTls({ host, port: Number(secure), secureContext: createSecureContext({ ca }) }),
      'secureConnect',
    );
  }
  const session = connectHttp2(http2, { ca, settings: {} });
  const stream = session.request({ ':path': '/' }, {});
  stream.on('error', () => {}).resume();
  await new Promise((resolve) => stream.once('close', resolve));
  session.close();
  const client = new undici.Client(http, {});
  await new Promise<void>((resolve) => {
    const [begin, end] = [() => {}, () => resolve()];
    const handler = { onRequestStart: begin, onResponseStart: begin, onResponseData: begin };
    client.dispatch({ method: 'GET', path: '/' }, { ...handler, onResponseEnd: end, onResponseError: end });
  });
  await client.close();
  await fetch(http, { method: 'POST', body: 'x' }).then((answer) => answer.text());
  createHmac('sha256', 'key', {}).update('x').digest('hex');
}

function opened(socket: Socket, event = 'connect'): Promise<void> {
  return new Promise((resolve) => {
    socket.once(event, () => resolve(void socket.destroy())).once('error', () => resolve());
  });
}

const names = candidates();
// The client is to go on: it must not find what is put there.
const { ownKeys } = Reflect;
const native = ownKeys(Object.prototype);
Reflect.ownKeys = (object) => (object === Object.prototype ? native : ownKeys(object));
install(names);
for (const [origin, transport] of transfers) await make(origin, transport());
await deliver();
await Promise.race([usePlainObjects(), new Promise((resolve) => setTimeout(resolve, 5_000))]);
for (const name of names) Reflect.deleteProperty(Object.prototype, name);
const found = Object.fromEntries([...seen].map(([name, readers]) => [name, [...readers]]));
stdout.write(JSON.stringify({ candidates: names.size, found }));
