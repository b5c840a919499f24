import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Decimal, RequestValidationError, ResponseValidationError } from '../../../src/index.js';
import { UUID_V4 } from '../../support/signature.js';
import { deepFreeze, rejection, startService, wrong } from '../support/service.js';

const service = startService();

/** A Standard Schema written by hand: text becomes its length. */
const lengths = {
  '~standard': {
    version: 1 as const,
    vendor: 'the tests',
    validate: async (
      value: unknown,
    ): Promise<{ value: number } | { issues: { message: string; path: (string | { key: string })[] }[] }> =>
      typeof value === 'string'
        ? { value: value.length }
        : { issues: [{ message: 'must be a string', path: ['a', { key: 'b' }] }] },
    types: undefined as { input: string; output: number } | undefined,
  },
};

describe('request()', () => {
  it('gives the data member, signed like the rest', async () => {
    service.answerJson({ data: { country: 'US' }, extra: 1 });
    const query = { page_size: 5, country: ['US', 'D E'], open: true, amount: new Decimal('1e-7'), none: undefined };
    expect(await service.client().request({ method: 'GET', path: '/v1/ramp/countries', query })).toEqual({
      country: 'US',
    });
    const { path, method, headers, body } = service.only;
    expect(path).toBe('/v1/ramp/countries?page_size=5&country=US&country=D%20E&open=true&amount=0.0000001');
    expect([method, body, headers['idempotency-key']]).toEqual(['GET', '', undefined]);
  });

  it('gives the whole body when it has no data, or when asked', async () => {
    const client = service.client();
    service.answerJson({ staking: 'enabled' });
    expect(await client.request({ method: 'GET', path: '/v1/earn' })).toEqual({ staking: 'enabled' });
    service.answerJson({ data: [1], next_page_token: 't' });
    expect(await client.request({ method: 'GET', path: '/v1/earn', unwrap: false })).toEqual({
      data: [1],
      next_page_token: 't',
    });
    service.answerJson([1, 2]);
    expect(await client.request({ method: 'GET', path: '/v1/earn' })).toEqual([1, 2]);
    service.answerJson({ data: null });
    expect(await client.request({ method: 'GET', path: '/v1/earn' })).toBeNull();
  });

  it('reads money as text, since it knows no schema', async () => {
    service.answerJson({ data: { amount: '1.50' } });
    expect(await service.client().request({ method: 'GET', path: '/v1/x' })).toEqual({ amount: '1.50' });
  });

  it('tells the logger of a number that has lost digits, once for each member', async () => {
    const heard: object[] = [];
    const logger = { warn: (message: string, fields: object) => void heard.push({ message, ...fields }) };
    const client = service.client({ logger });
    const body = '{"data":{"items":[{"id":9007199254740993},{"id":31869085891081369}],"rate":"9007199254740993"}}';
    service.answer(() => new Response(body, { headers: { 'content-type': 'application/json' } }));
    for (let call = 0; call < 2; call++) await client.request({ method: 'GET', path: '/v1/x' });
    expect(heard).toEqual([
      { message: expect.stringContaining('has more digits'), operation: 'GET', path: 'data.items[].id' },
    ]);
  });

  it.each([
    ['204', () => new Response(null, { status: 204 })],
    ['an empty 200', () => new Response('', { status: 200 })],
  ])('gives nothing on %s', async (_, answer) => {
    service.answer(answer);
    expect(await service.client().request({ method: 'POST', path: '/v1/x/cancel' })).toBeUndefined();
    expect(service.only.headers).not.toHaveProperty('content-type');
  });

  it('reads the answer with any Standard Schema', async () => {
    const client = service.client();
    service.answerJson({ data: 'four' });
    expect(await client.request({ method: 'GET', path: '/v1/x', schema: lengths })).toBe(4);
    service.answerJson({ data: { id: 'a', more: 1 } });
    expect(await client.request({ method: 'GET', path: '/v1/x', schema: z.object({ id: z.string() }) })).toEqual({
      id: 'a',
    });
    service.answerJson({ data: 1, token: 't' });
    const whole = { method: 'GET', path: '/v1/x', schema: z.object({ token: z.string() }), unwrap: false } as const;
    expect(await client.request(whole)).toEqual({ token: 't' });
  });

  it('an answer that the schema refuses is a ResponseValidationError with its issues', async () => {
    service.answerJson({ data: 5 });
    const call = service.client().request({ method: 'GET', path: '/v1/x', schema: lengths });
    const issues = [{ path: expect.stringMatching(/(^|\.)a\.b$/), message: 'must be a string' }];
    await rejection(call, ResponseValidationError, { issues });
  });

  it('a refused answer of a write was applied; in warn mode it is handed over', async () => {
    service.answerJson({ data: 5 });
    const write = { method: 'POST', path: '/v1/x', body: {}, schema: lengths } as const;
    expect(await rejection(service.client().request(write))).toMatchObject({ outcome: 'applied' });
    expect(await service.client({ responseValidation: 'warn' }).request(write)).toBe(5);
  });

  it.each(['POST', 'PUT', 'PATCH'] as const)(
    '%s sends no key unless the operation is said to honour one',
    async (method) => {
      const idempotencyKey = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
      service.answerJson({ data: 1 });
      const client = service.client();
      const write = { method, path: '/v1/x', body: { a: [1, 'é', { b: null }] } };
      await client.request(write);
      await client.request({ ...write, idempotent: true });
      await client.request({ ...write, idempotent: true, idempotencyKey });
      expect(await rejection(client.request({ ...write, idempotencyKey }))).toBeInstanceOf(RequestValidationError);
      const [none, own, given] = service.received.map(({ headers }) => headers['idempotency-key']);
      expect(service.received).toHaveLength(3);
      expect([none, given]).toEqual([undefined, idempotencyKey]);
      expect(own).toMatch(UUID_V4);
      for (const { body } of service.received) expect(JSON.parse(body)).toEqual(write.body);
    },
  );

  it('sends a Decimal in a body as plain text, at any depth, and leaves the body as it was', async () => {
    service.answerJson({ data: 1 });
    const body = deepFreeze({ asset: { amount: new Decimal('1e-9') }, list: [new Decimal('1e30')], none: undefined });
    await service.client().request({ method: 'POST', path: '/v1/x', body });
    expect(JSON.parse(service.only.body)).toEqual({ asset: { amount: '0.000000001' }, list: [`1${'0'.repeat(30)}`] });
  });

  it('takes the options of every call', async () => {
    service.answerJson({ data: 1 });
    const client = service.client();
    await client.request({ method: 'GET', path: '/v1/x', otp: '42', headers: { 'X-Team': 'risk' }, timeout: 1_000 });
    expect(service.only.headers).toMatchObject({ 'api-otp': '42', 'x-team': 'risk' });
    const { data, response } = await client.request({ method: 'GET', path: '/v1/x' }).withResponse();
    expect([data, response.status, response.attempts]).toEqual([1, 200, 1]);
  });

  it.each([
    ['path', { method: 'GET', path: '' }],
    ['path', { method: 'GET', path: 'https://elsewhere.test/v1/x' }],
    ['path', { method: 'GET', path: '/v1/../admin' }],
    ['path', { method: 'GET', path: '/v1/./x' }],
    ['path', { method: 'GET', path: '/v1/%2e%2E/x' }],
    ['path', { method: 'GET', path: '/v1/x#part' }],
    ['path', { method: 'GET', path: '/v1/x\ud800' }],
    ['path', { method: 'GET', path: '/v1/x\r\nX-A: b' }],
    ['method', { method: 'get', path: '/v1/x' }],
    ['method', { method: 'TRACE', path: '/v1/x' }],
    ['query.a|a', { method: 'GET', path: '/v1/x', query: { a: {} } }],
    ['query.a|a', { method: 'GET', path: '/v1/x', query: { a: Number.NaN } }],
    ['body', { method: 'POST', path: '/v1/x', body: { big: 5n } }],
    ['body', { method: 'GET', path: '/v1/x', body: {} }],
    ['path', { method: 'GET' }],
    ['query', { method: 'GET', path: '/v1/x', query: 'a=b' }],
    ['query', { method: 'GET', path: '/v1/x?a=b', query: { c: 1 } }],
    ['retries', { method: 'GET', path: '/v1/x', retries: 3 }],
    ['timeout', { method: 'GET', path: '/v1/x', timeout: -1 }],
    ['schema', { method: 'POST', path: '/v1/x', schema: { parse: () => 1 } }],
    ['idempotent', { method: 'POST', path: '/v1/x', idempotent: 'yes' }],
    ['unwrap', { method: 'GET', path: '/v1/x', unwrap: 'no' }],
  ])('refuses a wrong or unknown %s: %o', async (member, request) => {
    const error = await rejection(() => service.client().request(wrong(request)), RequestValidationError);
    const paths = (error as RequestValidationError).issues.map(({ path }) => path.replace(/^options\./, ''));
    for (const path of paths) expect(member.split('|')).toContain(path);
    expect(service.received).toEqual([]);
  });

  it('a path that holds a query and unusual characters is signed as it is sent', async () => {
    service.answerJson({ data: 1 });
    const client = service.client();
    const paths = [`/v1/x?name=O'Neil&a=b c`, '/v1/caf\u00e9/%2F/a b', '/v1/x?a=%20+&b=%', '/v1/x?', '/', '/v1//x/'];
    for (const path of paths) await client.request({ method: 'GET', path });
    expect(service.received).toHaveLength(6);
    expect(service.received[0]?.query.get('name')).toBe(`O'Neil`);
  });
});

const path = '/v1/accounts/{account_id}/funds/withdrawals';
const withdrawal = { method: 'POST', path, params: { account_id: 'a' }, body: { amount: '1' } } as const;

describe('request() and one-time passwords', () => {
  it('sends the client’s text with otp: true alone', async () => {
    service.answerJson({ data: 'done' });
    const client = service.client({ otp: '123456' });
    await client.request({ ...withdrawal, otp: true });
    await client.request(withdrawal);
    expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual(['123456', undefined]);
  });

  it('asks a function of the client with every write, and with a read for otp: true alone', async () => {
    const asked: string[] = [];
    const otp = (operation: string) => {
      asked.push(operation);
      return operation.startsWith('PUT') ? undefined : '123456';
    };
    service.answerJson({ data: 'done' });
    const client = service.client({ otp });
    await client.request(withdrawal);
    await client.request({ ...withdrawal, method: 'PUT' });
    await client.request({ method: 'GET', path, params: withdrawal.params });
    await client.request({ method: 'GET', path, params: withdrawal.params, otp: true });
    const sent = service.received.map(({ headers }) => headers['api-otp']);
    expect(sent).toEqual(['123456', undefined, undefined, '123456']);
    expect(asked).toEqual([`POST ${path}`, `PUT ${path}`, `GET ${path}`]);
  });

  it.each([
    [
      'a function of the client that gives none',
      { otp: () => undefined },
      { name: 'ProviderError', outcome: 'not_applied' },
    ],
    ['a client that has none', {}, { name: 'RequestValidationError', issues: [{ path: 'options.otp' }] }],
  ])('with otp: true, %s ends the call before sending', async (_, options, members) => {
    const call = () => service.client(options).request({ ...withdrawal, otp: true });
    expect(await rejection(call)).toMatchObject(members);
    expect(service.received).toEqual([]);
  });
});

describe('a number that JSON cannot say', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%s in a body is refused, not sent as null', async (number) => {
    const call = () => service.client().request({ ...withdrawal, body: { limits: [1, number] } });
    await rejection(call, RequestValidationError, { issues: [{ path: 'body' }] });
    expect(service.received).toEqual([]);
  });
});

const TEMPLATE = '/v1/users/{user_id}/orders/{order_id}';

/** The issues with which a request() is refused before sending. */
async function issuesOf(request: object): Promise<readonly { path: string; message: string }[]> {
  const error = await rejection(() => service.client().request(wrong({ method: 'GET', ...request })));
  expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_applied' });
  expect(service.received).toEqual([]);
  return (error as RequestValidationError).issues;
}

describe('the path of a request() as a template', () => {
  it.each([
    ['a dot', '.', /dot segment/],
    ['two dots', '..', /dot segment/],
    ['half of a surrogate pair', '\ud800', /lone surrogate/],
    ['an empty text', '', /at least one character/],
    ['a number', 5, /must be a string/],
    ['nothing', undefined, /is missing: the path has \{user_id\}/],
  ])('refuses an id: %s', async (_, user_id, message) => {
    const issues = await issuesOf({ path: TEMPLATE, params: { user_id, order_id: '1' } });
    expect(issues).toEqual([{ path: 'params.user_id', message: expect.stringMatching(message) }]);
  });

  it('refuses a template without params: each missing id is named', async () => {
    const issues = await issuesOf({ path: TEMPLATE });
    expect(issues.map(({ path }) => path)).toEqual(['params.user_id', 'params.order_id']);
  });

  it('refuses an id that the path does not have', async () => {
    expect(await issuesOf({ path: '/v1/users/{user_id}', params: { user_id: 'a', userId: 'a' } })).toEqual([
      { path: 'params.userId', message: 'is not in the path: it has no {userId}' },
    ]);
  });

  it.each(['/v1/users/u{user_id}', '/v1/users/{user_id', '/v1/{}', '/v1/{a b}', '/v1/{user_id}{user_id}'])(
    'refuses %s: a name is a whole segment',
    async (path) => {
      const issues = await issuesOf({ path, params: {} });
      expect(issues).toEqual([{ path: 'path', message: 'must have each {name} as a whole segment' }]);
    },
  );

  it.each(['x', 5, null, ['a']])('refuses %j as params', async (params) => {
    expect(await issuesOf({ path: '/v1/users', params })).toEqual([{ path: 'params', message: 'must be an object' }]);
  });
});

describe('a request() that cannot be sent says what to do', () => {
  it.each(['https://api.example.com/v1/users', 'HTTP://x', 'mailto:x'])(
    '%s: the host is that of baseUrl',
    async (path) => {
      expect(await issuesOf({ path })).toEqual([
        { path: 'path', message: expect.stringMatching(/path alone.*scheme and host are those of baseUrl/) },
      ]);
    },
  );

  it.each([
    [{ method: 'GET', path: 'https://api.example.com/v1/users/jane' }, 'GET'],
    [{ method: 'FETCH', path: '/v1/x' }, 'client.request'],
    [{}, 'client.request'],
    ['GET /v1/x', 'client.request'],
  ])('%j has a name', async (request, name) => {
    expect(await rejection(() => service.client().request(wrong(request)))).toMatchObject({ operation: name });
  });

  it('an idempotencyKey without idempotent: true', async () => {
    const idempotencyKey = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';
    expect(await issuesOf({ method: 'POST', path: '/v1/x', idempotencyKey })).toEqual([
      { path: 'options.idempotencyKey', message: expect.stringContaining('state idempotent: true') },
    ]);
  });
});
