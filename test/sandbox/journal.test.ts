import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { bodies, openSandbox, type Partner } from './partner.js';

let partner: Partner;
afterEach(() => partner.sandbox.close());

test('tells every request, also those that were refused and those of no operation', async () => {
  partner = await openSandbox();
  const key = randomUUID();
  const path = `${partner.account}/quotes`;
  await partner.call({ method: 'POST', path, body: bodies.quote, headers: { 'Idempotency-Key': key }, nonce: 7n });
  await partner.call({ method: 'GET', path: '/v1/webhooks?page_size=3', nonce: 6n });
  await fetch(`${partner.url}/nowhere?x=%20`);
  const at = partner.sandbox.now();
  expect(partner.sandbox.journal).toEqual([
    {
      operation: 'accounts.quotes.create',
      method: 'POST',
      path,
      nonce: '7',
      key,
      verdict: 'accepted',
      status: 200,
      at,
    },
    {
      operation: 'webhooks.list',
      method: 'GET',
      path: '/v1/webhooks?page_size=3',
      nonce: '6',
      key: undefined,
      verdict: 'nonce_not_rising',
      status: 401,
      at,
    },
    {
      operation: undefined,
      method: 'GET',
      path: '/nowhere?x=%20',
      nonce: undefined,
      key: undefined,
      verdict: 'missing_header',
      status: 401,
      at,
    },
  ]);
});

test('keeps the newest requests up to its limit', async () => {
  partner = await openSandbox({ journalLimit: 3 });
  for (let size = 1; size <= 5; size += 1) await partner.get(`/v1/webhooks?page_size=${size}`);
  expect(partner.sandbox.journal.map(({ path }) => path.at(-1))).toEqual(['3', '4', '5']);
});

test('can keep nothing', async () => {
  partner = await openSandbox({ journalLimit: 0 });
  await partner.get('/v1/webhooks');
  expect(partner.sandbox.journal).toEqual([]);
});

test('never holds a secret or a signature', async () => {
  partner = await openSandbox();
  await partner.get('/v1/webhooks');
  const { headers } = partner.signed({ method: 'GET', path: '/v1/webhooks', nonce: 1n });
  const text = JSON.stringify(partner.sandbox.journal);
  expect(text).not.toContain(partner.credentials.apiSecret);
  expect(text).not.toContain(headers['API-Sign']);
});
