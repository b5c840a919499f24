import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { signature } from '../../support/signature.js';
import { bodies, openSandbox, Partner, sharedSandbox } from '../support/partner.js';

let partner = await sharedSandbox();

const path = '/v1/webhooks';
const verdict = () => partner.sandbox.journal.at(-1)?.verdict;

describe('the signature', () => {
  test('agrees with a known signature', () => {
    const secret = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
    const given = signature(secret, '/v1/assets?type=crypto&page_size=20', '1700000000000000000', undefined);
    expect(given).toBe('txNfsoUV0IQtb5tQsNEYoN2+9I02TR45WEOKycLVg+pHFWkJTohzAw7ogw+iPCIZ0ewaLoe4hngABjsHOr2UaA==');
  });

  test('is accepted over path, query and body bytes as sent', async () => {
    const query = '?page_size=2';
    expect((await partner.get(path + query)).status).toBe(200);
    const body = JSON.stringify(bodies.quote, null, 3);
    expect((await partner.post(`${partner.account}/quotes`, body)).status).toBe(200);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no key', { 'API-Key': undefined }, 'missing_header'],
    ['no nonce', { 'API-Nonce': undefined }, 'missing_header'],
    ['no signature', { 'API-Sign': undefined }, 'missing_header'],
    ['an unknown key', { 'API-Key': 'pk_nobody' }, 'unknown_key'],
    ['a signature of something else', { 'API-Sign': signature('AAAA', path, '1', undefined) }, 'bad_signature'],
    ['a signature that is no base64', { 'API-Sign': '%%%' }, 'bad_signature'],
    ['another nonce than the signed one', { 'API-Nonce': '1800000000000000000' }, 'bad_signature'],
    ['a nonce with a sign', { 'API-Nonce': '+5' }, 'malformed_nonce'],
    ['a nonce with an exponent', { 'API-Nonce': '1e18' }, 'malformed_nonce'],
    ['a nonce beyond 64 bits', { 'API-Nonce': '18446744073709551616' }, 'malformed_nonce'],
  ])('401 for %s', async (_, headers, expected) => {
    const answer = await partner.get(path, headers);
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ type: 'request_error', status: 401, code: 'unauthenticated' });
    expect(verdict()).toBe(expected);
  });

  test.each([
    ['the query in another order', '/v1/webhooks?page_size=2&page_token=x', '/v1/webhooks?page_token=x&page_size=2'],
    ['another percent-encoding', '/v1/users/AAAAAAAAAAAAAA%20B', '/v1/users/AAAAAAAAAAAAAA%20%42'],
    ['no query', '/v1/webhooks', '/v1/webhooks?page_size=2'],
  ])('401 when it was made over %s', async (_, signedPath, sentPath) => {
    const { headers } = partner.signed({ method: 'GET', path: signedPath });
    const response = await fetch(partner.url + sentPath, { headers });
    expect([response.status, verdict()]).toEqual([401, 'bad_signature']);
  });

  test('401 when the body was changed on the way', async () => {
    const { headers } = partner.signed({ method: 'POST', path: `${partner.account}/quotes`, body: '{"a":1}' });
    const response = await fetch(`${partner.url}${partner.account}/quotes`, {
      method: 'POST',
      headers,
      body: '{"a":2}',
    });
    expect([response.status, verdict()]).toEqual([401, 'bad_signature']);
  });

  test('is asked for before anything else is told: an unknown path is 401 without it', async () => {
    expect((await fetch(`${partner.url}/v1/nowhere`)).status).toBe(401);
  });
});

describe('the nonce', () => {
  test('must rise strictly', async () => {
    const nonce = partner.nextNonce();
    const statuses = [];
    for (const sent of [nonce, nonce, nonce - 1n, nonce + 1n]) {
      statuses.push((await partner.call({ method: 'GET', path, nonce: sent })).status);
      if (statuses.length === 2) expect(verdict()).toBe('nonce_not_rising');
    }
    expect(statuses).toEqual([200, 401, 401, 200]);
    partner.nextNonce();
  });

  test('is not consumed by a wrong signature', async () => {
    const nonce = partner.nextNonce();
    await partner.call({ method: 'GET', path, nonce: nonce + 1000n, headers: { 'API-Sign': 'wrong' } });
    expect((await partner.call({ method: 'GET', path, nonce })).status).toBe(200);
  });

  test('is consumed by a request that is refused for another reason', async () => {
    const nonce = partner.nextNonce();
    expect((await partner.call({ method: 'GET', path: '/v1/nowhere', nonce })).status).toBe(404);
    expect((await partner.call({ method: 'GET', path, nonce })).status).toBe(401);
  });

  test('takes the whole range of an unsigned 64-bit integer, and every key has its own', async () => {
    const other = new Partner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    expect((await other.call({ method: 'GET', path, nonce: 0n })).status).toBe(200);
    expect((await other.call({ method: 'GET', path, nonce: 18446744073709551615n })).status).toBe(200);
    expect((await other.call({ method: 'GET', path, nonce: 18446744073709551615n })).status).toBe(401);
    expect((await partner.get(path)).status).toBe(200);
  });
});

describe('the one-time password', () => {
  const whitelist = (headers: Record<string, string>) =>
    partner.post(`${partner.account}/wallets/whitelist`, bodies.wallet, headers);

  test('is required to whitelist a wallet', async () => {
    for (const headers of [{}, { 'API-Otp': '' }, { 'API-Otp': '  ' }]) {
      const answer = await whitelist(headers);
      expect([answer.status, answer.body.error.code, verdict()]).toEqual([401, 'unauthenticated', 'missing_otp']);
    }
    expect(partner.sandbox.wallets.list()).toHaveLength(0);
    expect((await whitelist({ 'API-Otp': partner.sandbox.fixtures.otp })).status).toBe(200);
  });

  test('is any, unless one is given: then every other is a wrong one', async () => {
    expect((await whitelist({ 'API-Otp': '1' })).status).toBe(200);
    await partner.sandbox.close();
    partner = await openSandbox({ otp: '271828' });
    expect(partner.sandbox.fixtures.otp).toBe('271828');
    const answer = await whitelist({ 'API-Otp': '271829' });
    expect([answer.status, answer.body.error.code, verdict()]).toEqual([401, 'unauthenticated', 'wrong_otp']);
    expect(partner.sandbox.wallets.list()).toHaveLength(0);
    expect((await whitelist({ 'API-Otp': '271828' })).status).toBe(200);
    const snapshot = partner.sandbox.snapshot();
    expect(createSandbox({ snapshot, otp: '314159' }).fixtures.otp).toBe('314159');
    for (const otp of ['', 'a b', 5]) {
      expect(() => createSandbox({ otp: otp as string })).toThrow('createSandbox: otp must be');
    }
  });
});
