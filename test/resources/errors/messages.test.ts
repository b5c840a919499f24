import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PartnerError } from '../../../src/index.js';
import { ACCOUNT, invoke, OPERATIONS, operation, USER } from '../support/operations.js';
import { BASE_URL, failure, json, rejection, startService } from '../support/service.js';

const service = startService();

const messageOf = async (
  answer: () => Response,
  options: Parameters<typeof service.client>[0] = {},
): Promise<string> => {
  service.answer(answer);
  return ((await rejection(service.client(options).users.get(USER))) as Error).message;
};

describe('the message of a refusal says what to look at', () => {
  it.each([
    [
      '401: key, secret, other processes, clock',
      () => failure(401, 'unauthenticated'),
      /^401 unauthenticated \(users\.get\): the service did not accept the API key, signature or nonce: check .*apiSecret.*process.*docs\/concurrency\.md.*clock(?!.*one-time)/,
    ],
    [
      '403: account, user and permissions',
      () => failure(403, 'forbidden'),
      /^403 forbidden \(users\.get\): the API key may not do this: check .*account or user.*permissions/,
    ],
    [
      '404: ids',
      () => failure(404, 'user_not_found'),
      /^404 user_not_found \(users\.get\): the resource does not exist, .*: check the ids of the path$/,
    ],
    [
      '400: the causes',
      () => failure(400, 'bad_request', { causes: [{ field: 'key', message: 'is taken' }, { field: 'memo' }] }),
      /^400 bad_request \(users\.get\): key: is taken; memo: is wrong$/,
    ],
  ])('%s', async (_, answer, message) => {
    expect(await messageOf(answer)).toMatch(message);
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
    expect(message).toMatch(/a gateway in front of the service refused, not the service itself: check .*allow-list/);
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

describe('every error names its operation in its message', () => {
  it.each(OPERATIONS)('$name: refused, answered wrongly, aborted, out of time, without a password', async (op) => {
    const call = async (client = service.client(), options = {}) => {
      const error = (await rejection(invoke(op, client, {}, options))) as PartnerError;
      expect(error).toBeInstanceOf(PartnerError);
      expect(error.message).toContain(op.name);
    };
    service.answer(() => failure(500, 'internal'));
    await call();
    service.answer(() => new Response('<html>', { status: 502 }));
    await call();
    if (op.answer !== undefined && op.method !== 'DELETE') {
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

  it('of a success nothing else than its data', async () => {
    service.answer(() => json({ data: 5 }));
    expect(inspect(await service.client().request({ method: 'GET', path: '/v1/x' }))).toBe('5');
  });
});
