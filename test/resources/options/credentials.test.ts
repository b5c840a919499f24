import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  fetchTransport,
  PartnerClient,
  RequestValidationError,
  undiciTransport,
} from '../../../src/index.js';
import { invoke, operation } from '../support/operations.js';
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

  it('an unknown member of an entry is refused by name', () => {
    for (const member of ['secret', 'apisecret', 'name']) {
      const entry = { ...SECOND, [member]: 'hunter2' };
      expect(make({ credentials: [entry] })).toThrow(ConfigurationError);
      expect(make({ credentials: [entry] })).toThrow(new RegExp(`${member}|credentials`));
      expect(make({ credentials: [entry] })).not.toThrow(/hunter2/);
    }
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
    const other = client.withOptions({ maxRetries: undefined, headers: undefined, baseUrl: undefined });
    await rejection(invoke(getUser, other));
    await other.close();
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
    const other = service.client().withOptions(options);
    await invoke(getUser, other);
    await other.close();
    expect(keys()).toEqual([API_KEY]);
  });

  it('keeps credentials when they are undefined, whatever the environment says', async () => {
    vi.stubEnv('PARTNER_API_KEY', 'pk-of-the-environment');
    const client = clientOf({ credentials: [SECOND] });
    const other = client.withOptions({ credentials: undefined, apiKey: undefined, timeout: 5_000 });
    await invoke(getUser, other);
    await Promise.all([client.close(), other.close()]);
    expect(keys()).toEqual([SECOND.apiKey]);
  });

  it('takes credentials in place of an API key', async () => {
    const other = service.client().withOptions({ credentials: [SECOND] });
    await invoke(getUser, other);
    await other.close();
    expect(keys()).toEqual([SECOND.apiKey]);
  });

  it('takes an API key in place of credentials', async () => {
    const client = clientOf({ credentials: [SECOND, { apiKey: 'pk-third', apiSecret: SECOND.apiSecret }] });
    service.checksSignatures = true;
    const other = client.withOptions({ apiKey: API_KEY, apiSecret: API_SECRET });
    await invoke(getUser, other);
    await Promise.all([client.close(), other.close()]);
    expect(keys()).toEqual([API_KEY]);
    expect(other.stats().lanes).toHaveLength(1);
  });

  it('still refuses both together', () => {
    const both = { ...SECOND, credentials: [SECOND] };
    expect(() => service.client().withOptions(both)).toThrow(ConfigurationError);
  });

  function clientOf(options: Partial<ClientOptions>): PartnerClient {
    return new PartnerClient({ baseUrl: BASE_URL, transport: fetchTransport(), maxRetries: 0, ...options });
  }
});

describe('options of the transports', () => {
  it.each([
    ['fetch: an unknown one', () => fetchTransport({ fetc: fetch } as never)],
    ['fetch: a fetch that is no function', () => fetchTransport({ fetch: 5 } as never)],
    ['fetch: a fetch that is null', () => fetchTransport({ fetch: null } as never)],
    ['fetch: no object', () => fetchTransport(5 as never)],
    ['undici: a dispatcher that cannot dispatch', () => undiciTransport({ dispatcher: {} } as never)],
    ['undici: a dispatcher that is a text', () => undiciTransport({ dispatcher: 'proxy' } as never)],
    ['undici: an unknown one', () => undiciTransport({ dispatch: () => true } as never)],
    ['undici: no object', () => undiciTransport('x' as never)],
  ])('%s is a ConfigurationError', (_, transport) => {
    expect(transport).toThrow(ConfigurationError);
  });

  it('an undefined one is absent', () => {
    expect(() => fetchTransport({ fetch: undefined })).not.toThrow();
    expect(() => undiciTransport({ dispatcher: undefined })).not.toThrow();
  });

  it.each(['accept-encoding', 'Accept-Encoding'])('headers cannot hold %s', async (name) => {
    expect(make({ ...SECOND, headers: { [name]: 'gzip' } })).toThrow(ConfigurationError);
    const error = await rejection(invoke(getUser, service.client(), {}, { headers: { [name]: 'gzip' } }));
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(service.received).toEqual([]);
  });
});
