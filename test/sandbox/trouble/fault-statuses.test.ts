import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FailOptions } from '../../../src/sandbox/index.js';
import { openSandbox, PATIENCE, type Partner } from '../support/partner.js';
import { Pipeline } from '../support/pipeline.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox();
});

const link = () => `${partner.account}/funds/bank-links/${partner.sandbox.fixtures.bankLinkId}`;
const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
const removal = () => `${partner.account}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
const refused = async (method: string, path: string, options: FailOptions) => {
  partner.sandbox.fail(options);
  return (await partner.call({ method, path })).body.error;
};

describe('a 403 that was asked for', () => {
  test('is that of a gateway, which belongs to no domain of the API', async () => {
    for (const [method, path] of [
      ['GET', link()],
      ['DELETE', removal()],
      ['GET', user()],
    ] as const) {
      const error = await refused(method, path, { fault: 403 });
      expect(error).toMatchObject({ type: 'service_error', status: 403, code: 'gateway' });
    }
  });

  test('is that of the operation when its code is named', async () => {
    expect(await refused('GET', link(), { fault: 403, code: 'forbidden' })).toMatchObject({
      type: 'funding_error',
      status: 403,
      code: 'forbidden',
    });
    expect(await refused('GET', user(), { fault: 403, code: 'forbidden' })).toMatchObject({ type: 'request_error' });
  });
});

describe('a 404 that was asked for', () => {
  test.each<[name: string, type: string, code: string, field: string, method: string, path: () => string]>([
    ['users.get', 'request_error', 'user_not_found', 'user_id', 'GET', user],
    ['funds.bankLinks.get', 'funding_error', 'bank_link_not_found', 'bank_link_id', 'GET', link],
    ['funds.addresses.delete', 'funding_error', 'not_found', 'address_id', 'DELETE', removal],
    ['accounts.quotes.get', 'request_error', 'not_found', 'quote_id', 'GET', () => `${partner.account}/quotes/q`],
  ])('of %s is %s %s, as its real one', async (operation, type, code, field, method, path) => {
    const real = /^[^/]*(\/.*\/)[^/]+$/.exec(path())?.[1];
    const unknown = { address_id: 'ABaaaaa-aaaaa-aaaaaa', user_id: 'A'.repeat(20) }[field] ?? 'none-such';
    const { body } = await partner.call({ method, path: `${real}${unknown}` });
    const made = await refused(method, path(), { operation, fault: 404 });
    expect(made).toMatchObject({ type, status: 404, code, causes: [{ field, message: expect.any(String) }] });
    expect({ ...made, instance: '' }).toEqual({ ...body.error, instance: '' });
  });
});

test('a 400 or 404 that was asked for has causes, as the API promises them', async () => {
  for (const fault of [400, 404]) {
    for (const [method, path] of [
      ['GET', link()],
      ['DELETE', removal()],
      ['GET', '/v1/webhooks'],
    ] as const) {
      const { causes } = await refused(method, path, { fault });
      expect(causes).toEqual([{ field: expect.stringMatching(/./), message: expect.stringMatching(/./) }]);
    }
  }
});

describe('a status without a body', () => {
  test.each([204, 205, 304])('%d leaves its connection in order: the answers behind it come', async (fault) => {
    partner.sandbox.fail({ fault, operation: 'users.get' });
    const pipeline = new Pipeline(partner, ['/v1/webhooks?page_size=1', user(), '/v1/webhooks?page_size=1', user()]);
    await expect.poll(() => pipeline.statuses().length, PATIENCE).toBe(4);
    await expect.poll(() => pipeline.bodies().at(-1)?.endsWith('}'), PATIENCE).toBe(true);
    pipeline.leave();
    expect(pipeline.statuses()).toEqual(['200', String(fault), '200', '200']);
    const head = pipeline.received.split(/(?=HTTP\/1\.1 )/)[1] ?? '';
    expect(pipeline.bodies()[1]).toBe('');
    // Only a 205 has a length: without one its end would be the end of the connection.
    expect(/content-length: (\d+)/i.exec(head)?.[1]).toBe(fault === 205 ? '0' : undefined);
    expect(head).not.toMatch(/content-type|transfer-encoding/i);
  });

  test('is remembered under its key as the true answer', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = {
      method: 'POST',
      path: `${partner.account}/quotes`,
      headers,
      body: { from: { symbol: 'USD', type: 'fiat', amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } },
    };
    partner.sandbox.fail({ operation: 'accounts.quotes.create', fault: 204 });
    expect((await partner.send(create)).status).toBe(204);
    const again = await partner.call(create);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });
});
