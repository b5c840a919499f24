import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
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
/** Names of other SDKs and HTTP clients, and what they are here. */
const ELSEWHERE: readonly (readonly [names: string, meant: string])[] = [
  ['endpoint host basePath apiUrl', 'baseUrl'],
  ['accessToken token clientId', 'apiKey'],
  ['secretKey clientSecret secretAccessKey', 'apiSecret'],
  ['maxNetworkRetries maxAttempts numRetries', 'maxRetries'],
  ['requestTimeout connectionTimeout', 'attemptTimeout'],
  ['httpAgent fetch dispatcher httpClient', 'transport'],
  ['defaultHeaders', 'headers'],
  ['userAgent', 'appInfo'],
  ['logLevel', 'logger'],
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

describe('an option of a client', () => {
  it.each(ELSEWHERE)('%s is what others call %s', (names, meant) => {
    for (const name of names.split(' '))
      expect(() => new PartnerClient({ ...NEEDED, [name]: 1 })).toThrow(
        `${name} is not an option: did you mean ${meant}?`,
      );
  });

  it.each([
    ['seconds', { timeout: 0.5 }, /^timeout must be milliseconds, from 1 .*: were seconds meant\?$/],
    ['a string', { timeout: '30s' }, /^timeout must be milliseconds, .*, as a number and not a string$/],
    ['an attempt longer than its call', { timeout: 5, attemptTimeout: 6 }, /^attemptTimeout must not be above timeout/],
    ['an API key with a line end', { apiKey: 'key\n' }, /^apiKey has white space or a line end around it/],
    ['an API key in quotation marks', { apiKey: '"key"' }, /^apiKey has quotation marks around it$/],
    ['no API key', { apiKey: '' }, /^apiKey must be a string of printable ASCII characters, at least one$/],
  ])('%s is rejected with what was probably meant', (_, options, message) => {
    expect(() => new PartnerClient({ ...NEEDED, ...(options as object) })).toThrow(message);
  });

  it('from the environment is checked by the same rules', () => {
    vi.stubEnv('PARTNER_API_KEY', 'two words');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { apiKey: _, ...others } = NEEDED;
    expect(() => new PartnerClient(others)).toThrow(/^apiKey has white space in it$/);
  });
});
