import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, type Partner } from '../support/partner.js';

const path = '/v1/webhooks';
const keyOf = ({ sandbox, credentials }: Partner) =>
  sandbox.keys.list().find(({ apiKey }) => apiKey === credentials.apiKey);
const verdictOf = ({ sandbox }: Partner) => sandbox.journal.at(-1)?.verdict;
const statusOf = async (partner: Partner) => (await partner.get(path)).status;

describe('the list of keys', () => {
  test('tells when a key was issued and last used, how often, and its races', async () => {
    const partner = directSandbox();
    partner.sandbox.advance(60_000);
    const issued = new DirectPartner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    const createdAt = partner.sandbox.clock.now();
    expect(keyOf(issued)).toEqual({
      apiKey: issued.credentials.apiKey,
      createdAt,
      nonceWindow: 0,
      requests: 0,
      races: 0,
      revoked: false,
      scopes: undefined,
      quota: undefined,
      lastNonce: undefined,
      lastUse: undefined,
    });
    partner.sandbox.advance(1_000);
    const before = Date.now();
    await issued.call({ method: 'GET', path, nonce: 1_790_000_000_123n });
    await issued.call({ method: 'GET', path, nonce: 1_790_000_000_000n });
    await issued.get(path, { 'API-Sign': 'bm8=' });
    const key = keyOf(issued);
    expect(key).toMatchObject({
      lastNonce: { nonce: '1790000000123', time: { unit: 'milliseconds', at: 1_790_000_000_123 } },
      lastUse: { at: createdAt + 1_000 },
      requests: 1,
      races: 1,
    });
    expect(key?.lastUse?.real).toBeGreaterThanOrEqual(before);
  });

  test.each([
    [1_790_000_000n, { unit: 'seconds', at: 1_790_000_000_000 }],
    [1_790_000_000_123_456n, { unit: 'microseconds', at: 1_790_000_000_123 }],
    [1_790_000_000_123_456_789n, { unit: 'nanoseconds', at: 1_790_000_000_123 }],
    [7n, undefined],
    [18_446_744_073_709_551_615n, undefined],
  ])('says which moment the nonce %d is', async (nonce, time) => {
    const partner = directSandbox();
    await partner.call({ method: 'GET', path, nonce });
    expect(keyOf(partner)?.lastNonce).toEqual({ nonce: String(nonce), time });
  });

  test('names a key as it was issued, also after a snapshot', async () => {
    const partner = await openSandbox();
    const { data: issued } = await askControl(partner, 'POST keys/issue', [{ label: 'payouts' }]);
    const { data: key } = await askControl(partner, `GET keys/${issued.apiKey}`);
    expect(key.label).toBe('payouts');
    const later = createSandbox({ snapshot: partner.sandbox.snapshot() });
    expect(later.keys.list().map(({ label }) => label)).toEqual([undefined, 'payouts']);
    const wrong = await askControl(partner, 'POST keys/issue', [{ label: '' }]);
    expect(wrong.error?.message).toBe('keys.issue: label must have 1 to 100 characters, has 0');
  });

  test('is read as a whole and by key over HTTP', async () => {
    const partner = await openSandbox();
    const { apiKey } = partner.credentials;
    const { data } = await askControl(partner, `GET keys/${apiKey}`);
    expect(data).toMatchObject({ apiKey, nonceWindow: 0, revoked: false });
    expect((await askControl(partner, 'GET keys')).data).toEqual([data]);
    expect((await askControl(partner, 'GET keys/pk_none')).status).toBe(404);
  });
});

describe('a key at run time', () => {
  test('is revoked, also with DELETE, and reinstated: its nonces go on', async () => {
    const partner = await openSandbox();
    const { apiKey } = partner.credentials;
    const nonce = partner.nextNonce();
    const status = async () => (await partner.call({ method: 'GET', path, nonce })).status;
    expect(await status()).toBe(200);
    expect(await askControl(partner, `DELETE keys/${apiKey}`)).toEqual({ status: 200, data: null });
    expect((await partner.get(path)).status).toBe(401);
    expect(verdictOf(partner)).toBe('revoked_key');
    expect((await askControl(partner, `GET keys/${apiKey}`)).data.revoked).toBe(true);
    expect((await askControl(partner, 'POST keys/reinstate', [apiKey])).status).toBe(200);
    expect(await status()).toBe(401);
    expect((await partner.get(path)).status).toBe(200);
  });

  test('gets other scopes, and all of them back', async () => {
    const partner = directSandbox();
    const { apiKey } = partner.credentials;
    const quoting = async () => (await partner.post(`${partner.account}/quotes`, bodies.quote)).status;
    partner.sandbox.keys.setScopes(apiKey, ['read']);
    expect([await statusOf(partner), await quoting()]).toEqual([200, 403]);
    expect(keyOf(partner)?.scopes).toEqual(['read']);
    partner.sandbox.keys.setScopes(apiKey, null);
    expect(await quoting()).toBe(200);
  });

  test('gets a quota of its own, which begins anew, and loses it', async () => {
    const partner = directSandbox();
    const { apiKey } = partner.credentials;
    const statuses = async () => [await statusOf(partner), await statusOf(partner)];
    partner.sandbox.keys.setQuota(apiKey, { requests: 1, perMs: 60_000 });
    expect(await statuses()).toEqual([200, 429]);
    partner.sandbox.keys.setQuota(apiKey, { requests: 1, perMs: 60_000 });
    expect(await statuses()).toEqual([200, 429]);
    expect(keyOf(partner)?.quota).toMatchObject({ requests: 1, perMs: 60_000, left: 0 });
    partner.sandbox.keys.setQuota(apiKey, null);
    expect(await statuses()).toEqual([200, 200]);
  });

  test('has its own quota before that of the sandbox', async () => {
    const partner = directSandbox({ settings: { quota: { requests: 1, perMs: 60_000 } } });
    const more = partner.sandbox.keys.issue({ quota: { requests: 2, perMs: 60_000 } });
    const other = new DirectPartner(partner.sandbox, partner.url, more);
    expect([await statusOf(other), await statusOf(other), await statusOf(other)]).toEqual([200, 200, 429]);
    expect([await statusOf(partner), await statusOf(partner)]).toEqual([200, 429]);
  });

  test('gets a new secret, which credentials have from then on', async () => {
    const partner = directSandbox();
    const rotated = partner.sandbox.keys.rotateSecret(partner.credentials.apiKey);
    expect(rotated.apiSecret).not.toBe(partner.credentials.apiSecret);
    expect(partner.sandbox.credentials).toEqual(rotated);
    expect([await statusOf(partner), verdictOf(partner)]).toEqual([401, 'bad_signature']);
    expect(await statusOf(new DirectPartner(partner.sandbox, partner.url, rotated))).toBe(200);
  });

  test('keeps scopes, quota and revocation in a snapshot', () => {
    const { sandbox } = directSandbox();
    const terms = { scopes: ['read'], quota: { requests: 5, perMs: 1_000 }, nonceWindow: 3 } as const;
    const { apiKey } = sandbox.keys.issue(terms);
    sandbox.keys.revoke(apiKey);
    const moved = createSandbox({ snapshot: JSON.parse(JSON.stringify(sandbox.snapshot())) });
    expect(moved.keys.list()).toEqual(sandbox.keys.list());
    expect(moved.keys.list()[1]).toMatchObject({ ...terms, revoked: true });
  });
});

describe('what is refused', () => {
  test.each([
    ['keys/setScopes', ['KEY', []], /^keys\.setScopes: scopes must have at least 1 item/],
    ['keys/setQuota', ['KEY', { requests: 0, perMs: 1 }], /^keys\.setQuota: requests must be a whole number/],
    ['keys/setQuota', ['KEY', 5], /^keys\.setQuota: quota must be an object/],
    ['keys/setNonceWindow', ['KEY', 1_001], /^keys\.setNonceWindow: nonceWindow must be a whole number from 0 to 1000/],
    ['keys/setNonceWindow', ['KEY', '5'], /^keys\.setNonceWindow: nonceWindow must be/],
    ['keys/issue', [{ scope: ['read'] }], /^keys\.issue: options must not have scope: did you mean scopes\?/],
    ['keys/issue', [{ nonceWindow: -1 }], /^keys\.issue: nonceWindow must be/],
    ['keys/revoke', ['pk_none'], /^keys\.revoke: there is no API key pk_none/],
    ['keys/reinstate', ['pk_none'], /^keys\.reinstate: there is no API key pk_none/],
    ['keys/rotateSecret', [7], /^keys\.rotateSecret: apiKey must be a string/],
  ])('%s %j', async (method, args, message) => {
    const partner = await openSandbox();
    const given = args.map((one) => (one === 'KEY' ? partner.credentials.apiKey : one));
    const { status, error } = await askControl(partner, `POST ${method}`, given);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
