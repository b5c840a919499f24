import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { PartnerClient, RequestValidationError } from '../../../src/index.js';
import type { Fact } from '../fact.js';
import { IDS } from '../ids.js';
import { signRequest } from '../signing.js';

const QUOTE = { from: { symbol: 'USD', type: 'fiat', amount: '250' }, to: { symbol: 'BTC', type: 'crypto' } } as const;
const WALLET = { via: 'ethereum', address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };

/** The secret of both vectors. */
export const SECRET_OF_VECTORS =
  'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';

const ORDER = 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25';

export const VECTORS = [
  {
    path: '/0/private/AddOrder',
    nonce: '1616492376594',
    body: ORDER,
    signature: '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
  },
  {
    path: '/v1/assets?type=crypto&page_size=20',
    nonce: '1700000000000000000',
    body: '',
    signature: 'txNfsoUV0IQtb5tQsNEYoN2+9I02TR45WEOKycLVg+pHFWkJTohzAw7ogw+iPCIZ0ewaLoe4hngABjsHOr2UaA==',
  },
] as const;

const codeOf = (json: unknown): unknown => (json as { error?: { code?: unknown } })?.error?.code;

export const authentication: readonly Fact[] = [
  {
    fact: 'Every request has the headers API-Key, API-Nonce and API-Sign; without one of them it is 401 unauthenticated.',
    source: 'specified',
    document: ['| `API-Key` |', '| `API-Nonce` |', '| `API-Sign` |'],
    client: async ({ client, service }) => {
      await client.users.get(IDS.userId);
      await client.users.createHeadless({ external_reference: 'a' });
      for (const { headers } of service.received) {
        expect(headers).toMatchObject({ 'api-key': service.apiKey, 'api-nonce': expect.stringMatching(/^\d+$/) });
      }
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/users/${ids.userId}`;
      expect((await send({ target })).status).toBe(200);
      for (const name of ['API-Key', 'API-Nonce', 'API-Sign']) {
        for (const value of [undefined, 'x']) {
          const { status, json } = await send({ target, headers: { [name]: value } });
          expect([name, value, status, codeOf(json)]).toEqual([name, value, 401, 'unauthenticated']);
        }
      }
    },
  },
  {
    fact: 'A nonce is a decimal integer of 64 bits without a sign, and above every earlier one of its API key.',
    source: 'current',
    document: [/0 to 2\^64 − 1/],
    client: async ({ client, service }) => {
      for (let call = 0; call < 3; call++) await client.users.get(IDS.userId);
      const nonces = service.received.map(({ nonce }) => nonce);
      expect(nonces).toEqual([...new Set(nonces)].sort((one, other) => (one < other ? -1 : 1)));
    },
    sandbox: async ({ send }) => {
      const statuses: number[] = [];
      for (const nonce of [5n, 5n, 4n, 6n, 2n ** 64n, 2n ** 64n - 1n, 2n ** 64n - 1n]) {
        statuses.push((await send({ target: '/v1/webhooks', nonce })).status);
      }
      expect(statuses).toEqual([200, 401, 401, 200, 401, 200, 401]);
    },
  },
  {
    fact: 'Nanoseconds since 1970 are advised. An API key that was used with them rejects milliseconds for ever.',
    source: 'current',
    document: [/nanoseconds since 1970/i, /milliseconds for ?ever/],
    client: async ({ client, service }) => {
      await client.users.get(IDS.userId);
      const now = BigInt(Date.now()) * 1_000_000n;
      const [{ nonce } = { nonce: 0n }] = service.received;
      expect(nonce > now - 60_000_000_000n && nonce < now + 60_000_000_000n).toBe(true);
    },
    sandbox: async ({ send }) => {
      const milliseconds = BigInt(Date.now());
      expect((await send({ target: '/v1/webhooks', nonce: milliseconds * 1_000_000n })).status).toBe(200);
      expect((await send({ target: '/v1/webhooks', nonce: milliseconds })).status).toBe(401);
    },
  },
  {
    fact: 'API-Sign is base64(HMAC-SHA512(base64-decoded secret, path with query ‖ SHA-256(nonce ‖ body))). Two vectors show it.',
    source: 'current',
    document: ['HMAC-SHA512', 'SHA-256( nonce ‖ body )', SECRET_OF_VECTORS, VECTORS[1].signature],
    client: async ({ service }) => {
      for (const { path, nonce, body, signature } of VECTORS) {
        expect(signRequest(SECRET_OF_VECTORS, path, nonce, body)).toBe(signature);
      }
      const { path, nonce, signature } = VECTORS[1];
      const { url: baseUrl, apiKey, apiSecret } = service;
      const source = { next: () => BigInt(nonce) };
      const client = new PartnerClient({ baseUrl, apiKey, apiSecret, nonce: source });
      await client.assets.list({ type: ['crypto'], page_size: 20 });
      expect(service.received).toMatchObject([{ target: path, headers: { 'api-sign': signature } }]);
      await client.close();
    },
    sandbox: async ({ send, sandbox }) => {
      const target = '/v1/webhooks';
      const hex = Buffer.from(signRequest(sandbox.credentials.apiSecret, target, '9', ''), 'base64').toString('hex');
      expect((await send({ target, nonce: 9n, headers: { 'API-Sign': hex } })).status).toBe(401);
      expect((await send({ target, nonce: 9n })).status).toBe(200);
    },
  },
  {
    fact: 'Without a body, the nonce alone is hashed.',
    source: 'current',
    document: [/hashes only the nonce/],
    client: async ({ client, service }) => {
      await client.accounts.quotes.execute(IDS.accountId, IDS.quoteId);
      const [{ target, nonce, headers, rawBody } = fail()] = service.received;
      expect(rawBody).toBe('');
      expect(headers['api-sign']).toBe(signRequest(service.apiSecret, target, String(nonce)));
    },
    sandbox: async ({ send, sandbox }) => {
      const target = '/v1/webhooks';
      const braces = signRequest(sandbox.credentials.apiSecret, target, '9', '{}');
      expect((await send({ target, nonce: 9n, headers: { 'API-Sign': braces } })).status).toBe(401);
    },
  },
  {
    fact: 'The exact bytes of the body are signed, whatever their white space and encoding.',
    source: 'current',
    document: [/exactly the bytes sent/],
    client: async ({ client, service }) => {
      await client.funds.withdrawalAddresses.update(IDS.accountId, 'cold', { new_key: 'Zürich “kühl” 🏔' });
      expect(service.received).toMatchObject([{ body: { new_key: 'Zürich “kühl” 🏔' } }]);
    },
    sandbox: async ({ send, sandbox }) => {
      const body = '{ "external_reference" :\n"Zürich \\u00fc"  }';
      const request = { target: '/v1/users/headless', method: 'POST', body };
      expect((await send(request)).status).toBe(200);
      const compact = JSON.stringify(JSON.parse(body));
      const other = signRequest(sandbox.credentials.apiSecret, request.target, '1800000000000000000', compact);
      const sent = { ...request, nonce: 1_800_000_000_000_000_000n, headers: { 'API-Sign': other } };
      expect((await send(sent)).status).toBe(401);
    },
  },
  {
    fact: 'Path and query are signed exactly as they are sent, in their order and percent-encoding, without scheme and host.',
    source: 'current',
    document: [/exactly as sent, without scheme and host/],
    client: async ({ client, service }) => {
      await client.funds.withdrawalAddresses.update(IDS.accountId, 'Zürich #1/2 + é', { new_key: 'a' });
      expect(service.received[0]?.target.split('/').at(-1)).toBe('Z%C3%BCrich%20%231%2F2%20%2B%20%C3%A9');
    },
    sandbox: async ({ send, sandbox, ids }) => {
      const targets = [
        '/v1/assets?page_size=1&type=crypto',
        '/v1/assets?type=%63rypto&page_size=1',
        `/v1/users/${ids.userId.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`)}`,
      ];
      for (const target of targets) expect([target, (await send({ target })).status]).toEqual([target, 200]);
      const [target = ''] = targets;
      const withHost = signRequest(
        sandbox.credentials.apiSecret,
        `https://api.example${target}`,
        '1800000000000000000',
      );
      const sent = { target, nonce: 1_800_000_000_000_000_000n, headers: { 'API-Sign': withHost } };
      expect((await send(sent)).status).toBe(401);
    },
  },
  {
    fact: 'Neither the method nor a header is signed, not even Idempotency-Key and API-Otp.',
    source: 'current',
    document: [/Not signed: .*`Idempotency-Key` and `API-Otp`/],
    client: async ({ client, service }) => {
      await client.accounts.wallets.whitelist(IDS.accountId, WALLET, { otp: '246810' });
      expect(service.received[0]?.headers).toMatchObject({
        'api-otp': '246810',
        'idempotency-key': expect.any(String),
      });
    },
    sandbox: async ({ send, sandbox, ids }) => {
      const headers = { 'Idempotency-Key': randomUUID(), 'API-Otp': sandbox.fixtures.otp, 'X-Other': 'a' };
      const target = `/v1/accounts/${ids.accountId}/wallets/whitelist`;
      expect((await send({ target, method: 'POST', body: WALLET, headers })).status).toBe(200);
    },
  },
  {
    fact: 'Whitelisting a wallet requires API-Otp. The form of a one-time password is not shown.',
    source: 'specified',
    document: [/\| `API-Otp` \|/, '`accounts.wallets.whitelist`'],
    client: async ({ client, service }) => {
      await expect(client.accounts.wallets.whitelist(IDS.accountId, WALLET)).rejects.toThrow(RequestValidationError);
      expect(service.received).toEqual([]);
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/wallets/whitelist`;
      const { status } = await send({ target, method: 'POST', body: WALLET });
      expect(status).toBe(401);
    },
  },
  {
    fact: 'The public reference lists API-Otp with more operations, so a caller can give one to any call.',
    source: 'current',
    client: async ({ client, service }) => {
      await client.transfers.cancel(IDS.transferId, { otp: '1' });
      await client.users.get(IDS.userId, { otp: () => '2' });
      expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual(['1', '2']);
    },
    sandbox: async ({ send, ids }) => {
      const { status } = await send({ target: `/v1/users/${ids.userId}`, headers: { 'API-Otp': '1' } });
      expect(status).toBe(200);
    },
  },
  {
    fact: 'A page that lists API-Otp does not prove that its operation needs one: pages of a sister product list it with plain reads.',
    source: 'inferred',
    client: async ({ service }) => {
      const { url: baseUrl, apiKey, apiSecret } = service;
      const client = new PartnerClient({ baseUrl, apiKey, apiSecret, otp: '246810' });
      await client.users.get(IDS.userId);
      await client.accounts.quotes.create(IDS.accountId, QUOTE);
      expect(service.received.map(({ headers }) => headers['api-otp'])).toEqual([undefined, undefined]);
      await client.close();
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/quotes`;
      expect((await send({ target, method: 'POST', body: QUOTE })).status).toBe(200);
    },
  },
  {
    fact: 'An Idempotency-Key is a UUID of version 4. A repeated one gets the first response, with `Idempotent-Replayed: true`.',
    source: 'specified',
    document: [/UUID of version 4/, '`Idempotent-Replayed: true`'],
    client: async ({ client, service }) => {
      const idempotencyKey = randomUUID();
      const once = () => client.accounts.quotes.create(IDS.accountId, QUOTE, { idempotencyKey }).withResponse();
      const [first, second] = [await once(), await once()];
      expect([first.response.replayed, second.response.replayed]).toEqual([false, true]);
      expect(service.received.map(({ key }) => key)).toEqual([idempotencyKey, idempotencyKey]);
    },
    sandbox: async ({ send, ids }) => {
      const target = `/v1/accounts/${ids.accountId}/quotes`;
      const once = (key: string) => send({ target, method: 'POST', body: QUOTE, headers: { 'Idempotency-Key': key } });
      const key = randomUUID();
      const [first, second] = [await once(key), await once(key)];
      expect(second.text).toBe(first.text);
      expect([first, second].map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([null, 'true']);
      expect((await once('7c1fd0b2-58a3-1c1e-9d4b-0a1b2c3d4e5f')).status).toBe(400);
    },
  },
  {
    fact: 'Because the description leaves signature, nonce and one-time password open, each of them can be replaced.',
    source: 'inferred',
    client: async ({ service }) => {
      const { url: baseUrl, apiKey, apiSecret } = service;
      const client = new PartnerClient({
        baseUrl,
        apiKey,
        signer: ({ path, nonce, body }) => signRequest(apiSecret, path, nonce, body),
        nonce: { next: () => 77n },
        otp: () => '9',
      });
      await client.transfers.cancel(IDS.transferId);
      expect(service.received).toMatchObject([{ nonce: 77n, headers: { 'api-otp': '9' } }]);
      await client.close();
    },
  },
  {
    fact: 'The names of permissions, and which partner may act for whom, are not shown; a call that is not allowed is 403 forbidden.',
    source: 'specified',
    client: async ({ client, service }) => {
      service.answers({
        status: 403,
        body: { error: { type: 'request_error', status: 403, instance: 'i', code: 'forbidden' } },
      });
      await expect(client.users.get(IDS.userId)).rejects.toMatchObject({ name: 'ForbiddenError', code: 'forbidden' });
    },
    sandbox: async ({ send, sandbox }) => {
      const target = `/v1/accounts/${sandbox.fixtures.foreignAccountId}/portfolio/summary`;
      const { status, json } = await send({ target });
      expect([status, codeOf(json)]).toEqual([403, 'forbidden']);
    },
  },
];

function fail(): never {
  throw new Error('no request arrived');
}
