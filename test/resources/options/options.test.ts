import { Agent } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ConfigurationError,
  fetchTransport,
  PartnerClient,
  PartnerError,
  ProviderError,
  RequestValidationError,
} from '../../../src/index.js';
import { invoke, OPERATIONS, operation } from '../support/operations.js';
import { settle } from '../support/pages.js';
import { API_KEY, API_SECRET, BASE_URL, issuePaths, rejection, startService, wrong } from '../support/service.js';

const service = startService();
const NEEDED = { baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET };
const getUser = operation('users.get');
const execute = operation('accounts.quotes.execute');

afterEach(() => void vi.unstubAllEnvs());

const WRONG: readonly (readonly [option: string, values: readonly unknown[]])[] = [
  [
    'baseUrl',
    [
      ...['', 'api.partner.test', '/v1', 'ftp://api.partner.test', 'http://api.partner.test'],
      ...[
        'https://a.test/?x=1',
        'https://a.test/?',
        'https://a.test/#x',
        'https://u:p@a.test',
        'https://u@a.test',
        5,
        null,
      ],
    ],
  ],
  ['apiSecret', ['', 'not base64!', 5, null, {}]],
  [
    'credentials',
    [
      ...[[], 'x', {}, [{}], [{ apiKey: 'a' }], [{ apiKey: '', apiSecret: API_SECRET }], [null]],
      ...[[{ apiKey: 'a', apiSecret: 'no!' }]],
    ],
  ],
  ['timeout', [0, -1, Number.NaN, '1000', null, Infinity]],
  ['attemptTimeout', [0, -1, Number.NaN, '1000', null]],
  ['maxRetries', [-1, 1.5, Number.NaN, '3', null, Infinity]],
  ['maxRetryAfter', [-1, Number.NaN, '3', null]],
  ['nonce', [5, 'clock', {}, null]],
  ['nonceOrder', ['loose', '', null, 1]],
  ['nonceRefusals', [-0.01, 1.01, Number.NaN, Infinity, '0.01', null]],
  ['signer', [5, 'hmac', {}, null]],
  ['otp', ['', 5, null, 'a\nb']],
  ['transport', ['undici', 5, {}, null]],
  ['maxResponseBytes', [0, -1, 1.5, '16', null]],
  ['allowInsecureHttp', ['yes', 1, null]],
  ['headers', ['x', [], null, { 'X-A': 5 }, { 'X A': 'x' }, { 'X-A': 'a\r\nb: c' }, { '': 'x' }]],
  [
    'appInfo',
    [
      ...['payouts', null, {}, { version: '1' }, { name: '' }, { name: 'my app' }, { name: 'a\r\nb: c' }, { name: 5 }],
      ...[{ name: 'a'.repeat(65) }, { name: 'a', version: '1 0' }, { name: 'a', url: 'example.com' }],
      ...[
        { name: 'a', url: 'https://a.test/(b)' },
        { name: 'a', url: 'https://a.test/\r\nx: y' },
      ],
      ...[
        { name: 'a', url: 'https://\u00e9.test' },
        { name: 'a', nme: 'b' },
      ],
    ],
  ],
  ['responseValidation', ['off', '', true, null]],
  ['logger', ['console', 5, null]],
  ['hooks', ['x', 5, null, { onRequest: 5 }, { onWhatever: () => {} }]],
];
const SIGNED = [
  ...['API-Key', 'api-sign', 'API-NONCE', 'API-Otp', 'Idempotency-Key', 'Content-Type', 'Content-Length'],
  ...['Host', 'Transfer-Encoding', 'User-Agent'],
];

describe('client options', () => {
  it.each(WRONG)('%s: a wrong value is a ConfigurationError that names it', (option, values) => {
    for (const value of values) {
      const given: Record<string, unknown> = { ...NEEDED, [option]: value };
      if (option === 'credentials') {
        delete given['apiKey'];
        delete given['apiSecret'];
      }
      const make = () => new PartnerClient(wrong(given));
      expect(make, JSON.stringify(value)).toThrow(ConfigurationError);
      expect(make, JSON.stringify(value)).toThrow(
        option === 'credentials' ? /credentials|apiKey|apiSecret/ : new RegExp(option),
      );
    }
  });

  it.each([
    ['an object that looks like one', { name: 'undici', brand: 'partner-sdk.transport', connect: () => ({}) }],
    ['a dispatcher', new Agent()],
    ['a fetch', fetch],
  ])('%s is not a transport: the message says how to make one of it', (_, transport) => {
    const make = () => new PartnerClient(wrong({ ...NEEDED, transport }));
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      /must be made by undiciTransport\(\) or fetchTransport\(\) .*undiciTransport\(\{ dispatcher \}\)/,
    );
  });

  it('no message shows a value: it may be a secret in the wrong place', () => {
    for (const [option] of WRONG) {
      try {
        new PartnerClient(wrong({ ...NEEDED, [option]: 'hunter2 is my secret' }));
      } catch (error) {
        expect(String(error) + JSON.stringify(error)).not.toContain('hunter2');
      }
    }
  });

  it('an option that is undefined is an option that is absent', async () => {
    service.answerJson(getUser.answer);
    const undefinedOnes = Object.fromEntries(WRONG.map(([name]) => [name, undefined]));
    await using client = new PartnerClient({ ...undefinedOnes, ...NEEDED, transport: fetchTransport() });
    await invoke(getUser, client);
  });

  it('plain http goes to loopback, and elsewhere only when allowed', () => {
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:1', '127.8.8.8'])
      expect(() => new PartnerClient({ ...NEEDED, baseUrl: `http://${host}` })).not.toThrow();
    for (const host of [
      '10.0.0.1',
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      'a.localhost',
      'localhost.',
      '0.0.0.0',
    ]) {
      expect(() => new PartnerClient({ ...NEEDED, baseUrl: `http://${host}` })).toThrow(/https/);
      expect(() => new PartnerClient({ ...NEEDED, baseUrl: `http://${host}`, allowInsecureHttp: true })).not.toThrow();
    }
  });

  it('credentials and apiKey together are refused', () => {
    const credentials = [{ apiKey: 'a', apiSecret: API_SECRET }];
    expect(() => new PartnerClient({ ...NEEDED, credentials })).toThrow(ConfigurationError);
  });

  it.each(SIGNED)('headers cannot hold %s', (name) => {
    expect(() => new PartnerClient({ ...NEEDED, headers: { [name]: 'x' } })).toThrow(ConfigurationError);
  });
});

describe('the environment', () => {
  const set = (address: string | undefined, key: string | undefined, secret: string | undefined) => {
    vi.stubEnv('PARTNER_BASE_URL', address);
    vi.stubEnv('PARTNER_API_KEY', key);
    vi.stubEnv('PARTNER_API_SECRET', secret);
  };

  it('gives what the options leave out', async () => {
    set(BASE_URL, API_KEY, API_SECRET);
    service.answerJson(getUser.answer);
    await using client = new PartnerClient({ transport: fetchTransport() });
    await invoke(getUser, client);
    expect(service.only.headers['api-key']).toBe(API_KEY);
    expect(() => new PartnerClient()).not.toThrow();
  });

  it('yields to the options', async () => {
    set('https://elsewhere.test', 'other', Buffer.from('other').toString('base64'));
    service.answerJson(getUser.answer);
    await invoke(getUser, service.client());
    expect(service.only.headers['api-key']).toBe(API_KEY);
  });
});

describe('a mistake of the environment is told with its cure', () => {
  const make = (env: Record<string, string>) => () => {
    vi.stubEnv('PARTNER_BASE_URL', env['PARTNER_BASE_URL'] ?? BASE_URL);
    vi.stubEnv('PARTNER_API_KEY', env['PARTNER_API_KEY'] ?? API_KEY);
    vi.stubEnv('PARTNER_API_SECRET', env['PARTNER_API_SECRET'] ?? API_SECRET);
    return new PartnerClient();
  };
  const LONG = Buffer.from('0123456789'.repeat(7)).toString('base64');

  it.each([
    [
      'all three',
      {},
      'baseUrl, apiKey and apiSecret are missing: give them as options or as PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET',
    ],
    [
      'one',
      { baseUrl: BASE_URL, apiKey: API_KEY },
      'apiSecret is missing: give it as an option or as PARTNER_API_SECRET',
    ],
    [
      'those that a signer of its own needs',
      { signer: () => 'x' },
      'baseUrl and apiKey are missing: give them as options or as PARTNER_BASE_URL and PARTNER_API_KEY',
    ],
    [
      'the address of credentials',
      { credentials: [{ apiKey: 'a', apiSecret: API_SECRET }] },
      'baseUrl is missing: give it as an option or as PARTNER_BASE_URL',
    ],
    [
      'the secret of credentials',
      { baseUrl: BASE_URL, credentials: [{ apiKey: 'a' }] },
      'apiSecret is missing: each of credentials needs one',
    ],
  ])('missing are %s: one error names them all', (_, options, message) => {
    for (const name of ['PARTNER_BASE_URL', 'PARTNER_API_KEY', 'PARTNER_API_SECRET']) vi.stubEnv(name, undefined);
    expect(() => new PartnerClient(options)).toThrow(new ConfigurationError(message));
  });

  it.each([
    [
      'a secret in quotation marks',
      { PARTNER_API_SECRET: `"${API_SECRET}"` },
      'apiSecret must be base64: it has quotation marks around it',
    ],
    [
      'a secret with a written line end',
      { PARTNER_API_SECRET: `${API_SECRET}\\n` },
      'apiSecret must be base64: it has a written \\n in it',
    ],
    [
      'a secret in hex',
      { PARTNER_API_SECRET: Buffer.from(API_SECRET).toString('hex') },
      'apiSecret looks like hex: give it in base64, as it was shown',
    ],
    [
      'a secret of a PEM file',
      { PARTNER_API_SECRET: '-----BEGIN PRIVATE KEY-----' },
      'apiSecret is a PEM file: the API takes a base64 secret',
    ],
    ['a key in quotation marks', { PARTNER_API_KEY: `'${API_KEY}'` }, 'apiKey has quotation marks around it'],
    [
      'a URL in quotation marks',
      { PARTNER_BASE_URL: `"${BASE_URL}"` },
      'baseUrl is not a URL: it has quotation marks around it',
    ],
    [
      'key and secret swapped',
      { PARTNER_API_KEY: LONG, PARTNER_API_SECRET: API_KEY },
      'apiKey looks like a secret, and apiSecret does not: swap the two',
    ],
    [
      'key and secret swapped, both base64',
      { PARTNER_API_KEY: LONG, PARTNER_API_SECRET: 'a1b2c3d4' },
      'apiKey looks like a secret, and apiSecret does not: swap the two',
    ],
  ])('%s', (_, env, message) => {
    expect(make(env)).toThrow(new ConfigurationError(message));
  });

  it('a secret of zero bytes, as tests have them, is none, and neither is a long key', () => {
    expect(make({ PARTNER_API_SECRET: Buffer.alloc(48).toString('base64') })).not.toThrow();
    expect(make({ PARTNER_API_KEY: LONG, PARTNER_API_SECRET: LONG.replace('M', 'N') })).not.toThrow();
  });
});

describe('apiSecret as a function', () => {
  it.each([
    ['at once', () => API_SECRET],
    ['later', async () => API_SECRET],
  ])('signs with what it gives %s', async (_, apiSecret) => {
    service.answerJson(getUser.answer);
    await invoke(getUser, service.client({ apiSecret }));
    expect(service.received).toHaveLength(1);
  });

  it('that gives hex, or quotation marks, is told so in the cause', async () => {
    const hex = Buffer.from(API_SECRET).toString('hex');
    const causeOf = async (apiSecret: () => string) =>
      ((await rejection(invoke(execute, service.client({ apiSecret })), ProviderError)).cause as Error).message;
    const must = 'the apiSecret function must return a base64 string';
    expect(await causeOf(() => hex)).toBe(`${must}: it looks like hex: give it in base64, as it was shown`);
    expect(await causeOf(() => `"${API_SECRET}"`)).toBe(`${must}: it has quotation marks around it`);
    expect(await causeOf(() => '?')).toBe(must);
    expect(service.received).toEqual([]);
  });
});

describe('headers', () => {
  it('of the call go over those of the client, whatever their case, for this call only', async () => {
    service.answerJson(getUser.answer);
    const client = service.client({ headers: { 'X-Team': 'payments', 'X-Region': 'eu' } });
    await invoke(getUser, client, {}, { headers: { 'x-team': 'risk', 'X-Case': '7' } });
    await invoke(getUser, client);
    const [first, second] = service.received.map(({ headers }) => [
      headers['x-team'],
      headers['x-region'],
      headers['x-case'],
    ]);
    expect(first).toEqual(['risk', 'eu', '7']);
    expect(second).toEqual(['payments', 'eu', undefined]);
  });

  it.each([
    [{ name: 'payouts' }, 'payouts'],
    [{ name: 'payouts', version: '2.1' }, 'payouts/2.1'],
    [{ name: 'payouts', url: 'https://example.com/a?b=c' }, 'payouts (https://example.com/a?b=c)'],
    [{ name: 'pay.outs', version: '2', url: 'https://example.com' }, 'pay.outs/2 (https://example.com)'],
  ])('name the SDK, and the application of appInfo %j behind it', async (appInfo, shown) => {
    service.answerJson(getUser.answer);
    const client = service.client({ appInfo });
    await invoke(getUser, client);
    await using derived = client.withOptions({ timeout: 5_000 });
    await invoke(getUser, derived);
    await using plain = service.client();
    await invoke(getUser, plain);
    const agents = service.received.map(({ headers }) => headers['user-agent']);
    const own = agents[2];
    expect(own).toMatch(/^partner-sdk\/\d+\.\d+\.\d+$/);
    expect(agents).toEqual([`${own} ${shown}`, `${own} ${shown}`, own]);
  });

  it('that would replace the user agent are refused by the name of appInfo', async () => {
    const headers = { 'user-agent': 'mine' };
    expect(() => new PartnerClient({ ...NEEDED, headers })).toThrow(
      /^headers must not have user-agent: the SDK writes it, the client's option appInfo adds to it$/,
    );
    const error = await rejection(invoke(getUser, service.client(), {}, { headers }), RequestValidationError);
    expect(error.message).toContain('appInfo');
  });

  it.each(SIGNED)('of a call cannot hold %s', async (name) => {
    const call = invoke(execute, service.client(), {}, { headers: { [name]: 'x' } });
    expect(await issuePaths(call)).toEqual(['options.headers']);
    expect(service.received).toEqual([]);
  });
});

const WRONG_CALL: readonly (readonly [option: string, values: readonly unknown[]])[] = [
  ['timeout', [0, -1, Number.NaN, '5', null]],
  ['attemptTimeout', [0, -1, Number.NaN, '5', null]],
  ['maxRetries', [-1, 1.5, '1', null]],
  ['signal', [5, 'x', {}, { aborted: false }, null]],
  ['otp', ['', 5, null, 'a\nb']],
  ['headers', ['x', null, [], { 'X-A': 5 }, { 'X-A': 'a\nb' }, { 'X A': 'b' }]],
];

describe.each([execute, operation('users.assets.list')])('options of a call, $name', (op) => {
  it.each(WRONG_CALL)('%s: wrong is refused by name', async (option, values) => {
    const client = service.client();
    for (const value of values) {
      const call = () => invoke(op, client, {}, wrong({ [option]: value }));
      expect(await issuePaths(call), JSON.stringify(value)).toEqual([`options.${option}`]);
    }
    expect(service.received).toEqual([]);
  });
});

describe('idempotencyKey', () => {
  const KEY = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
  const refusal = async (op = execute, idempotencyKey: unknown = KEY) => {
    const call = () => invoke(op, service.client(), {}, wrong({ idempotencyKey }));
    expect(await issuePaths(call)).toEqual(['options.idempotencyKey']);
    expect(service.received).toEqual([]);
  };

  it.each(OPERATIONS.filter(({ key }) => !key))('is refused on $name, which takes none', (op) => refusal(op));

  it.each(['', 'x', KEY.replace('-4', '-1'), KEY.replace('-9', '-c'), `${KEY}\n`, ` ${KEY}`, `{${KEY}}`, 5, null])(
    '%j is none',
    (key) => refusal(execute, key),
  );
});

describe('withOptions()', () => {
  it('gives a client with other options, and leaves the first as it was', async () => {
    service.answerJson(getUser.answer);
    const client = service.client({ headers: { 'X-Team': 'payments' } });
    await using other = client.withOptions({ headers: { 'X-Team': 'risk' } });
    expect(other).toBeInstanceOf(PartnerClient);
    await invoke(getUser, other);
    await invoke(getUser, client);
    expect(service.received.map(({ headers }) => headers['x-team'])).toEqual(['risk', 'payments']);
  });
});

describe('close()', () => {
  it('refuses calls and lists from then on, sends nothing, and may be called again', async () => {
    const client = service.client();
    await client.close();
    await client.close();
    for (const op of OPERATIONS) {
      const error = await rejection(() => invoke(op, client));
      expect(error, op.name).toBeInstanceOf(PartnerError);
      expect(error).toBeInstanceOf(ConfigurationError);
    }
    expect(await rejection(() => client.request({ method: 'GET', path: '/v1/x' }))).toBeInstanceOf(PartnerError);
    await settle();
    expect(service.received).toEqual([]);
  });
});
