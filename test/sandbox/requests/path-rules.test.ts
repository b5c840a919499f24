import { describe, expect, test } from 'vitest';
import { bodies, fieldsOf, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const text = (length: number) => 'x'.repeat(length);

describe('path parameters', () => {
  const otherPaths: [path: () => string, field: string][] = [
    [() => `/v1/users/${text(13)}`, 'user_id'],
    [() => `/v1/users/${text(43)}`, 'user_id'],
    [() => `/v1/users/${text(13)}/verifications`, 'user_id'],
    [() => `/v1/users/${text(43)}/assets`, 'user_id'],
    [() => `/v1/accounts/${text(13)}/on-demand-conversions`, 'account_id'],
    [() => `/v1/accounts/${text(43)}/portfolio/details`, 'account_id'],
    [() => `/v1/accounts/${text(13)}/quotes/x`, 'account_id'],
    [() => `${partner.account}/quotes/${text(65)}`, 'quote_id'],
    [() => `${partner.account}/funds/bank-links/abc`, 'bank_link_id'],
    [() => `${partner.account}/funds/bank-links/${text(129)}`, 'bank_link_id'],
    [() => `${partner.account}/funds/deposits/limits/${text(17)}`, 'asset_symbol'],
    [() => `${partner.account}/funds/deposits/limits/NONE`, 'asset_symbol'],
    [() => `${partner.account}/quotes/%ff`, 'quote_id'],
  ];
  test.each(otherPaths)('refused: %s', async (path, field) => {
    const answer = await partner.get(path());
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  test.each([
    'AB1234-12345-123456',
    'AB123456-12345-123456',
    'XX12345-12345-123456',
    'ab12345-12345-123456',
    'AB12345-12345-12345%2F',
  ])('a funding address id must have its form, not %s', async (addressId) => {
    const answer = await partner.call({ method: 'DELETE', path: `${partner.account}/funds/addresses/${addressId}` });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['address_id']]);
  });

  test('the account id of a funding address may have 1 to 64 characters', async () => {
    const statusOf = async (length: number) => {
      const path = `/v1/accounts/${text(length)}/funds/addresses/${partner.sandbox.fixtures.addressId}`;
      return (await partner.call({ method: 'DELETE', path })).status;
    };
    expect(await Promise.all([statusOf(1), statusOf(64), statusOf(65)])).toEqual([403, 403, 400]);
  });

  test('lengths are those of the decoded text, and an asset symbol of one character is one', async () => {
    expect((await partner.get(`${partner.account}/funds/deposits/limits/S`)).status).toBe(200);
    expect((await partner.get(`${partner.account}/funds/deposits/limits/%53`)).status).toBe(200);
    expect((await partner.get(`/v1/users/${'%41'.repeat(42)}`)).status).toBe(404);
  });

  test('an encoded slash belongs to its parameter', async () => {
    const key = 'team/cold storage ✓';
    const addresses = `${partner.account}/funds/withdrawals/addresses`;
    await partner.post(addresses, bodies.address(partner.sandbox.fixtures.methodId, key));
    const path = `${addresses}/${encodeURIComponent(key)}`;
    const answer = await partner.call({ method: 'PATCH', path, body: { new_key: 'plain' } });
    expect(answer.body).toEqual({ data: { key: 'plain' } });
  });
});
