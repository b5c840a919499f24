import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SandboxOptions, SendOptions } from '../../../src/sandbox/index.js';
import { askControl, bodies, openSandbox, type Partner } from '../support/partner.js';

const send = async (partner: Partner, options: SendOptions | object) => {
  const { data } = await askControl(partner, 'POST requests/send', [options]);
  return data;
};
const open = (options: SandboxOptions = {}): Promise<Partner> => openSandbox({ inspect: true, ...options });

describe('requests.send', () => {
  test('signs a request, and gives what the service answers', async () => {
    const partner = await open();
    const path = `${partner.account}/quotes`;
    const { seq, status, headers, body } = await send(partner, { method: 'POST', path, body: bodies.quote });
    expect([status, headers['content-type'], body.data.status]).toEqual([200, 'application/json', 'offered']);
    const { data } = await askControl(partner, `GET journal/${seq}`);
    expect(data).toMatchObject({ operation: 'accounts.quotes.create', verdict: 'accepted', isOwn: true });
    expect(data.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(data.request.body.text).toBe(JSON.stringify(bodies.quote));
  });

  test('is the same in JavaScript', async () => {
    const { sandbox } = await open();
    const { status, body } = await sandbox.requests.send({
      method: 'GET',
      path: '/v1/webhooks',
      query: { page_size: 1 },
    });
    expect([status, body]).toMatchObject([200, { data: [expect.anything()] }]);
  });

  test('takes no nonce: a client that counts by one goes on', async () => {
    const partner = await open();
    const ask = (nonce: bigint) => partner.call({ method: 'GET', path: '/v1/webhooks', nonce });
    expect((await ask(41n)).status).toBe(200);
    expect((await send(partner, { method: 'GET', path: '/v1/webhooks' })).status).toBe(200);
    expect((await send(partner, { method: 'GET', path: '/v1/webhooks' })).status).toBe(200);
    expect((await ask(42n)).status).toBe(200);
  });

  test('a fault strikes it; a lost answer has no status', async () => {
    const partner = await open();
    partner.sandbox.troubles.add({ does: { fault: 503, retryAfterSeconds: 7 } });
    partner.sandbox.troubles.add({ does: 'reset' });
    const request = { method: 'GET', path: '/v1/webhooks' };
    expect(await send(partner, request)).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
    expect(await send(partner, request)).toEqual({ seq: expect.any(Number), headers: {} });
    expect(partner.sandbox.journal.map(({ verdict }) => verdict)).toEqual(['fault_before', 'fault_before']);
  });

  test('a key has one effect, another body under it is refused, and null sends none', async () => {
    const partner = await open();
    const request = { method: 'POST', path: `${partner.account}/quotes`, body: bodies.quote, key: randomUUID() };
    const first = await send(partner, request);
    const again = await send(partner, request);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await send(partner, { ...request, body: `${JSON.stringify(bodies.quote)} ` })).toMatchObject({
      status: 409,
    });
    await send(partner, { ...request, key: null });
    expect(partner.sandbox.journal.at(-1)?.key).toBeUndefined();
  });

  test('needs no one-time password of the caller; a given one is sent', async () => {
    const partner = await open({ otp: '271828' });
    const request = { method: 'POST', path: `${partner.account}/wallets/whitelist`, body: bodies.wallet };
    expect((await send(partner, { ...request, otp: '1' })).status).toBe(401);
    expect((await send(partner, { ...request, otp: null })).status).toBe(401);
    expect((await send(partner, request)).status).toBe(200);
  });

  test('signs with the key that is named, else with the first that is not revoked', async () => {
    const partner = await open();
    const { sandbox } = partner;
    const { apiKey } = sandbox.keys.issue({ scopes: ['trade'] });
    const request = { method: 'GET', path: '/v1/webhooks' };
    expect((await send(partner, { ...request, apiKey })).status).toBe(403);
    sandbox.keys.revoke(sandbox.credentials.apiKey);
    sandbox.keys.setScopes(apiKey, ['read']);
    expect((await send(partner, request)).status).toBe(200);
    expect(sandbox.journal.at(-1)?.apiKey).toBe(apiKey);
    expect(await send(partner, { ...request, apiKey: sandbox.credentials.apiKey })).toMatchObject({ status: 401 });
  });

  test('encodes a query, lists and objects too', async () => {
    const partner = await open();
    const query = { types: ['simple_order', 'deposit'], assets: [{ symbol: 'BTC', type: 'crypto' }], page_size: 2 };
    const { status } = await send(partner, { method: 'GET', path: `${partner.account}/portfolio/transactions`, query });
    const { path } = partner.sandbox.journal.at(-1) ?? {};
    expect([status, path?.split('?')[1]]).toEqual([
      200,
      'types=simple_order&types=deposit&assets%5B0%5D%5Bsymbol%5D=BTC&assets%5B0%5D%5Btype%5D=crypto&page_size=2',
    ]);
  });

  test.each([
    [{ method: 'get', path: '/v1' }, /method must be one of GET/],
    [{ method: 'GET', path: 'v1' }, /path must begin with \//],
    [{ method: 'GET', path: '/a b' }, /percent-encode/],
    [{ method: 'GET', path: '/v1', key: 'a\nb' }, /key must be a printable string/],
    [{ method: 'GET', path: '/v1', query: { a: {} } }, /query\.a must be a string, a number, true or false/],
    [{ method: 'GET', path: '/v1', apiKey: 'none' }, /there is no API key none/],
    [{ method: 'GET', path: '/v1', secret: 'x' }, /options must not have secret/],
    [{ method: 'POST', path: '/v1', body: 'x'.repeat(1_048_577) }, /body has more than 1048576 bytes/],
  ])('%# is refused', async (options, message) => {
    const partner = await open();
    const { status, error } = await askControl(partner, 'POST requests/send', [options]);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
    expect(partner.sandbox.journal).toEqual([]);
  });
});
