import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, fetchTransport, PartnerClient, RequestValidationError } from '../../../src/index.js';
import { ACCOUNT, invoke, operation, USER } from '../support/operations.js';
import * as sample from '../support/samples.js';
import {
  API_KEY,
  API_SECRET,
  BASE_URL,
  type ClientOptions,
  failure,
  rejection,
  startService,
  wrong,
} from '../support/service.js';

const service = startService();
const getUser = operation('users.get');
const SECOND = { apiKey: 'pk-second', apiSecret: Buffer.from('another secret').toString('base64') };
const BAD_KEYS = ['', 'a b', ' a', 'a ', 'a\n', 'a\r\nx: y', 'caf\u00e9', 'a\u0000b'];

afterEach(() => void vi.unstubAllEnvs());

const make = (options: object) => () => new PartnerClient(wrong({ baseUrl: BASE_URL, ...options }));

/** The API keys of the requests so far. */
const keys = () => service.received.map(({ headers }) => headers['api-key']);

describe('an API key is checked wherever it comes from', () => {
  it.each(BAD_KEYS)('%j as an option', (apiKey) => {
    expect(make({ apiKey, apiSecret: API_SECRET })).toThrow(ConfigurationError);
  });

  it.each(BAD_KEYS)('%j among credentials', (apiKey) => {
    expect(make({ credentials: [{ apiKey, apiSecret: API_SECRET }] })).toThrow(ConfigurationError);
    expect(make({ credentials: [SECOND, { apiKey, apiSecret: API_SECRET }] })).toThrow(ConfigurationError);
  });

  // The environment cannot hold a NUL.
  it.each(BAD_KEYS.filter((key) => !key.includes('\u0000')))('%j in PARTNER_API_KEY', (apiKey) => {
    vi.stubEnv('PARTNER_API_KEY', apiKey);
    expect(make({ apiSecret: API_SECRET })).toThrow(ConfigurationError);
  });

  it('no message shows it', () => {
    for (const options of [
      { apiKey: 'hunter2 hunter2', apiSecret: API_SECRET },
      { credentials: [{ apiKey: 'hunter2 hunter2', apiSecret: API_SECRET }] },
    ])
      expect(make(options)).not.toThrow(/hunter2/);
  });
});

describe('withOptions()', () => {
  beforeEach(() => {
    service.checksSignatures = false;
    service.answerJson(getUser.answer);
  });

  it('keeps the options whose new value is undefined', async () => {
    service.answer(() => failure(503, 'unavailable'));
    const client = service.client({ maxRetries: 0, headers: { 'X-Team': 'payments' } });
    await using other = client.withOptions({ maxRetries: undefined, headers: undefined, baseUrl: undefined });
    await rejection(invoke(getUser, other));
    expect(service.only.headers['x-team']).toBe('payments');
  });

  it.each([
    ['apiKey', { apiKey: undefined }],
    ['apiKey and apiSecret', { apiKey: undefined, apiSecret: undefined }],
    ['credentials', { credentials: undefined }],
    ['every option', { apiKey: undefined, apiSecret: undefined, credentials: undefined, transport: undefined }],
  ])('keeps its API key when %s are undefined, whatever the environment says', async (_, options) => {
    vi.stubEnv('PARTNER_API_KEY', 'pk-of-the-environment');
    vi.stubEnv('PARTNER_API_SECRET', SECOND.apiSecret);
    service.checksSignatures = true;
    await using other = service.client().withOptions(options);
    await invoke(getUser, other);
    expect(keys()).toEqual([API_KEY]);
  });

  it('keeps credentials when they are undefined, whatever the environment says', async () => {
    vi.stubEnv('PARTNER_API_KEY', 'pk-of-the-environment');
    await using client = clientOf({ credentials: [SECOND] });
    await using other = client.withOptions({ credentials: undefined, apiKey: undefined, timeout: 5_000 });
    await invoke(getUser, other);
    expect(keys()).toEqual([SECOND.apiKey]);
  });

  it('takes credentials in place of an API key', async () => {
    await using other = service.client().withOptions({ credentials: [SECOND] });
    await invoke(getUser, other);
    expect(keys()).toEqual([SECOND.apiKey]);
  });

  it('takes an API key in place of credentials', async () => {
    await using client = clientOf({ credentials: [SECOND, { apiKey: 'pk-third', apiSecret: SECOND.apiSecret }] });
    service.checksSignatures = true;
    await using other = client.withOptions({ apiKey: API_KEY, apiSecret: API_SECRET });
    await invoke(getUser, other);
    expect(keys()).toEqual([API_KEY]);
    expect(other.stats().lanes).toHaveLength(1);
  });

  function clientOf(options: Partial<ClientOptions>): PartnerClient {
    return new PartnerClient({ baseUrl: BASE_URL, transport: fetchTransport(), maxRetries: 0, ...options });
  }
});

describe('options of the transports', () => {
  it.each(['accept-encoding', 'Accept-Encoding'])('headers cannot hold %s', async (name) => {
    expect(make({ ...SECOND, headers: { [name]: 'gzip' } })).toThrow(ConfigurationError);
    await rejection(invoke(getUser, service.client(), {}, { headers: { [name]: 'gzip' } }), RequestValidationError);
    expect(service.received).toEqual([]);
  });
});

const NEEDED = { baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET, transport: fetchTransport() };
const QUOTE = { from: { symbol: 'BTC', type: 'crypto', amount: '1' }, to: { symbol: 'USD', type: 'fiat' } };
const KEY = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';

/** An object whose member is right the first time that it is read, and then another. */
function changing<T extends object>(object: T, name: string, values: readonly unknown[]): T {
  let reads = 0;
  return Object.defineProperty(object, name, {
    get: () => values[Math.min(reads++, values.length - 1)],
    enumerable: true,
  });
}

describe('options may come from classes', () => {
  class Defaults {
    get timeout() {
      return 5_000;
    }
    get headers() {
      return { 'X-Team': 'risk' };
    }
  }

  it('of a client: getters, inherited ones, and hooks and sources with methods', async () => {
    service.answerJson({ data: sample.user });
    class Hooks {
      readonly seen: string[] = [];
      onResponse({ operation }: { operation: string }) {
        this.seen.push(operation);
      }
    }
    class Nonces {
      #last = BigInt(Date.now()) * 1_000_000n;
      next() {
        this.#last += 1n;
        return this.#last;
      }
    }
    const hooks = new Hooks();
    class Options extends Defaults {
      readonly nonce = new Nonces();
      readonly hooks = hooks;
    }
    await using client = new PartnerClient(Object.assign(new Options(), NEEDED));
    await client.users.get(USER);
    await client.withOptions(new Defaults()).users.get(USER);
    expect(service.received.map(({ headers }) => headers['x-team'])).toEqual(['risk', 'risk']);
    expect(hooks.seen).toEqual(['users.get', 'users.get']);
  });

  it('of a call, of a list, parameters and bodies', async () => {
    class Side {
      get symbol() {
        return 'BTC';
      }
      get type() {
        return 'crypto';
      }
      get amount() {
        return '1';
      }
    }
    service.answerJson({ data: sample.quote });
    const options = Object.create({ idempotencyKey: KEY, headers: { 'X-Team': 'risk' } });
    await service.client().accounts.quotes.create(ACCOUNT, { from: new Side(), to: QUOTE.to }, options);
    expect(JSON.parse(service.only.body)).toEqual(QUOTE);
    expect(service.only.headers).toMatchObject({ 'idempotency-key': KEY, 'x-team': 'risk' });
    service.received.length = 0;
    service.answerJson({ data: [] });
    class Page {
      get page_size() {
        return 5;
      }
    }
    await service.client().webhooks.list(new Page(), new Defaults());
    expect(service.only.path).toBe('/v1/webhooks?page_size=5');
    expect(service.only.headers['x-team']).toBe('risk');
  });

  it('an inherited name that is unknown is refused as an own one is', async () => {
    expect(() => new PartnerClient(Object.create({ ...NEEDED, apikey: 'x' }))).toThrow('did you mean apiKey?');
    const params = Object.create({ pageSize: 5 });
    expect(await rejection(service.client().webhooks.list(params))).toBeInstanceOf(RequestValidationError);
  });
});

describe('what was checked is what is used: a member is read once', () => {
  it.each([
    ['baseUrl', [BASE_URL, 'http://elsewhere.test']],
    ['headers', [{}, { 'API-Key': 'other' }]],
    ['timeout', [5_000, -1]],
    ['credentials', [undefined, [{ apiKey: 'other', apiSecret: API_SECRET }]]],
  ])('the option %s of a client', async (name, values) => {
    service.answerJson({ data: sample.user });
    const { [name as 'baseUrl']: _, ...others } = NEEDED;
    await using client = new PartnerClient(changing({ ...others }, name, values) as typeof NEEDED);
    await client.users.get(USER);
    expect(service.only.headers['api-key']).toBe(API_KEY);
  });

  it('a header of a Proxy that changes its names', async () => {
    service.answerJson({ data: sample.user });
    let asked = 0;
    const headers = new Proxy(
      { 'x-team': 'risk', 'api-key': 'other' },
      { ownKeys: () => (asked++ === 0 ? ['x-team'] : ['x-team', 'api-key']) },
    );
    await service.client({ headers }).users.get(USER);
    expect(service.only.headers).toMatchObject({ 'api-key': API_KEY, 'x-team': 'risk' });
  });

  it('a member of a body', async () => {
    service.answerJson({ data: sample.quote });
    const from = changing({ symbol: 'BTC', type: 'crypto' }, 'amount', ['1', '1000000']);
    await service.client().accounts.quotes.create(ACCOUNT, wrong({ ...QUOTE, from }));
    expect(JSON.parse(service.only.body)).toEqual(QUOTE);
  });

  it('an idempotencyKey', async () => {
    service.answerJson({ data: sample.quote });
    const options = changing({}, 'idempotencyKey', [KEY, 'no key']);
    await service.client().accounts.quotes.create(ACCOUNT, wrong(QUOTE), options);
    expect(service.only.headers['idempotency-key']).toBe(KEY);
  });
});

describe('client options', () => {
  it('trailing slashes are taken off in time that grows with their number alone', () => {
    // Time of this process alone, which load does not lengthen.
    const begun = process.cpuUsage();
    const client = new PartnerClient({
      ...NEEDED,
      baseUrl: `https://a.test/x${'/'.repeat(200_000)}y${'/'.repeat(200_000)}`,
    });
    expect(process.cpuUsage(begun).user).toBeLessThan(1_000_000);
    expect(JSON.stringify(client).endsWith('y"}')).toBe(true);
  });

  it('a secret with a newline at its end says what the usual cause is', () => {
    expect(() => new PartnerClient({ ...NEEDED, apiSecret: `${API_SECRET}\n` })).toThrow(
      /newline at the end.*usual cause/,
    );
    expect(() => new PartnerClient({ ...NEEDED, apiSecret: 'no-base64!' })).toThrow(/^apiSecret must be base64$/);
  });
});
