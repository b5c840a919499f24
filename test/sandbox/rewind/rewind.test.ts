import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox, type SandboxSnapshot } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, openSandbox, PATIENCE, Partner } from '../support/partner.js';

const QUOTE = bodies.quote;

/** Everything but what is kept over a reset. */
const stateOf = (sandbox: Sandbox) => {
  const { keys, ...state } = sandbox.snapshot() as SandboxSnapshot & { keys: { apiKey: string; apiSecret: string }[] };
  return { ...state, keys: keys.map(({ apiKey, apiSecret }) => ({ apiKey, apiSecret })) };
};

/** Does something of everything. */
async function makeBusy(partner: Partner): Promise<void> {
  const { sandbox, account } = partner;
  await partner.post(`${account}/quotes`, QUOTE, { 'Idempotency-Key': randomUUID() });
  await partner.post(`${account}/quotes/${sandbox.fixtures.quoteId}/execute`);
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '10' });
  sandbox.keys.issue();
  sandbox.prices.set('BTC', '1');
  sandbox.wallets.rejectAddress('somewhere');
  sandbox.webhooks.register({ url: 'https://partner.example/hook' });
  sandbox.fail({ fault: 503, times: 5, operation: 'users.get' });
  sandbox.troubles.add({ does: { delayMs: 1 } });
  sandbox.troubles.add({ does: { delivery: { drop: true } } });
  sandbox.users.setStatus(sandbox.fixtures.userId, { state: 'blocked' });
  sandbox.advance(3 * 86_400_000);
  await sandbox.webhooks.idle();
}

describe('reset', () => {
  test('puts back what a fresh sandbox has, with the same ids to come', async () => {
    const deliver = async () => new Response(null, { status: 200 });
    const partner = directSandbox({ seed: 7, deliver, users: [{ external_reference: 'own', balances: { BTC: '2' } }] });
    const fresh = directSandbox({ seed: 7, deliver, users: [{ external_reference: 'own', balances: { BTC: '2' } }] });
    const before = stateOf(fresh.sandbox);
    expect(stateOf(partner.sandbox)).toEqual(before);
    await makeBusy(partner);
    expect(partner.sandbox.accounts.books).not.toEqual(fresh.sandbox.accounts.books);
    partner.sandbox.reset();
    expect(stateOf(partner.sandbox)).toEqual(before);
    const { sandbox } = partner;
    expect([sandbox.fixtures, sandbox.credentials]).toEqual([fresh.sandbox.fixtures, fresh.sandbox.credentials]);
    expect(sandbox.webhooks.register({ url: 'https://a.example' })).toEqual(
      fresh.sandbox.webhooks.register({ url: 'https://a.example' }),
    );
    const made = await Promise.all([partner, fresh].map((one) => one.post(`${one.account}/quotes`, QUOTE)));
    expect(made[0]?.body).toEqual(made[1]?.body);
  });

  test('empties journal, troubles, deliveries and keys; the live array stays', async () => {
    const partner = directSandbox({ deliver: async () => new Response(null, { status: 200 }) });
    const { sandbox, account } = partner;
    const { journal } = sandbox;
    const headers = { 'Idempotency-Key': randomUUID() };
    await partner.post(`${account}/quotes`, QUOTE, headers);
    await makeBusy(partner);
    expect(journal.length).toBeGreaterThan(2);
    expect(sandbox.webhooks.listDeliveries().length).toBeGreaterThan(0);
    const last = journal.at(-1)?.seq ?? 0;
    sandbox.reset();
    const { troubles, webhooks } = sandbox;
    expect([journal, troubles.list(), webhooks.listDeliveries()]).toEqual([[], [], []]);
    const again = await partner.post(`${account}/quotes`, QUOTE, headers);
    expect([again.status, again.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect(sandbox.journal).toBe(journal);
    expect(journal).toHaveLength(1);
    expect(journal[0]?.seq).toBeGreaterThan(last);
    expect(sandbox.fail({ fault: 503 })).toBeTypeOf('function');
    expect(troubles.list()[0]?.id).toBe('trouble_1');
  });

  test('keeps the nonces, also of a key that is issued again', async () => {
    const partner = directSandbox();
    const { sandbox } = partner;
    const issued = sandbox.keys.issue();
    const get = (nonce: bigint, credentials = sandbox.credentials) => {
      const { path, headers } = new (
        partner.constructor as typeof import('../support/direct-partner.js').DirectPartner
      )(sandbox, partner.url, credentials).signed({ method: 'GET', path: '/v1/webhooks', nonce });
      return sandbox.fetch(new Request(partner.url + path, { headers })).then(({ status }) => status);
    };
    expect([await get(10n), await get(20n, issued)]).toEqual([200, 200]);
    sandbox.reset();
    expect([await get(10n), await get(11n), await get(21n, issued)]).toEqual([401, 200, 401]);
    expect(sandbox.keys.issue()).toEqual(issued);
    expect([await get(20n, issued), await get(21n, issued)]).toEqual([401, 200]);
  });

  test('goes back to the snapshot that the sandbox was made of, even if its owner has changed that', () => {
    const source = createSandbox();
    source.accounts.deposit(source.fixtures.accountId, { symbol: 'USD', amount: '10' });
    const snapshot = source.snapshot();
    const sandbox = createSandbox({ snapshot });
    const before = sandbox.snapshot();
    (snapshot as { accounts?: unknown }).accounts = [];
    sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '10' });
    sandbox.reset();
    expect(sandbox.snapshot()).toEqual(before);
  });

  test('of a running clock begins at the present', () => {
    const sandbox = createSandbox({ realTime: true });
    sandbox.advance(86_400_000);
    sandbox.clock.stop();
    sandbox.reset();
    expect(Math.abs(sandbox.clock.status().aheadMs)).toBeLessThan(5_000);
    expect(sandbox.clock.status().isRunning).toBe(true);
  });

  test('cuts a delivery under way, which leaves no trace', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let answer = (_: Response) => {};
    const partner = directSandbox({
      deliver: () => {
        arrived();
        return new Promise<Response>((resolve) => {
          answer = resolve;
        });
      },
    });
    const { sandbox } = partner;
    sandbox.webhooks.register({ url: 'https://partner.example/hook' });
    await partner.post(`${partner.account}/quotes/${sandbox.fixtures.quoteId}/execute`);
    sandbox.advance(2_000);
    await arrival;
    const moved = sandbox.clock.advance(60_000, { deliver: true });
    const refusal = expect(moved).rejects.toThrow('clock.advance: another state was put in place');
    sandbox.reset();
    answer(new Response(null, { status: 200 }));
    await refusal;
    await sandbox.webhooks.idle();
    expect(sandbox.webhooks.listDeliveries()).toEqual([]);
  });
});

describe('snapshot and restore', () => {
  test('go back to the state, again and again', async () => {
    const partner = directSandbox({ deliver: async () => new Response(null, { status: 200 }) });
    const { sandbox, account } = partner;
    await makeBusy(partner);
    const { generation: _, ...before } = stateOf(sandbox) as { generation?: unknown };
    const worked = sandbox.snapshot();
    for (let round = 0; round < 2; round += 1) {
      await partner.post(`${account}/quotes`, QUOTE);
      sandbox.advance(86_400_000);
      sandbox.restore(worked);
      const { generation, ...after } = stateOf(sandbox) as { generation?: unknown };
      expect(after).toEqual(before);
    }
    expect(sandbox.troubles.list()).toHaveLength(2);
  });

  test('over HTTP undo emptied accounts and a reset: money, webhooks, API keys with secrets, idempotency keys, clock', async () => {
    const partner = await openSandbox({ inspect: true, deliver: async () => new Response(null, { status: 500 }) });
    const { sandbox, url, account } = partner;
    await makeBusy(partner);
    const rotated = new Partner(sandbox, url, sandbox.keys.rotateSecret(sandbox.keys.issue().apiKey));
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await rotated.post(`${account}/quotes`, QUOTE, headers);
    const read = async (path: string) => (await askControl(partner, `GET ${path}`)).data;
    const readAll = () => Promise.all(['clock/now', 'clock/agenda', 'resources/accounts', 'webhooks'].map(read));
    const [before, { generation, ...snapshot }] = [await readAll(), await read('snapshot')];
    expect(before[1].map(({ task }: { task: string }) => task)).toContain('webhook.attempt');
    for (const { id, holdings } of before[2]) {
      for (const { asset, held: total } of holdings) {
        const [asset_type, symbol] = asset.split(':');
        const set = await askControl(partner, 'POST accounts/setBalance', [id, { symbol, asset_type, total }]);
        expect(set.status).toBe(200);
      }
    }
    await askControl(partner, 'POST reset', []);
    expect((await rotated.get('/v1/webhooks')).status).toBe(401);
    expect(await askControl(partner, 'POST restore', [{ generation, ...snapshot }])).toMatchObject({ status: 200 });
    expect(await readAll()).toEqual(before);
    expect(await read('snapshot')).toEqual({ generation: generation + 1, ...snapshot });
    expect((await rotated.post(`${account}/quotes`, QUOTE, headers)).body).toEqual(first.body);
  });

  test('never give the same id to two branches', async () => {
    const partner = directSandbox();
    const { sandbox, account } = partner;
    const ids = new Set<string>();
    const make = async () => ids.add((await partner.post(`${account}/quotes`, QUOTE)).body.data.id);
    await make();
    const first = sandbox.snapshot();
    for (let round = 0; round < 3; round += 1) {
      await make();
      sandbox.restore(first);
      await make();
    }
    expect(ids.size).toBe(7);
    const keys = [sandbox.keys.issue().apiKey];
    sandbox.restore(first);
    keys.push(sandbox.keys.issue().apiKey);
    expect(new Set(keys).size).toBe(2);
    // Only a reset begins the ids anew; a snapshot of before goes on with others.
    sandbox.reset();
    await make();
    expect(ids.size).toBe(7);
    sandbox.restore(first);
    await make();
    expect(ids.size).toBe(8);
  });

  test('a pending delivery goes out again, at its time', async () => {
    let status = 500;
    const partner = directSandbox({ deliver: async () => new Response(null, { status }) });
    const { sandbox, account } = partner;
    sandbox.webhooks.register({ url: 'https://partner.example/hook', events: ['quote.executed'] });
    await partner.post(`${account}/quotes/${sandbox.fixtures.quoteId}/execute`);
    sandbox.advance(2_000);
    await sandbox.webhooks.idle();
    const down = sandbox.snapshot();
    status = 200;
    for (let round = 0; round < 2; round += 1) {
      await sandbox.clock.advance(1_000, { deliver: true });
      expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }]);
      sandbox.restore(down);
      expect(sandbox.webhooks.listDeliveries()).toMatchObject([{ status: 'pending', attempts: [{}] }]);
    }
  });

  test('a trouble with an end lasts as long as it would have', async () => {
    const partner = directSandbox();
    const { sandbox } = partner;
    const first = sandbox.snapshot();
    sandbox.advance(86_400_000);
    sandbox.troubles.add({ does: 503, times: 'always', forMs: 10_000 });
    sandbox.restore(first);
    sandbox.advance(9_999);
    expect((await partner.get('/v1/webhooks')).status).toBe(503);
    sandbox.advance(1);
    expect([(await partner.get('/v1/webhooks')).status, sandbox.troubles.list()]).toEqual([200, []]);
  });

  test('price-trigger swaps of the other branch are forgotten', async () => {
    const partner = directSandbox();
    const { sandbox, account } = partner;
    const first = sandbox.snapshot();
    const trade = { from: { symbol: 'USD', type: 'fiat', amount: '100' }, to: { symbol: 'BTC', type: 'crypto' } };
    const pair = { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' } };
    await partner.post(`${account}/price-trigger-swaps`, { trade, when: { ...pair, drops_to: '1000' } });
    sandbox.restore(first);
    const before = sandbox.accounts.books;
    sandbox.prices.set('BTC', '10');
    expect(sandbox.accounts.books).toEqual(before);
  });

  test('a wrong snapshot is refused with its place, and changes nothing', async () => {
    const partner = await openSandbox();
    const { sandbox } = partner;
    sandbox.advance(60_000);
    const before = sandbox.snapshot();
    const wrong = JSON.parse(JSON.stringify(before));
    wrong.accounts[0].holdings[0].total = '-1';
    const { status, error } = await askControl(partner, 'POST restore', [wrong]);
    expect([status, error?.message]).toEqual([400, expect.stringContaining('accounts.0.holdings.0.total')]);
    expect(() => sandbox.restore(createSandbox({ seed: 2 }).snapshot())).toThrow(
      /^restore: .* seed 2, this sandbox with 1$/,
    );
    expect(() => sandbox.restore('nothing' as never)).toThrow(TypeError);
    expect(() => sandbox.restore(undefined as never)).toThrow(TypeError);
    expect(sandbox.snapshot()).toEqual(before);
    expect(await askControl(partner, 'POST restore', [before])).toMatchObject({ status: 200 });
  });
});

describe('a clock that delivers on its way', () => {
  test('is one call over HTTP', async () => {
    const partner = await openSandbox({ deliver: async () => new Response(null, { status: 500 }) });
    partner.sandbox.webhooks.register({ url: 'https://partner.example/hook', events: ['quote.executed'] });
    await partner.post(`${partner.account}/quotes/${partner.sandbox.fixtures.quoteId}/execute`);
    expect((await askControl(partner, 'POST clock/advance', [4_000, { deliver: true }])).status).toBe(200);
    expect(partner.sandbox.webhooks.listDeliveries()).toMatchObject([{ attempts: [{}, {}] }]);
    await expect.poll(() => partner.sandbox.webhooks.listDeliveries().length, PATIENCE).toBe(1);
  });
});
