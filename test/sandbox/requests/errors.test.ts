import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodies, openSandbox, type Partner, type TestRequest } from '../support/partner.js';

let partner: Partner;
beforeAll(async () => {
  partner = await openSandbox();
});
afterAll(() => partner.sandbox.close());

const fixtures = () => partner.sandbox.fixtures;
const foreign = () => `/v1/accounts/${fixtures().foreignAccountId}`;
const unknownId = 'A'.repeat(20);
const get = (path: string): TestRequest => ({ method: 'GET', path });

const refusals: [string, () => TestRequest, number, string, string][] = [
  ['an unknown path', () => get('/v1/nowhere'), 404, 'not_found', 'request_error'],
  ['a path with a trailing slash', () => get('/v1/webhooks/'), 404, 'not_found', 'request_error'],
  ['an empty path parameter', () => get('/v1/users/'), 404, 'not_found', 'request_error'],
  ['another method', () => ({ method: 'PUT', path: '/v1/webhooks' }), 404, 'not_found', 'request_error'],
  ['an unknown user', () => get(`/v1/users/${unknownId}`), 404, 'user_not_found', 'request_error'],
  [
    'verifications of an unknown user',
    () => get(`/v1/users/${unknownId}/verifications`),
    403,
    'forbidden',
    'request_error',
  ],
  ['assets of an unknown user', () => get(`/v1/users/${unknownId}/assets`), 403, 'forbidden', 'request_error'],
  [
    'conversions of a foreign account',
    () => get(`${foreign()}/on-demand-conversions`),
    403,
    'forbidden',
    'request_error',
  ],
  ['a portfolio of a foreign account', () => get(`${foreign()}/portfolio/details`), 403, 'forbidden', 'request_error'],
  [
    'a quote for a foreign account',
    () => ({ method: 'POST', path: `${foreign()}/quotes`, body: bodies.quote }),
    ...([403, 'forbidden', 'request_error'] as const),
  ],
  ['an unknown quote', () => get(`${partner.account}/quotes/x`), 404, 'not_found', 'request_error'],
  [
    'a quote of another account',
    () => get(`/v1/accounts/${fixtures().secondaryAccountId}/quotes/${fixtures().quoteId}`),
    ...([404, 'not_found', 'request_error'] as const),
  ],
  [
    'the execution of an unknown quote',
    () => ({ method: 'POST', path: `${partner.account}/quotes/x/execute` }),
    ...([404, 'not_found', 'request_error'] as const),
  ],
  [
    'an unlinked bank link',
    () => get(`${partner.account}/funds/bank-links/${fixtures().unlinkedBankLinkId}`),
    ...([404, 'bank_link_not_found', 'funding_error'] as const),
  ],
  [
    'a wrong limit symbol',
    () => get(`${partner.account}/funds/deposits/limits/NONE`),
    400,
    'bad_request',
    'funding_error',
  ],
  [
    'limits of a foreign account',
    () => get(`${foreign()}/funds/deposits/limits/BTC`),
    403,
    'forbidden',
    'funding_error',
  ],
  [
    'an unknown funding address',
    () => ({ method: 'DELETE', path: `${partner.account}/funds/addresses/ABaaaaa-aaaaa-aaaaaa` }),
    ...([404, 'not_found', 'funding_error'] as const),
  ],
  [
    'an unknown withdrawal key',
    () => ({ method: 'PATCH', path: `${partner.account}/funds/withdrawals/addresses/none`, body: { new_key: 'x' } }),
    ...([404, 'not_found', 'request_error'] as const),
  ],
  [
    'a withdrawal key that is taken',
    () => ({
      method: 'POST',
      path: `${partner.account}/funds/withdrawals/addresses`,
      body: bodies.address(fixtures().methodId, fixtures().withdrawalAddressKey),
    }),
    ...([409, 'conflict', 'state_error'] as const),
  ],
  [
    'a new withdrawal key that is taken',
    () => ({
      method: 'PATCH',
      path: `${partner.account}/funds/withdrawals/addresses/${fixtures().withdrawalAddressKey}`,
      body: { new_key: 'treasury xrp' },
    }),
    ...([409, 'conflict', 'state_error'] as const),
  ],
];

test.each(refusals)('%s', async (_, request, status, code, type) => {
  const answer = await partner.call(request());
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(answer.body.error).toMatchObject({ type, status, code });
  expect(answer.body.error.instance).toMatch(/^req_.+/);
  expect(partner.sandbox.journal.at(-1)).toMatchObject({ verdict: code, status });
});

test('a known path with another method says which methods it has, an unknown one that it is unknown', async () => {
  const causesOf = async (method: string, path: string) => (await partner.call({ method, path })).body.error.causes;
  const quote = `${partner.account}/quotes/${fixtures().quoteId}`;
  const hint = (nearest: string) => [{ field: 'method', message: `is not one of this path; nearest: ${nearest}` }];
  expect(await causesOf('PUT', '/v1/webhooks?page_size=1')).toEqual(hint('GET /v1/webhooks'));
  expect(await causesOf('DELETE', quote)).toEqual(hint('GET /v1/accounts/{account_id}/quotes/{quote_id}'));
  expect(await causesOf('GET', `${quote}/execute`)).toEqual(
    hint('POST /v1/accounts/{account_id}/quotes/{quote_id}/execute'),
  );
  expect(await causesOf('PUT', '/v1/nowhere')).toEqual([{ field: 'path', message: 'is not one of the API' }]);
});

test('a 401 of the funding domain has its type, and no causes', async () => {
  const path = `${partner.account}/funds/deposits/limits/BTC`;
  const answer = await partner.get(path, { 'API-Sign': 'wrong' });
  expect(answer.body.error).toMatchObject({ type: 'funding_error', status: 401, code: 'unauthenticated' });
  expect(answer.body.error).not.toHaveProperty('causes');
});

test('the causes of a validation failure are a field and a message each', async () => {
  const { body } = await partner.get('/v1/webhooks?page_size=0&x=1');
  expect(body.error.causes).toHaveLength(2);
  for (const cause of body.error.causes) {
    expect(Object.keys(cause).sort()).toEqual(['field', 'message']);
    expect(cause.message).not.toBe('');
  }
});

test('every occurrence has its own instance', async () => {
  const instances = await Promise.all([1, 2, 3].map(async () => (await partner.get('/v1/x')).body.error.instance));
  expect(new Set(instances).size).toBe(3);
});

test('a deleted funding address is gone', async () => {
  const request = { method: 'DELETE', path: `${partner.account}/funds/addresses/${fixtures().addressId}` };
  const first = await partner.call(request);
  expect([first.status, first.body.data]).toEqual([200, { address_id: fixtures().addressId, status: 'deleted' }]);
  expect((await partner.call(request)).status).toBe(404);
});
