/**
 * A process in which one name after the other stands on `Object.prototype`, put there before a client is made, before
 * a call, or while answers are on their way. It prints a line of JSON for each round that was neither refused nor
 * right, and at last the counts. What was sent is for the service to judge.
 * Arguments: addresses of the service over HTTP and over HTTP/2, its certificate, and the names as JSON.
 */
import { fetchTransport, PartnerClient, PartnerError, type Transport, undiciTransport } from '../../src/index.js';
import { signWebhook, verifyWebhook, webhookHandler } from '../../src/webhooks/index.js';

const [http = '', http2 = '', ca = '', names = '[]'] = process.argv.slice(2);
const { stdout } = process;
const apiSecret = Buffer.from('a signing secret').toString('base64');
const KEY = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
const ACCOUNT = 'ACCOUNT-0000-0001';
const USER = 'USER-0000-0000-0001';
const EMPTY = {};
const MAX_ROUND_MS = 10_000;

const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: {} });
const signed = { body, headers: signWebhook({ body, secret: apiSecret }), secret: apiSecret };
const old = { ...signed, headers: signWebhook({ body, secret: apiSecret, timestampSeconds: 1_600_000_000 }) };
const forged = { ...signed, body: body.replace('evt_1', 'evt_2') };
const quote = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };
const address = { asset_symbol: 'BTC', method_id: KEY, key: 'cold', address: 'bc1' };
const wallet = { via: 'xrp', address: 'r1' };

type Call = (client: PartnerClient) => unknown;

const CALLS: readonly Call[] = [
  (client) => client.users.get(USER),
  (client) => client.users.get(USER, EMPTY),
  (client) => client.users.waitFor(USER, { timeout: 4_000 }),
  (client) => client.accounts.quotes.create(ACCOUNT, quote, { idempotencyKey: KEY }),
  (client) => client.funds.withdrawalAddresses.save(ACCOUNT, address, { idempotencyKey: KEY }),
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
];

/** Made before a round: the platform itself reads polluted names. */
const deliveriesOf = (late: Request, fresh: Request): readonly (() => unknown)[] => [
  () => verifyWebhook(signed).type,
  () => verifyWebhook(old).type,
  () => verifyWebhook(forged).type,
  async () => (await webhookHandler({ secret: apiSecret, onEvent: () => {}, onRejected: () => {} })(late)).status,
  async () => (await webhookHandler({ secret: apiSecret, onEvent: () => {}, onError: () => {} })(fresh)).status,
];

/** While the answer is on its way. The service ends the last ones as their paths say. */
const SENT: readonly Call[] = [
  (client) => client.users.get(USER),
  (client) => client.accounts.wallets.whitelist(ACCOUNT, { ...wallet, memo: '1' }, { otp: '42', idempotencyKey: KEY }),
  (client) => client.request({ method: 'POST', path: '/v1/things', body: {}, idempotencyKey: KEY }),
  (client) => client.request({ method: 'POST', path: '/v1/reset', body: {} }),
  (client) => client.request({ method: 'POST', path: '/v1/refused', body: {} }),
  (client) => client.request({ method: 'POST', path: '/v1/failed', body: {}, idempotencyKey: KEY }),
];

/** Ends that are true whatever was polluted: what the service has done to each call of `SENT`. */
const TRUE_OUTCOMES: readonly RegExp[] = [
  /^outcome not_applied/,
  /^outcome (applied|unknown)/,
  /^outcome (applied|unknown)/,
  /^outcome unknown/,
  /^outcome (not_applied BadRequestError|unknown)/,
  /^outcome unknown/,
];

async function endOf(call: () => unknown): Promise<string> {
  try {
    const value = await call();
    return `value ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  } catch (error) {
    return told(error);
  }
}

function told(error: unknown): string {
  if (!(error instanceof PartnerError)) return String(error);
  return `outcome ${error.outcome} ${error.name}: ${error.message.replace(/is [0-9.]+ s old/, 'is old')}`;
}

const deliveryOf = ({ body, headers }: typeof signed): Request =>
  new Request('http://localhost/', { method: 'POST', body, headers });

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  http: () => undiciTransport(),
  http2: () => undiciTransport({ tls: { ca } }),
  fetch: () => fetchTransport(),
};

interface Pollution {
  readonly name: string;
  readonly put: () => void;
  readonly remove: () => void;
}

function optionsOf(label: string, transport: string, onRequest?: () => void) {
  const baseUrl = `${transport === 'http2' ? http2 : http}/${encodeURIComponent(label)}`;
  const hooks = onRequest && { onRequest };
  const make = TRANSPORTS[transport] as () => Transport;
  return { baseUrl, apiKey: 'key', apiSecret, maxRetries: 1, timeout: 4_000, transport: make(), hooks };
}

const isRefusal = (end: string): boolean => /^outcome not_applied ConfigurationError: Object\.prototype has /.test(end);

/** The ends of all calls with a client that is made before or after. */
async function before(moment: 'new' | 'call', label: string, { put, remove }: Pollution): Promise<string[]> {
  const options = optionsOf(label, 'http');
  const deliveries = deliveriesOf(deliveryOf(old), deliveryOf(signed));
  const early = moment === 'call' ? new PartnerClient(options) : undefined;
  const ends: string[] = [];
  put();
  try {
    const made: PartnerClient | string = early ?? makeClient(options);
    if (typeof made === 'string') ends.push(made);
    else for (const call of CALLS) ends.push(await endOf(() => call(made)));
    for (const deliver of deliveries) ends.push(await endOf(deliver));
    if (typeof made !== 'string') await made.close();
  } finally {
    remove();
  }
  return ends;
}

function makeClient(options: object): PartnerClient | string {
  try {
    return new PartnerClient(options);
  } catch (error) {
    return told(error);
  }
}

/** The ends of calls whose answers are on their way when the name appears. */
async function sent(transport: string, label: string, { put, remove }: Pollution): Promise<string[]> {
  let left = SENT.length;
  const client = new PartnerClient(
    optionsOf(label, transport, () => {
      if (--left === 0) setTimeout(put, 2);
    }),
  );
  try {
    return await Promise.all(SENT.map((call) => endOf(() => call(client))));
  } finally {
    remove();
    await client.close();
  }
}

const counts = { refused: 0, right: 0, half: 0 };

function judge(label: string, ends: readonly string[], clean: readonly string[]): void {
  // A client that was refused made no calls; the deliveries come last.
  const wanted = ends.length < clean.length ? ['refused', ...clean.slice(1 - ends.length)] : clean;
  const isTrue = (end: string, index: number) =>
    end === wanted[index] ||
    isRefusal(end) ||
    // The platform may fail to make the answer. A delivery that is refused comes again.
    (index >= ends.length - 2 && !label.includes(' sent ') && end !== 'value 200') ||
    (label.includes(' sent ') && TRUE_OUTCOMES[index]?.test(end) === true);
  const half = ends.filter((end, index) => !isTrue(end, index));
  const kind = half.length > 0 ? 'half' : ends.some(isRefusal) ? 'refused' : 'right';
  counts[kind]++;
  if (kind === 'half') stdout.write(`${JSON.stringify({ label, half })}\n`);
}

const NOTHING: Pollution = { name: '', put: () => {}, remove: () => {} };

/** A round that does not end is told as one that hangs. */
async function within(round: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve(['it hangs']), MAX_ROUND_MS);
  });
  return Promise.race([round, late]).finally(() => clearTimeout(timer));
}

const MOMENTS: Readonly<Record<string, (label: string, pollution: Pollution) => Promise<string[]>>> = {
  new: (label, pollution) => before('new', label, pollution),
  call: (label, pollution) => before('call', label, pollution),
  'http sent': (label, pollution) => sent('http', label, pollution),
  'http2 sent': (label, pollution) => sent('http2', label, pollution),
  'fetch sent': (label, pollution) => sent('fetch', label, pollution),
};

/** As libraries define them: an object that is given the member gets one of its own. */
const KINDS: Readonly<Record<string, (name: string) => PropertyDescriptor>> = {
  true: () => ({ value: true, writable: true }),
  text: () => ({ value: '/tmp/polluted', writable: true, enumerable: true }),
  function: () => ({ value: () => 'polluted', writable: true }),
  getter: (name) => ({
    get: () => 'ECONNREFUSED',
    set(value: unknown) {
      const own = { __proto__: null, value, writable: true, enumerable: true, configurable: true };
      Reflect.defineProperty(this as object, name, own as PropertyDescriptor);
    },
  }),
  object: () => ({ value: {}, writable: true, enumerable: true }),
};

process.on('uncaughtException', (error) => {
  stdout.write(`${JSON.stringify({ label: `uncaught in ${current}`, half: [String(error.stack).slice(0, 600)] })}\n`);
});
let current = '';

const all = JSON.parse(names) as string[];
const moments = (process.env['MOMENTS'] ?? Object.keys(MOMENTS).join()).split(',');
for (const moment of moments) {
  const run = MOMENTS[moment] as (typeof MOMENTS)[string];
  const clean = await run(`clean ${moment} `, NOTHING);
  stdout.write(`${JSON.stringify({ label: `clean ${moment} `, clean })}\n`);
  for (const name of all) {
    for (const [kind, describe] of Object.entries(KINDS)) {
      if (/^(http2|fetch)/.test(moment) && !['function', 'getter'].includes(kind)) continue;
      current = `${name} ${kind} ${moment} `;
      const description = Object.assign(
        Object.create(null),
        { configurable: true },
        describe(name),
      ) as PropertyDescriptor;
      const pollution = {
        name,
        put: () => void Object.defineProperty(Object.prototype, name, description),
        remove: () => void Reflect.deleteProperty(Object.prototype, name),
      };
      judge(current, await within(run(current, pollution)), clean);
    }
  }
}
stdout.write(`${JSON.stringify({ label: 'counts', counts })}\n`);
