import { afterAll, describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  fetchTransport,
  PartnerClient,
  RequestValidationError,
  undiciTransport,
} from '../../../src/index.js';
import { type RedisClient, redisKeyLeases } from '../../../src/redis/index.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import {
  memoryReplayGuard,
  nodeWebhookHandler,
  signWebhook,
  verifyWebhook,
  webhookHandler,
} from '../../../src/webhooks/index.js';
import { ACCOUNT, USER } from '../support/operations.js';
import { API_KEY, API_SECRET, BASE_URL, rejection } from '../support/service.js';

type Options = Readonly<Record<string, unknown>>;

/** One object of options: what makes or calls something with it, a misspelt option, and a good object to begin with. */
type Row = readonly [of: string, use: (options: never) => unknown, given: string, meant: string, good?: Options];

const NEEDED = { baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET };
const client = new PartnerClient(NEEDED);
const sandbox = createSandbox();
const webhook = sandbox.webhooks.register({ url: BASE_URL });
afterAll(() => Promise.all([client.close(), sandbox.close()]));

const { secret, body } = { secret: API_SECRET, body: '{"type":"quote.executed","data":{}}' };
const delivery = { body, secret, headers: signWebhook({ body, secret }) };
const receiving = { secret, onEvent: () => {} };
const credentials = { apiKey: API_KEY, apiSecret: API_SECRET };
const write = { method: 'POST', path: '/v1/x', idempotent: true };
const redis = { sendCommand: async () => null } as unknown as RedisClient;

const OF_CONFIGURATION: readonly Row[] = [
  ['new PartnerClient()', (options) => new PartnerClient(options), 'timeoutMs', 'timeout', NEEDED],
  ['client.withOptions()', (options) => client.withOptions(options), 'max_retries', 'maxRetries'],
  ['credentials of a client', (options) => clientWith({ credentials: [options] }), 'apikey', 'apiKey', credentials],
  ['hooks of a client', (options) => client.withOptions({ hooks: options }), 'onRety', 'onRetry'],
  ['undiciTransport()', (options) => undiciTransport(options), 'dispatch', 'dispatcher'],
  ['tls of undiciTransport()', (options) => undiciTransport({ tls: options }), 'certs', 'cert'],
  ['fetchTransport()', (options) => fetchTransport(options), 'fecth', 'fetch'],
  ['verifyWebhook()', (options) => verifyWebhook(options), 'toleranceSecond', 'toleranceSeconds', delivery],
  ['signWebhook()', (options) => signWebhook(options), 'shceme', 'scheme', { body, secret }],
  ['webhookHandler()', (options) => webhookHandler(options), 'onEvnt', 'onEvent', receiving],
  ['nodeWebhookHandler()', (options) => nodeWebhookHandler(options), 'maxBodyByte', 'maxBodyBytes', receiving],
  ['memoryReplayGuard()', (options) => memoryReplayGuard(options), 'limits', 'limit'],
  ['redisKeyLeases()', (options) => redisKeyLeases(redis, options), 'keyPerProcess', 'keysPerProcess'],
];
const OF_A_CALL: readonly Row[] = [
  ['a read', (options) => client.users.get(USER, options), 'timeOut', 'timeout'],
  ['a write', (options) => quotes.execute(ACCOUNT, 'quote', options), 'idempotency_key', 'idempotencyKey'],
  ['a list', (options) => client.users.assets.list(USER, {}, options).toArray({ limit: 1 }), 'pre_fetch', 'prefetch'],
  ['a wait', (options) => quotes.waitFor(ACCOUNT, 'quote', options), 'untill', 'until'],
  ['client.request()', (options) => client.request(options), 'parms', 'params', write],
];
const OF_THE_SANDBOX: readonly Row[] = [
  ['createSandbox()', (options) => createSandbox(options), 'realtime', 'realTime'],
  ['sandbox.listen()', (options) => sandbox.listen(options), 'prot', 'port'],
  ['sandbox.fail()', (options) => sandbox.fail(options), 'probabilty', 'probability', { fault: 503 }],
  ['sandbox.troubles.add()', (options) => troubles.add(options), 'probabilty', 'probability', { does: 503 }],
  ['sandbox.webhooks.register()', (options) => webhooks.register(options), 'event', 'events', { url: BASE_URL }],
  ['sandbox.webhooks.update()', (options) => webhooks.update(webhook.id, options), 'disable', 'disabled'],
  ['webhooks.rotateSecret()', (options) => webhooks.rotateSecret(webhook.id, options), 'overlapMS', 'overlapMs'],
];
const clientWith = (options: object) => new PartnerClient({ baseUrl: BASE_URL, ...options });
const { quotes } = client.accounts;
const { troubles, webhooks } = sandbox;

const OBJECTS = [
  ...OF_CONFIGURATION.map((row) => [row[0], { row, throws: ConfigurationError }] as const),
  ...OF_A_CALL.map((row) => [row[0], { row, throws: RequestValidationError }] as const),
  ...OF_THE_SANDBOX.map((row) => [row[0], { row, throws: TypeError }] as const),
];

/** Options of a webhook that take any value. */
const OPEN = ['body', 'headers'];

describe.each(OBJECTS)('the options of %s', (of, { row, throws }) => {
  const [, use, given, meant, good] = row;
  const refusalOf = async (options: Options) =>
    (await rejection(async () => use({ ...good, ...options } as never))) as Error;

  it('an unknown one is refused, with the name that was meant and all that are known', async () => {
    const error = await refusalOf({ [given]: 1 });
    expect(error).toBeInstanceOf(throws);
    expect(error.message).toMatch(
      new RegExp(`(${given}:? is not an option|must not have ${given}): did you mean ${meant}\\? Known are .*${meant}`),
    );
  });

  it('one of a wrong kind is refused with a sentence that names it', async () => {
    const { message } = await refusalOf({ [given]: 1 });
    const known = (/Known are ([\w, ]+)/.exec(message)?.[1] ?? '').split(', ');
    expect(known.length).toBeGreaterThan(0);
    for (const name of known.filter((one) => !/^(verify|sign)Webhook/.test(of) || !OPEN.includes(one))) {
      const error = await refusalOf({ [name]: Symbol('of no use') });
      expect(error, name).toBeInstanceOf(throws);
      expect(error.message, name).toMatch(
        new RegExp(`\\b${name}(Seconds)?:? (must|cannot|is not the)|either .*\\b${name}\\b`),
      );
    }
  });

  it('something else in the place of all options is refused', async () => {
    const error = await rejection(async () => use(5 as never), throws);
    expect(error.message).toMatch(/must/);
  });
});
