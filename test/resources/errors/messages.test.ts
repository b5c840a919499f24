import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  type PartnerClient,
  PartnerError,
  RequestValidationError,
  ResponseValidationError,
} from '../../../src/index.js';
import { fakeTransport } from '../../support/fake-transport.js';
import { ACCOUNT, invoke, OPERATIONS, operation, USER } from '../support/operations.js';
import { API_SECRET, BASE_URL, failure, json, rejection, startService, wrong } from '../support/service.js';

const service = startService();

const messageOf = async (
  answer: () => Response,
  options: Parameters<typeof service.client>[0] = {},
): Promise<string> => {
  service.answer(answer);
  return ((await rejection(service.client(options).users.get(USER))) as Error).message;
};

const ASSUMED = [
  ...['funds.withdrawalMethods.list', 'funds.withdrawalAddresses.delete'],
  ...['ramp.paymentMethods.list', 'ramp.assets.list'],
];

describe('the message of a refusal says what to look at', () => {
  it.each([
    [
      '401: key, secret, other processes, clock',
      () => failure(401, 'unauthenticated'),
      /^401 unauthenticated \(users\.get\): the service did not accept the API key, signature or nonce: check .*apiSecret.*process.*docs\/operate\/several-processes\.md.*clock.*`npx partner-sdk doctor` checks these$/,
    ],
    [
      '403: account, user and permissions',
      () => failure(403, 'forbidden'),
      /^403 forbidden \(users\.get\): the API key may not do this: check .*account or user.*permissions/,
    ],
    [
      '404: ids',
      () => failure(404, 'user_not_found'),
      /^404 user_not_found \(users\.get\): the resource does not exist, .*: check the ids of the path, and that none of them is of another kind$/,
    ],
    [
      '400: the causes',
      () => failure(400, 'bad_request', { causes: [{ field: 'key', message: 'is taken' }, { field: 'memo' }] }),
      /^400 bad_request \(users\.get\): key: is taken; memo: is wrong$/,
    ],
  ])('%s', async (_, answer, message) => {
    expect(await messageOf(answer)).toMatch(message);
  });

  it('404 for a member of the body or query: that member, and else the ids, whatever the service calls them', async () => {
    const told = async (name: string, field: string): Promise<string> => {
      service.answer(() => failure(404, 'not_found', { causes: [{ field, message: 'does not exist' }] }));
      return ((await rejection(invoke(operation(name), service.client()))) as Error).message;
    };
    expect(await told('funds.withdrawals.create', 'key')).toMatch(/; check key of the body: .* has no such thing$/);
    expect(await told('accounts.quotes.create', 'from.symbol')).toMatch(/; check from\.symbol of the body: /);
    expect(await told('users.assets.list', 'page_token')).toMatch(/; check page_token of the query: /);
    for (const field of ['account_id', 'id', 'quote', 'Idempotency-Key'])
      expect(await told('accounts.quotes.create', field)).toMatch(/; the resource does not exist, .*: check the ids/);
  });

  it('409 for an idempotency key of another request: not a new one, which may double the write', async () => {
    const causes = [{ field: 'Idempotency-Key', message: 'was used' }];
    expect(await messageOf(() => failure(409, 'conflict', { causes }))).toMatch(
      /Do not send the write again with a new idempotency key.*docs\/money\/crash-safety\.md#what-a-409-means/,
    );
    expect(await messageOf(() => failure(409, 'conflict'))).toBe('409 conflict (users.get)');
  });

  it('401 to a call with a one-time password: that one as well', async () => {
    service.answer(() => failure(401, 'unauthenticated'));
    const error = await rejection(invoke(operation('accounts.wallets.whitelist'), service.client()));
    expect((error as Error).message).toMatch(/one-time password$/);
  });

  it.each([
    ['with its envelope', () => failure(403, 'gateway', { type: 'service_error' }), /^403 gateway \(users\.get\): /],
    ['with a page of HTML', () => new Response('<html>', { status: 403 }), /^403 no error envelope \(users\.get\): /],
  ])('403 of a gateway, %s: that it is not the service', async (_, answer, begin) => {
    const message = await messageOf(answer);
    expect(message).toMatch(begin);
    expect(message).toMatch(/(gateway|proxy or load balancer) .*, not the service itself: check .*allow-list/);
  });

  it('5xx of a gateway: that it is not the service', async () => {
    const message = await messageOf(() => new Response('<html>Bad Gateway', { status: 502 }), { maxRetries: 0 });
    expect(message).toBe(
      '502 no error envelope (users.get): a proxy or load balancer in front of the service responded, not the service itself',
    );
    expect(await messageOf(() => failure(503, 'unavailable'), { maxRetries: 0 })).toBe('503 unavailable (users.get)');
  });

  it('404 below a baseUrl that ends with the version: that it is there twice', async () => {
    service.checksSignatures = false;
    const message = await messageOf(() => failure(404, 'not_found'), { baseUrl: `${BASE_URL}/v1` });
    expect(message).toMatch(/^404 not_found \(users\.get\): baseUrl ends with \/v1, .*: take \/v1 out of baseUrl$/);
    expect(service.only.pathname).toMatch(/^\/v1\/v1\//);
  });

  it('404 below another path of baseUrl, and one that the service has not written: baseUrl as well', async () => {
    service.checksSignatures = false;
    expect(await messageOf(() => failure(404, 'not_found'), { baseUrl: `${BASE_URL}/api` })).toMatch(
      /baseUrl \(\/api\)$/,
    );
    expect(await messageOf(() => new Response('', { status: 404 }))).toMatch(/at baseUrl$/);
  });

  it.each([
    [
      404,
      'not_found',
      /does not exist, .*: check the ids of the path, and that none of them is of another kind\. Or the service may have this operation at another path/,
    ],
    [501, 'unimplemented', /^501 unimplemented \(.*\): the service may have this operation at another path/],
    [405, 'method_not_allowed', /: the service may have this operation at another path/],
    [404, '', /check that the service is at baseUrl\. Or the service may have this operation at another path/],
  ])(
    '%s %s to an operation whose path is assumed: that, and how another path is called',
    async (status, code, told) => {
      service.answer(() => (code === '' ? new Response('', { status }) : failure(status, code)));
      for (const name of ASSUMED) {
        const { message } = (await rejection(invoke(operation(name), service.client()))) as Error;
        expect(message).toMatch(told);
        expect(message).toMatch(/assumption from an older edition of the API\. .* client\.request\(\) \(docs\/.*\)$/);
      }
      expect(await messageOf(() => failure(403, 'forbidden'))).not.toContain('assumption');
    },
  );

  it('410: what alone says whether the write happened', async () => {
    expect(await messageOf(() => failure(410, 'gone'))).toMatch(/: read the resource, because only its status says/);
  });

  it('429 and 503: how long the service asked to wait, when it did', async () => {
    const limited = { maxRetryAfter: 0 };
    expect(await messageOf(() => failure(429, 'resource_exhausted', {}, '60'), limited)).toBe(
      '429 resource_exhausted (users.get): the service asked to wait 60 s',
    );
    expect(await messageOf(() => failure(429, 'resource_exhausted'), limited)).toBe(
      '429 resource_exhausted (users.get)',
    );
    expect(await messageOf(() => failure(503, 'unavailable', {}, '5'), limited)).toMatch(/asked to wait 5 s$/);
  });
});

describe('the message of a refused input says what to write instead', () => {
  const sides = (amount: unknown) =>
    ({ from: { symbol: 'BTC', type: 'crypto', amount }, to: { symbol: 'USD', type: 'fiat' } }) as never;

  it.each<[string, (client: PartnerClient) => PromiseLike<unknown>, string]>([
    [
      'a Date for a time',
      (client) => client.accounts.portfolio.transactions.list(ACCOUNT, wrong({ start_timestamp: new Date() })),
      'start_timestamp must be a string, not a Date: use .toISOString()',
    ],
    [
      'a promise for an id',
      (client) => client.users.get(wrong(Promise.resolve('id'))),
      'user_id must be a string, not a promise: is an await missing?',
    ],
    [
      'an object with an id for an id',
      (client) => client.users.get(wrong({ id: USER })),
      'user_id must be a string, not an object: pass its id',
    ],
    [
      'a BigInt for an amount',
      (client) => client.accounts.quotes.create(ACCOUNT, sides(5n)),
      'from.amount must be a decimal string or a Decimal, not a bigint: use .toString()',
    ],
    [
      'a number for an amount',
      (client) => client.accounts.quotes.create(ACCOUNT, sides(5)),
      'from.amount must be a decimal string or a Decimal, not a number: numbers lose digits of money',
    ],
    [
      'an object for an amount',
      (client) => client.accounts.quotes.create(ACCOUNT, sides({})),
      'from.amount must be a decimal string or a Decimal',
    ],
  ])('%s', async (_, call, message) => {
    const error = await rejection(() => call(service.client()), RequestValidationError);
    expect(error.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([message]);
  });
});

it('a request that MSW has no handler for: that no answer came, in the words of MSW', async () => {
  const client = service.client({ baseUrl: 'https://elsewhere.test' });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const error = await rejection(client.users.get(USER), ConnectionError);
  expect(error.message).toMatch(
    /^no complete response from elsewhere\.test:443 \(users\.get\): \[MSW\] Cannot bypass a request .*onUnhandledRequest/,
  );
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('without a matching request handler'));
  vi.restoreAllMocks();
});

it('an error of the transport without a code: its text, without secrets and not all of a long one', async () => {
  const cause = new Error(`${API_SECRET} ${'x'.repeat(300)}`);
  const transport = fakeTransport((listener) => {
    listener.onSent();
    listener.onError(cause, 'lost');
  });
  const error = await rejection(service.client({ transport }).users.get(USER), ConnectionError);
  expect(error.message).toMatch(/^no complete response from api\.partner\.test:443 \(users\.get\): \S+ x{100,199}…$/);
  expect(error.message).not.toContain(API_SECRET);
});

describe('every error names its operation in its message', () => {
  it.each(OPERATIONS)('$name: refused, answered wrongly, aborted, out of time, without a password', async (op) => {
    const call = async (client = service.client(), options = {}) => {
      const error = await rejection(invoke(op, client, {}, options), PartnerError);
      expect(error.message).toContain(op.name);
    };
    service.answer(() => failure(500, 'internal'));
    await call();
    service.answer(() => new Response('<html>', { status: 502 }));
    await call();
    if (!op.nothing) {
      service.answer(() => new Response('no JSON'));
      await call();
    }
    await call(service.client(), { signal: AbortSignal.abort() });
    service.answer(() => new Promise<Response>(() => {}));
    await call(service.client(), { timeout: 20 });
    await call(service.client(), { attemptTimeout: 20 });
    await call(service.client({ signer: () => Promise.reject(new Error('no HSM')) }));
    service.answer(() => Response.error());
    await call();
    await call(service.client(), { timeout: -1 });
  });

  it('also that of client.request(), by its method alone or its template', async () => {
    service.answer(() => failure(500, 'internal'));
    const whole = await rejection(service.client().request({ method: 'GET', path: '/v1/things/johnsmith' }));
    expect((whole as Error).message).toBe('500 internal (GET)');
    const path = '/v1/things/{thing_id}';
    const template = await rejection(service.client().request({ method: 'GET', path, params: { thing_id: 'x' } }));
    expect((template as Error).message).toBe(`500 internal (GET ${path})`);
  });
});

describe('what console.log shows', () => {
  it('of an error: why each attempt failed', async () => {
    service.answer(() => failure(503, 'unavailable', {}, '0'));
    const error = (await rejection(service.client({ maxRetries: 1 }).users.get(USER))) as PartnerError;
    const failures =
      /failures: \[\s*\{ reason: 'status', status: 503, code: 'unavailable' \},?\s*\{ reason: 'status', status: 503, code: 'unavailable' \}\s*\]/;
    expect(inspect(error)).toMatch(failures);
    expect(inspect(new Error('mine', { cause: error }))).toMatch(failures);
    expect(inspect({ deep: { error } })).toMatch(failures);
    expect(inspect(error)).not.toMatch(/\[Object\]|Symbol/);
    expect(Object.keys(error.attempts)).toEqual(['count', 'failures']);
  });

  it('of a list: its operation, and how it is used', () => {
    const list = service.client().accounts.onDemandConversions.list(ACCOUNT);
    expect(inspect(list)).toMatch(/^PagedList of accounts\.onDemandConversions\.list \{.*for await.*await list/);
    expect(service.received).toHaveLength(0);
  });

  it('of a client: its address and its methods, and no secret', () => {
    const shown = inspect(service.client());
    expect(shown).toMatch(/^PartnerClient \{\s*baseUrl: 'https:\/\/api\.partner\.test'/);
    expect(shown).toMatch(/users: \[[^\]]*'get'[^\]]*'assets\.list'/);
    expect(shown).toMatch(/accounts: \[[^\]]*'quotes\.waitFor'/);
    expect(shown).not.toMatch(/pk-of|caller|\[Object\]/);
  });
});

/** Clears a screen, sets a colour in eight bits, begins a line of a log, and turns the writing round. */
const HOSTILE = 'x\u001b[2J\u009b31m\n2026 INFO paid\r\u0085\u2028\u2029\u202e\u2066\u007f\u0000y';
const SHOWN = 'x\\u001b[2J\\u009b31m\\u000a2026 INFO paid\\u000d\\u0085\\u2028\\u2029\\u202e\\u2066\\u007f\\u0000y';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown.
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\n2026 INFO/;

/** Every text that a value holds, names and hidden members included. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((name) => [String(name), ...textsIn(Reflect.get(value, name), seen)]);
}

function expectPrintable(value: unknown): void {
  const printed = [inspect(value), inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value)];
  for (const text of [...printed, String(value), ...textsIn(value)]) expect(text).not.toMatch(UNPRINTABLE);
}

const read = (client = service.client()) => rejection(client.users.get(USER)) as Promise<PartnerError>;

describe('a text of the service cannot write on a terminal or begin a line of a log', () => {
  it.each([
    ['code', HOSTILE, {}],
    ['type', 'bad_request', { type: HOSTILE }],
    ['instance', 'bad_request', { instance: HOSTILE }],
    ['doc_url', 'bad_request', { doc_url: HOSTILE }],
    ['field of a cause', 'bad_request', { causes: [{ field: HOSTILE, message: 'is wrong' }] }],
    ['message of a cause', 'bad_request', { causes: [{ field: 'key', message: HOSTILE }] }],
    ['member of a cause, at any depth', 'bad_request', { causes: [{ a: [{ b: HOSTILE }] }] }],
    ['name of a member of a cause', 'bad_request', { causes: [{ [HOSTILE]: { [HOSTILE]: 1 } }] }],
  ])('%s of a refusal', async (_, code, members) => {
    service.answer(() => failure(400, code, members));
    const error = await read();
    expect(error).toBeInstanceOf(ApiError);
    expectPrintable(error);
    expect(textsIn(error)).toContain(SHOWN);
  });

  it('the text of a refusal without envelope, and its headers', async () => {
    service.answer(() => new Response(HOSTILE, { status: 502, headers: { 'x-note': 'a\u001b[2J\u009b31mb' } }));
    const error = (await read()) as ApiError;
    expectPrintable(error);
    expect(error.body).toBe(SHOWN);
    expect(error.response.headers['x-note']).toBe('a\\u001b[2J\\u009b31mb');
  });

  it.each(['strict', 'warn'] as const)('the content type of an answer that is no JSON (%s)', async (mode) => {
    service.answer(() => new Response('no', { headers: { 'content-type': 'text/a\u001b[2J\u009b31m' } }));
    const lines: unknown[] = [];
    const logger = {
      warn: (...line: unknown[]) => void lines.push(line),
      error: (...line: unknown[]) => void lines.push(line),
    };
    const error = await read(service.client({ responseValidation: mode, logger }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message).toContain('text/a\\u001b[2J\\u009b31m');
    expectPrintable(error);
    expect(lines.length).toBeGreaterThan(0);
    expectPrintable(lines);
  });

  it('names and texts that a schema of the caller puts into its issues', async () => {
    service.answer(() => json({ data: { [HOSTILE]: HOSTILE } }));
    const quoting = (data: unknown) => ({
      issues: [{ message: JSON.stringify(data) + HOSTILE, path: Object.keys(Object(data)) }],
    });
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate: quoting } };
    const error = await rejection(service.client().request({ method: 'GET', path: '/v1/x', schema }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expectPrintable(error);
    const lines: unknown[] = [];
    const client = service.client({ responseValidation: 'warn', logger: { warn: (...line) => void lines.push(line) } });
    await client.request({ method: 'GET', path: '/v1/x', schema });
    expect(lines).toHaveLength(1);
    expectPrintable(lines);
  });

  it('code in the lines of the logger, in hooks and in the failures of attempts', async () => {
    service.answer(() => failure(503, HOSTILE, {}, '0'));
    const seen: unknown[] = [];
    const note = (...told: unknown[]) => void seen.push(told);
    const client = service.client({
      maxRetries: 1,
      logger: { debug: note, info: note, warn: note, error: note },
      hooks: { onRetry: note, onError: note, onResponse: note },
    });
    const error = await read(client);
    expect(error.attempts.failures.map(({ code }) => code)).toEqual([SHOWN, SHOWN]);
    expect(seen.length).toBeGreaterThan(4);
    expectPrintable(seen);
  });

  it('headers of a success', async () => {
    service.answer(() => json({ data: {} }, 200, { 'x-note': 'a\u001b[2J\u009b31mb' }));
    const { response } = await service.client().request({ method: 'GET', path: '/v1/x' }).withResponse();
    expect(response.headers['x-note']).toBe('a\\u001b[2J\\u009b31mb');
  });

  it('texts of an error of the transport', async () => {
    const cause = Object.assign(new Error(HOSTILE, { cause: new Error(HOSTILE) }), { code: HOSTILE });
    const transport = fakeTransport((listener) => listener.onError(cause, 'lost'));
    const error = await read(service.client({ transport }));
    expect(error).toBeInstanceOf(ConnectionError);
    expectPrintable(error);
    expect((error as ConnectionError).code).toBe(SHOWN);
  });
});
