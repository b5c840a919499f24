import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { ADDRESSES, evmAddress } from '../support/addresses.js';
import { everything } from '../support/balances.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, requestOf } from '../support/partner.js';

const HOUR = 3_600_000;
const LATE = evmAddress('1a7e');
const deliver = async () => new Response(null, { status: 503 });

/** A partner in the middle of everything, and what it knows. */
async function busyPartner(options: SandboxOptions = {}) {
  const partner = directSandbox({ deliver, ...options });
  const { sandbox, account } = partner;
  const { accountId, bankLinkId, methodId, withdrawalAddressKey, userId } = sandbox.fixtures;
  const otp = { 'API-Otp': '1' };
  const second = new DirectPartner(sandbox, partner.url, sandbox.keys.issue());
  sandbox.webhooks.register({ url: 'https://partner.example/hook' });
  sandbox.users.setStatus(userId, { required_actions: ['call back'] });
  sandbox.wallets.rejectAddress(LATE);

  // What has ended, what goes on, and what has just begun.
  const key = randomUUID();
  const headers = { 'Idempotency-Key': key };
  const saved = bodies.address(methodId, 'saved');
  await partner.post(`${account}/funds/withdrawals/addresses`, saved, headers);
  await partner.post(`${account}/quotes/${sandbox.fixtures.quoteId}/execute`);
  await partner.post(`${account}/wallets/whitelist`, { via: 'xrp', address: ADDRESSES.xrp, memo: '7' }, otp);
  sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '12.50' });
  const fromBalance = { type: 'balance', symbol: 'BTC', amount: '0.001' } as const;
  sandbox.accounts.convert(accountId, { from: fromBalance, to: { type: 'bank', symbol: 'USD' }, fails: true });
  sandbox.advance(40_000);
  await sandbox.webhooks.idle();
  await second.post(`${account}/wallets/whitelist`, { via: 'ethereum', address: LATE }, otp);
  const quoteBody = { ...bodies.quote, from: { ...bodies.quote.from, amount: `1.${'0'.repeat(100)}1` } };
  const executing = (await partner.post(`${account}/quotes`, quoteBody)).body.data.id;
  await partner.post(`${account}/quotes/${executing}/execute`);
  const offered = (await partner.post(`${account}/quotes`, bodies.quote)).body.data.id;
  sandbox.accounts.convert(accountId, { from: fromBalance, to: { type: 'bank', symbol: 'USD' } });
  const fromBank = { type: 'bank', symbol: 'USD', amount: '100' } as const;
  sandbox.accounts.convert(accountId, { from: fromBank, to: { type: 'balance', symbol: 'BTC' } });
  sandbox.bankLinks.remove(bankLinkId);
  sandbox.bankLinks.add(accountId);
  const renaming = `PATCH ${account}/funds/withdrawals/addresses/${withdrawalAddressKey}`;
  await partner.call(requestOf(renaming, { new_key: 'renamed' }));
  return { partner, second, key, saved, executing, offered };
}

async function goneOn() {
  const { partner } = await busyPartner();
  const moved = partner.restarted({ deliver });
  return { partner, moved, restored: moved.sandbox };
}

describe('a sandbox that goes on from a snapshot', () => {
  test('has the same state: its snapshot is the same, again and again', async () => {
    const { partner, moved, restored } = await goneOn();
    const before = partner.sandbox.snapshot();
    expect(restored.snapshot()).toEqual({ ...before, generation: 1 });
    expect(moved.restarted({ deliver }).sandbox.snapshot()).toEqual({ ...before, generation: 2 });
    // The way of the same things in the same order, too.
    expect(JSON.stringify({ ...restored.snapshot(), generation: 0 })).toBe(JSON.stringify(before));
  });

  test('goes the same way by time as the one before', async () => {
    const { partner, moved, restored } = await goneOn();
    const all = await everything(partner);
    for (const ms of [1_999, 1, 3_000, 25_000, 3 * 24 * HOUR, HOUR]) {
      partner.sandbox.advance(ms);
      restored.advance(ms);
      const [one, other] = [partner.sandbox.snapshot(), restored.snapshot()];
      for (const name of ['clock', 'accounts', 'books', 'users']) expect(other[name]).toEqual(one[name]);
    }
    expect(restored.wallets.list().map(({ status }) => status)).toEqual(['approved', 'rejected']);
    expect(await everything(moved)).toEqual(all);
  });

  test('remembers idempotency keys, and for no longer', async () => {
    const { partner, key, saved } = await busyPartner();
    const headers = { 'Idempotency-Key': key };
    const path = `${partner.account}/funds/withdrawals/addresses`;
    const moved = partner.restarted({ deliver });
    const replay = await moved.post(path, saved, headers);
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((await moved.post(path, { ...saved, key: 'other' }, headers)).status).toBe(409);
    moved.sandbox.advance(24 * HOUR - 40_000);
    // Forgotten: now it is the name of the address that is in conflict.
    const again = await moved.post(path, saved, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([409, null]);
  });

  test('continues a walk through pages with the token of the one before', async () => {
    const { partner } = await busyPartner();
    const path = `${partner.account}/on-demand-conversions?page_size=10`;
    const { next_page_token: token } = (await partner.get(path)).body;
    const moved = partner.restarted({ deliver });
    const next = `${path}&page_token=${token}`;
    expect((await moved.get(next)).body).toEqual((await partner.get(next)).body);
  });

  test('gives nothing an id that something had before, whichever generation it is of', async () => {
    const ids = new Set<string>();
    const fresh = (id: string) => {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
    };
    let { partner }: { partner: DirectPartner } = await busyPartner();
    for (let generation = 0; generation < 5; generation += 1) {
      const { sandbox } = partner;
      for (let index = 0; index < 20; index += 1) {
        fresh((await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data.id);
        fresh((await partner.get(`${partner.account}/quotes/nobody`)).body.error.instance);
        fresh(sandbox.bankLinks.add(sandbox.fixtures.accountId).bank_link_id);
      }
      fresh(sandbox.keys.issue().apiKey);
      fresh(sandbox.webhooks.register({ url: 'https://partner.example/' }).id);
      partner = partner.restarted({ deliver });
    }
  });
});

describe('the snapshot', () => {
  test('is plain JSON, and a copy: what happens later does not change it', async () => {
    const { partner } = await busyPartner();
    const snapshot = partner.sandbox.snapshot();
    const text = JSON.stringify(snapshot);
    expect(JSON.parse(text)).toEqual(snapshot);
    partner.sandbox.advance(10 * 24 * HOUR);
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  test('that a sandbox was made with is not changed by it', async () => {
    const { partner } = await busyPartner();
    const snapshot = partner.sandbox.snapshot();
    const text = JSON.stringify(snapshot);
    const restored = createSandbox({ deliver, snapshot });
    restored.advance(10 * 24 * HOUR);
    expect(JSON.stringify(snapshot)).toBe(text);
    // A second one begins where the first did.
    expect(createSandbox({ deliver, snapshot }).clock.now()).toBe(partner.sandbox.clock.now());
  });

  test('of another seed is refused, the same seed may be given', () => {
    const snapshot = createSandbox({ seed: 5 }).snapshot();
    expect(() => createSandbox({ snapshot, seed: 6 })).toThrow(TypeError);
    expect(() => createSandbox({ snapshot, seed: 6 })).toThrow('the snapshot was made with seed 5');
    expect(createSandbox({ snapshot, seed: 5 }).snapshot().seed).toBe(5);
    expect(createSandbox({ snapshot }).snapshot().seed).toBe(5);
  });
});

describe('with the clock still or running, before and after', () => {
  const began = Date.UTC(2026, 5, 1, 12);
  beforeEach(() => {
    vi.useFakeTimers({ now: began, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each<[string, boolean, boolean, number]>([
    ['still, then still', false, false, 0],
    ['still, then running', false, true, 0],
    ['running, then still', true, false, 0],
    ['running, then running', true, true, 2 * HOUR],
  ])('%s: it goes on from the same moment, or has let the time in between pass', async (_, first, then, passed) => {
    const { partner, executing, offered } = await busyPartner({ realTime: first });
    const { sandbox } = partner;
    await sandbox.webhooks.idle();
    const assets = `/v1/users/${sandbox.fixtures.userId}/assets?page_size=100`;
    // What a price has changed by since an hour ago is told by the hour.
    const withoutChanges = (data: object[]) => data.map((asset) => ({ ...asset, price_change_percent: undefined }));
    const catalogue = withoutChanges((await partner.get(assets)).body.data);
    const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()));
    const now = sandbox.clock.now();
    await sandbox.close();
    vi.setSystemTime(Date.now() + 2 * HOUR);
    await using restored = createSandbox({ deliver, realTime: then, snapshot });
    const moved = new DirectPartner(restored, partner.url, partner.credentials, partner.nonces);
    expect(restored.clock.now()).toBe(now + passed);
    const statusOf = async (id: string) => (await moved.get(`${moved.account}/quotes/${id}`)).body.data.status;
    expect([await statusOf(executing), await statusOf(offered)]).toEqual(
      passed > 0 ? ['executed', 'expired'] : ['executing', 'offered'],
    );
    expect(withoutChanges((await moved.get(assets)).body.data)).toEqual(catalogue);
    // From here on its clock is of its own kind.
    const goesOnFrom = restored.clock.now();
    vi.setSystemTime(Date.now() + 5_000);
    expect(restored.clock.now()).toBe(goesOnFrom + (then ? 5_000 : 0));
    restored.advance(2_000);
    expect(await statusOf(executing)).toBe('executed');
  });

  test('running, then running on a machine whose clock is behind: it does not go back', async () => {
    const before = createSandbox({ realTime: true });
    before.advance(HOUR);
    const snapshot = before.snapshot();
    await before.close();
    vi.setSystemTime(began - HOUR);
    await using restored = createSandbox({ realTime: true, snapshot });
    expect(restored.clock.now()).toBe(began + HOUR);
    vi.setSystemTime(began - HOUR + 1_000);
    expect(restored.clock.now()).toBe(began + HOUR + 1_000);
  });
});
