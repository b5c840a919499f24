import { describe, expect, it } from 'vitest';
import type { RequestValidationError } from '../../../src/index.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();
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
    ['plain', 'IIA4ABCDEFGHIJKLMN', 'IIA4ABCDEFGHIJKLMN'],
    ['slash and question mark', 'a/b?c', 'a%2Fb%3Fc'],
    ['percent', '%2e%2e', '%252e%252e'],
    ['braces', '{order_id}', '%7Border_id%7D'],
    ['letters beyond ASCII', 'é€', '%C3%A9%E2%82%AC'],
    ['what only some URL parsers encode', "a'b(c)*!", 'a%27b%28c%29%2A%21'],
  ])('percent-encodes an id: %s', async (_, user_id, encoded) => {
    service.answerJson({ data: 1 });
    const params = { user_id, order_id: '1' };
    await service.client().request({ method: 'GET', path: TEMPLATE, params, query: { page_size: 5 } });
    expect(service.only.path).toBe(`/v1/users/${encoded}/orders/1?page_size=5`);
  });

  it.each([
    ['a dot', '.', /dot segment/],
    ['two dots', '..', /dot segment/],
    ['half of a surrogate pair', '\ud800', /lone surrogate/],
    ['an empty text', '', /at least one character/],
    ['a number', 5, /must be text/],
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

  it('is signed as it is sent, also where the template itself has unusual characters', async () => {
    service.answerJson({ data: 1 });
    const path = '/v1/café/{id}';
    await service.client().request({ method: 'GET', path, params: { id: 'x y' } });
    expect(service.only.path).toBe('/v1/caf%C3%A9/x%20y');
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

  it.each([
    ['parms', 'params'],
    ['idempotency_key', 'idempotencyKey'],
    ['Query', 'query'],
    ['attempt_timeout', 'attemptTimeout'],
  ])('%s: did you mean %s?', async (given, meant) => {
    expect(await issuesOf({ path: '/v1/x', [given]: {} })).toEqual([
      { path: given, message: expect.stringContaining(`did you mean ${meant}?`) },
    ]);
  });
});
