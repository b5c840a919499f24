/**
 * A process in which one name after the other stands on `Object.prototype`, put there after the package was imported, while calls are
 * made. It reports how each call ended, as JSON on stdout; what was sent is for the service to say.
 * Arguments: address of the service, and the names as JSON.
 */
import { PartnerClient, PartnerError } from '../../src/index.js';
import { signWebhook, verifyWebhook, webhookHandler } from '../../src/webhooks/index.js';

const [address = '', names = '[]'] = process.argv.slice(2);
const apiSecret = Buffer.from('secret').toString('base64');
const KEY = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
const ACCOUNT = 'ACCOUNT-0000-0001';
const USER = 'USER-0000-0000-0001';
const EMPTY = {};

/** A round of calls while one name is polluted. */
export interface Round {
  readonly label: string;
  readonly ends: readonly string[];
}

const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
const signed = { body, headers: signWebhook({ body, secret: apiSecret }), secret: apiSecret };
const old = { ...signed, headers: signWebhook({ body, secret: apiSecret, timestamp: 1_600_000_000 }) };
const quote = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };
const address_ = { asset_symbol: 'BTC', method_id: KEY, key: 'cold', address: 'bc1' };
const wallet = { via: 'xrp', address: 'r1' };

/** The calls of a round. Their deliveries are made before, since the platform itself reads polluted names. */
const callsOf = ([late, fresh]: readonly [Request, Request]): readonly ((client: PartnerClient) => unknown)[] => [
  (client) => client.users.get(USER),
  (client) => client.users.get(USER, EMPTY),
  (client) => client.users.waitFor(USER, { timeout: 400 }),
  (client) => client.accounts.quotes.create(ACCOUNT, quote, { idempotencyKey: KEY }),
  (client) => client.funds.withdrawalAddresses.save(ACCOUNT, address_, { idempotencyKey: KEY }),
  (client) => client.accounts.wallets.whitelist(ACCOUNT, wallet, { otp: '42', idempotencyKey: KEY }),
  (client) => client.accounts.wallets.whitelist(ACCOUNT, { ...wallet, memo: '1' }, { idempotencyKey: KEY }),
  (client) => client.accounts.portfolio.details(ACCOUNT),
  (client) => client.accounts.portfolio.details(ACCOUNT, EMPTY, EMPTY),
  async (client) => (await client.users.assets.list(USER, EMPTY, EMPTY)).items.length,
  (client) => client.webhooks.list().toArray({ limit: 1 }),
  (client) => client.webhooks.list().toArray(EMPTY as { limit: number }),
  (client) => client.request({ method: 'GET', path: '/v1/things' }),
  (client) =>
    client.request({ method: 'POST', path: '/v1/things/{id}', params: { id: 'x' }, body: { list: [{ a: 1 }] } }),
  () => verifyWebhook(signed).type,
  () => verifyWebhook(old).type,
  async () => (await webhookHandler({ secret: apiSecret, onEvent: () => {}, onRejected: () => {} })(late)).status,
  async () => (await webhookHandler({ secret: apiSecret, onEvent: () => {} })(fresh)).status,
];

function deliveryOf({ body, headers }: typeof signed): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers });
}

async function endOf(call: () => unknown): Promise<string> {
  try {
    const value = await call();
    return typeof value === 'object' ? 'ok' : String(value);
  } catch (error) {
    return error instanceof PartnerError ? `${error.name}: ${error.message}` : String(error);
  }
}

async function round(label: string, pollute: () => void, clean: () => void): Promise<Round> {
  const ends: string[] = [];
  const options = {
    baseUrl: `${address}/${encodeURIComponent(label)}`,
    apiKey: 'key',
    apiSecret,
    maxRetries: 0,
    timeout: 400,
  };
  const calls = callsOf([deliveryOf(old), deliveryOf(signed)]);
  pollute();
  try {
    const client = await makeClient(options);
    if (typeof client === 'string') return { label, ends: [client] };
    for (const call of calls) ends.push((await endOf(() => call(client))).replace(/is [0-9.]+ s old/, 'is old'));
    await client.close();
  } finally {
    clean();
  }
  return { label, ends };
}

async function makeClient(options: object): Promise<PartnerClient | string> {
  try {
    return new PartnerClient(options);
  } catch (error) {
    return String(error);
  }
}

const tell = (told: Round) => process.stdout.write(`${JSON.stringify(told)}\n`);
tell(
  await round(
    'clean',
    () => {},
    () => {},
  ),
);
const VALUES: readonly (readonly [kind: string, value: unknown, enumerable: boolean])[] = [
  ['text', '/tmp/polluted', true],
  ['function', () => 'polluted', false],
];
for (const name of JSON.parse(names) as string[]) {
  for (const [kind, value, enumerable] of VALUES) {
    const property = { __proto__: null, value, enumerable, configurable: true, writable: true };
    tell(
      await round(
        `${name}-${kind}`,
        () => void Object.defineProperty(Object.prototype, name, property as PropertyDescriptor),
        () => void Reflect.deleteProperty(Object.prototype, name),
      ),
    );
  }
}
