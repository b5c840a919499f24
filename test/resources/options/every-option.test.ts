import { afterAll, describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  fetchTransport,
  PartnerClient,
  RequestValidationError,
  undiciTransport,
} from '../../../src/index.js';
import { type RedisClient, redisKeyLeases, redisNonces } from '../../../src/redis/index.js';
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
type ErrorClass = new (...args: never[]) => Error;

/** One object of options: what makes or calls something with it, and a good one to begin with. */
interface OptionObject {
  readonly use: (options: never) => unknown;
  readonly good?: Options;
  readonly throws: ErrorClass;
  /** A name of an option, misspelt. */
  readonly misspelt: readonly [given: string, meant: string];
  /** Options that take any value. */
  readonly open?: readonly string[];
}

const NEEDED = { baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET };
const client = new PartnerClient(NEEDED);
const sandbox = createSandbox();
const webhook = sandbox.webhooks.register({ url: BASE_URL });
afterAll(() => Promise.all([client.close(), sandbox.close()]));

const { secret, body } = { secret: API_SECRET, body: '{"type":"quote.executed","data":{}}' };
const delivery = { body, secret, headers: signWebhook({ body, secret }) };
const redis = { sendCommand: async () => null } as unknown as RedisClient;

const OBJECTS: Readonly<Record<string, OptionObject>> = {
  'new PartnerClient()': {
    use: (options) => new PartnerClient(options),
    good: NEEDED,
    throws: ConfigurationError,
    misspelt: ['timeoutMs', 'timeout'],
  },
  'client.withOptions()': {
    use: (options) => client.withOptions(options),
    throws: ConfigurationError,
    misspelt: ['max_retries', 'maxRetries'],
  },
  'credentials of a client': {
    use: (options) => new PartnerClient({ baseUrl: BASE_URL, credentials: [options] }),
    good: { apiKey: API_KEY, apiSecret: API_SECRET },
    throws: ConfigurationError,
    misspelt: ['apikey', 'apiKey'],
  },
  'hooks of a client': {
    use: (options) => client.withOptions({ hooks: options }),
    throws: ConfigurationError,
    misspelt: ['onRety', 'onRetry'],
  },
  'a read': {
    use: (options) => client.users.get(USER, options),
    throws: RequestValidationError,
    misspelt: ['timeOut', 'timeout'],
  },
  'a write': {
    use: (options) => client.accounts.quotes.execute(ACCOUNT, 'quote', options),
    throws: RequestValidationError,
    misspelt: ['idempotency_key', 'idempotencyKey'],
  },
  'a list': {
    use: (options) => client.users.assets.list(USER, {}, options).toArray({ limit: 1 }),
    throws: RequestValidationError,
    misspelt: ['pre_fetch', 'prefetch'],
  },
  'a wait': {
    use: (options) => client.accounts.quotes.waitFor(ACCOUNT, 'quote', options),
    throws: RequestValidationError,
    misspelt: ['untill', 'until'],
  },
  'client.request()': {
    use: (options) => client.request(options),
    good: { method: 'POST', path: '/v1/x', idempotent: true },
    throws: RequestValidationError,
    misspelt: ['parms', 'params'],
  },
  'undiciTransport()': {
    use: (options) => undiciTransport(options),
    throws: ConfigurationError,
    misspelt: ['dispatch', 'dispatcher'],
  },
  'tls of undiciTransport()': {
    use: (options) => undiciTransport({ tls: options }),
    throws: ConfigurationError,
    misspelt: ['certs', 'cert'],
  },
  'fetchTransport()': {
    use: (options) => fetchTransport(options),
    throws: ConfigurationError,
    misspelt: ['fecth', 'fetch'],
  },
  'verifyWebhook()': {
    use: (options) => verifyWebhook(options),
    good: delivery,
    throws: ConfigurationError,
    misspelt: ['toleranceSecond', 'toleranceSeconds'],
    open: ['body', 'headers'],
  },
  'signWebhook()': {
    use: (options) => signWebhook(options),
    good: { body, secret },
    throws: ConfigurationError,
    misspelt: ['shceme', 'scheme'],
    open: ['body'],
  },
  'webhookHandler()': {
    use: (options) => webhookHandler(options),
    good: { secret, onEvent: () => {} },
    throws: ConfigurationError,
    misspelt: ['onEvnt', 'onEvent'],
  },
  'nodeWebhookHandler()': {
    use: (options) => nodeWebhookHandler(options),
    good: { secret, onEvent: () => {} },
    throws: ConfigurationError,
    misspelt: ['maxBodyByte', 'maxBodyBytes'],
  },
  'memoryReplayGuard()': {
    use: (options) => memoryReplayGuard(options),
    throws: ConfigurationError,
    misspelt: ['limits', 'limit'],
  },
  'redisKeyLeases()': {
    use: (options) => redisKeyLeases(redis, options),
    throws: ConfigurationError,
    misspelt: ['keyPerProcess', 'keysPerProcess'],
  },
  'redisNonces()': {
    use: (options) => redisNonces(redis, options),
    throws: ConfigurationError,
    misspelt: ['turns', 'turn'],
  },
  'createSandbox()': {
    use: (options) => createSandbox(options),
    throws: TypeError,
    misspelt: ['realtime', 'realTime'],
  },
  'sandbox.listen()': {
    use: (options) => sandbox.listen(options),
    throws: TypeError,
    misspelt: ['prot', 'port'],
  },
  'sandbox.fail()': {
    use: (options) => sandbox.fail(options),
    good: { fault: 503 },
    throws: TypeError,
    misspelt: ['probabilty', 'probability'],
  },
  'sandbox.faults.add()': {
    use: (options) => sandbox.faults.add(options),
    good: { fault: 503 },
    throws: TypeError,
    misspelt: ['retryAfterSecond', 'retryAfterSeconds'],
  },
  'sandbox.webhooks.register()': {
    use: (options) => sandbox.webhooks.register(options),
    good: { url: BASE_URL },
    throws: TypeError,
    misspelt: ['event', 'events'],
  },
  'sandbox.webhooks.update()': {
    use: (options) => sandbox.webhooks.update(webhook.id, options),
    throws: TypeError,
    misspelt: ['disable', 'disabled'],
  },
  'sandbox.webhooks.rotateSecret()': {
    use: (options) => sandbox.webhooks.rotateSecret(webhook.id, options),
    throws: TypeError,
    misspelt: ['overlapp', 'overlap'],
  },
};

/** Uses the options and returns the error of it, thrown or rejected. */
async function refusalOf({ use, good = {} }: OptionObject, options: Options): Promise<Error> {
  return (await rejection(async () => use({ ...good, ...options } as never))) as Error;
}

describe.each(Object.entries(OBJECTS))('the options of %s', (_, object) => {
  const [given, meant] = object.misspelt;

  it('an unknown one is refused, with the name that was meant and all that are known', async () => {
    const error = await refusalOf(object, { [given]: 1 });
    expect(error).toBeInstanceOf(object.throws);
    expect(error.message).toMatch(
      new RegExp(`${given}:? is not an option: did you mean ${meant}\\? Known are .*${meant}`),
    );
  });

  it('one of a wrong kind is refused with a sentence that names it', async () => {
    const { message } = await refusalOf(object, { [given]: 1 });
    const known = (/Known are ([\w, ]+)/.exec(message)?.[1] ?? '').split(', ');
    expect(known.length).toBeGreaterThan(0);
    for (const name of known.filter((one) => !object.open?.includes(one))) {
      const error = await refusalOf(object, { [name]: Symbol('of no use') });
      expect(error, name).toBeInstanceOf(object.throws);
      expect(error.message, name).toMatch(
        new RegExp(`\\b${name}(Seconds)?:? (must|cannot|is not the)|either .*\\b${name}\\b`),
      );
    }
  });

  it('something else in the place of all options is refused', async () => {
    const error = (await rejection(async () => object.use(5 as never))) as Error;
    expect(error).toBeInstanceOf(object.throws);
    expect(error.message).toMatch(/must/);
  });
});
