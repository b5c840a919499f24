import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { type ApiKeyScope, createSandbox } from '../../../src/sandbox/index.js';
import { scopeOf } from '../../../src/sandbox/kinds/registry/derived.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, type TestAnswer, whitelisting } from '../support/partner.js';

/** A partner of the same sandbox with another API key. */
const withScopes = ({ sandbox, url }: DirectPartner, ...scopes: ApiKeyScope[]) =>
  new DirectPartner(sandbox, url, sandbox.keys.issue({ scopes }));

const verdictOf = ({ sandbox }: DirectPartner) => sandbox.journal.at(-1)?.verdict;
const listing = (partner: DirectPartner) => partner.get('/v1/webhooks');
const quoting = (partner: DirectPartner) => partner.post(`${partner.account}/quotes`, bodies.quote);

describe('an API key with scopes', () => {
  test('is answered 403 outside them, in the form of the service', async () => {
    const partner = withScopes(directSandbox(), 'read');
    expect((await listing(partner)).status).toBe(200);
    const { status, body } = await quoting(partner);
    expect([status, body.error]).toMatchObject([
      403,
      { type: 'request_error', code: 'forbidden', causes: [{ field: 'API-Key', message: 'lacks the scope trade' }] },
    ]);
    expect(verdictOf(partner)).toBe('missing_scope');
  });

  test('is answered as ever inside them', async () => {
    const partner = withScopes(directSandbox(), 'trade', 'webhooks');
    expect((await quoting(partner)).status).toBe(200);
    expect((await listing(partner)).status).toBe(403);
    expect((await partner.call(whitelisting(partner))).body.error.causes[0].message).toBe('lacks the scope funds');
  });

  test('does nothing where it is refused', async () => {
    const partner = directSandbox();
    const before = partner.sandbox.wallets.list().length;
    expect((await partner.call(whitelisting(withScopes(partner, 'read')))).status).toBe(200);
    const refused = withScopes(partner, 'read');
    expect((await refused.call(whitelisting(refused))).status).toBe(403);
    expect(partner.sandbox.wallets.list()).toHaveLength(before + 1);
  });

  test('learns nothing of the paths that do not exist', async () => {
    expect((await withScopes(directSandbox(), 'trade').get('/v1/nothing')).status).toBe(404);
  });

  test('may be the first one: the option `scopes`', async () => {
    const partner = directSandbox({ scopes: ['read'] });
    expect([(await listing(partner)).status, (await quoting(partner)).status]).toEqual([200, 403]);
    // Others have their own.
    const second = new DirectPartner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    expect((await quoting(second)).status).toBe(200);
  });

  test('keeps them in a snapshot, unless others are given', async () => {
    const partner = directSandbox({ scopes: ['read'] });
    const statuses = async (one: DirectPartner) => [(await listing(one)).status, (await quoting(one)).status];
    expect(await statuses(partner.restarted())).toEqual([200, 403]);
    expect(await statuses(partner.restarted({ scopes: ['trade'] }))).toEqual([403, 200]);
  });

  test.each([[[]], [['write']], ['read'], [[undefined]], [null], [{}]])('is not issued with scopes %j', (scopes) => {
    const wrong = { scopes } as never;
    expect(() => createSandbox(wrong)).toThrow(/^createSandbox: scopes(\.0)? (must|is missing)/);
    expect(() => createSandbox().keys.issue(wrong)).toThrow(/^keys\.issue: scopes(\.0)? (must|is missing)/);
  });
});

test('every operation has a scope: reads have `read`, and no write has it', () => {
  for (const operation of operations) expect(scopeOf(operation) === 'read').toBe(operation.method === 'GET');
  const writes = new Set(operations.filter(({ method }) => method !== 'GET').map(scopeOf));
  expect([...writes].sort()).toEqual(['funds', 'trade', 'users', 'webhooks']);
});

describe('a quota of requests', () => {
  const quota = { requests: 3, perMs: 60_000 };
  const waitOf = ({ headers }: TestAnswer) => Number(headers.get('retry-after'));
  async function spent(options = {}): Promise<DirectPartner> {
    const partner = directSandbox({ settings: { quota }, ...options });
    for (let index = 0; index < 3; index += 1) expect((await listing(partner)).status).toBe(200);
    return partner;
  }

  test('is answered 429 with a Retry-After that is true: after it, and not before, requests succeed', async () => {
    const partner = await spent();
    partner.sandbox.advance(20_500);
    const refused = await listing(partner);
    expect([refused.status, refused.body.error.code, verdictOf(partner)]).toEqual([
      ...[429, 'resource_exhausted', 'over_quota'],
    ]);
    expect(waitOf(refused)).toBeGreaterThanOrEqual(39);
    expect(waitOf(refused)).toBeLessThanOrEqual(40);
    partner.sandbox.advance(30_000);
    expect((await listing(partner)).status).toBe(429);
    partner.sandbox.advance((waitOf(refused) - 30) * 1_000);
    for (let index = 0; index < 3; index += 1) expect((await listing(partner)).status).toBe(200);
    expect((await listing(partner)).status).toBe(429);
  });

  test.each([false, true])('passes as time really does, realTime: %s', async (realTime) => {
    const partner = directSandbox({ settings: { quota: { requests: 1, perMs: 1_000 } }, realTime });
    await using _ = partner.sandbox;
    expect((await listing(partner)).status).toBe(200);
    const refused = await listing(partner);
    expect([refused.status, waitOf(refused)]).toEqual([429, 1]);
    await new Promise((resolve) => setTimeout(resolve, 1_020));
    expect((await listing(partner)).status).toBe(200);
  });

  test('counts requests that are refused, and none that is not authentic', async () => {
    const partner = directSandbox({ settings: { quota } });
    for (let index = 0; index < 5; index += 1) {
      expect((await partner.get('/v1/webhooks', { 'API-Sign': 'bm8=' })).status).toBe(401);
    }
    expect((await partner.get('/v1/nothing')).status).toBe(404);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await listing(partner)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('leaves the idempotency key free', async () => {
    const partner = await spent();
    const headers = { 'Idempotency-Key': '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90' };
    const quote = () => partner.post(`${partner.account}/quotes`, bodies.quote, headers);
    expect((await quote()).status).toBe(429);
    partner.sandbox.advance(60_000);
    const made = await quote();
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  test('goes on in a snapshot: what is used, and until when', async () => {
    const partner = await spent();
    partner.sandbox.advance(20_000);
    const moved = partner.restarted({ settings: { quota } });
    const refused = await listing(moved);
    expect(refused.status).toBe(429);
    expect(waitOf(refused)).toBeGreaterThan(38);
    expect(waitOf(refused)).toBeLessThanOrEqual(40);
    moved.sandbox.advance(40_000);
    expect((await listing(moved)).status).toBe(200);
    expect((await listing(partner.restarted())).status).toBe(200);
  });
});
