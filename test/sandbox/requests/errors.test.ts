import { expect, test } from 'vitest';
import { bodies, requestOf, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const { account } = partner;
const { fixtures } = partner.sandbox;
const foreign = `/v1/accounts/${fixtures.foreignAccountId}`;
const unknownUser = `/v1/users/${'A'.repeat(20)}`;
const addresses = `${account}/funds/withdrawals/addresses`;
const taken = fixtures.withdrawalAddressKey;

type Refusal = readonly [status: number, code: string, type: string];
const NOT_FOUND: Refusal = [404, 'not_found', 'request_error'];
const FORBIDDEN: Refusal = [403, 'forbidden', 'request_error'];
const CONFLICT: Refusal = [409, 'conflict', 'state_error'];

test.each<[what: string, line: string, refusal: Refusal, body?: unknown]>([
  ['an unknown path', 'GET /v1/nowhere', NOT_FOUND],
  ['a path with a trailing slash', 'GET /v1/webhooks/', NOT_FOUND],
  ['an empty path parameter', 'GET /v1/users/', NOT_FOUND],
  ['another method', 'PUT /v1/webhooks', NOT_FOUND],
  ['an unknown user', `GET ${unknownUser}`, [404, 'user_not_found', 'request_error']],
  ['verifications of an unknown user', `GET ${unknownUser}/verifications`, FORBIDDEN],
  ['assets of an unknown user', `GET ${unknownUser}/assets`, FORBIDDEN],
  ['conversions of a foreign account', `GET ${foreign}/on-demand-conversions`, FORBIDDEN],
  ['a portfolio of a foreign account', `GET ${foreign}/portfolio/details`, FORBIDDEN],
  ['a quote for a foreign account', `POST ${foreign}/quotes`, FORBIDDEN, bodies.quote],
  ['an unknown quote', `GET ${account}/quotes/x`, NOT_FOUND],
  [
    'a quote of another account',
    `GET /v1/accounts/${fixtures.secondaryAccountId}/quotes/${fixtures.quoteId}`,
    NOT_FOUND,
  ],
  ['the execution of an unknown quote', `POST ${account}/quotes/x/execute`, NOT_FOUND],
  [
    'an unlinked bank link',
    `GET ${account}/funds/bank-links/${fixtures.unlinkedBankLinkId}`,
    [404, 'bank_link_not_found', 'funding_error'],
  ],
  ['a wrong limit symbol', `GET ${account}/funds/deposits/limits/NONE`, [400, 'bad_request', 'funding_error']],
  ['limits of a foreign account', `GET ${foreign}/funds/deposits/limits/BTC`, [403, 'forbidden', 'funding_error']],
  [
    'an unknown funding address',
    `DELETE ${account}/funds/addresses/ABaaaaa-aaaaa-aaaaaa`,
    [404, 'not_found', 'funding_error'],
  ],
  ['an unknown withdrawal key', `PATCH ${addresses}/none`, NOT_FOUND, { new_key: 'x' }],
  ['a withdrawal key that is taken', `POST ${addresses}`, CONFLICT, bodies.address(fixtures.methodId, taken)],
  ['a new withdrawal key that is taken', `PATCH ${addresses}/${taken}`, CONFLICT, { new_key: 'treasury xrp' }],
])('%s', async (_, line, [status, code, type], body) => {
  const answer = await partner.call(requestOf(line, body));
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(answer.body.error).toMatchObject({ type, status, code });
  expect(answer.body.error.instance).toMatch(/^req_.+/);
  expect(partner.sandbox.journal.at(-1)).toMatchObject({ verdict: code, status });
});

test('a known path with another method says which methods it has, an unknown one that it is unknown', async () => {
  const causesOf = async (method: string, path: string) => (await partner.call({ method, path })).body.error.causes;
  const quote = `${partner.account}/quotes/${fixtures.quoteId}`;
  const hint = (nearest: string) => [{ field: 'method', message: `is not one of this path; nearest: ${nearest}` }];
  expect(await causesOf('PUT', '/v1/webhooks?page_size=1')).toEqual(hint('GET /v1/webhooks, POST /v1/webhooks'));
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
  const request = { method: 'DELETE', path: `${partner.account}/funds/addresses/${fixtures.addressId}` };
  const first = await partner.call(request);
  expect([first.status, first.body.data]).toEqual([200, { address_id: fixtures.addressId, status: 'deleted' }]);
  expect((await partner.call(request)).status).toBe(404);
});
