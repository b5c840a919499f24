import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { askControl, bodies, openSandbox } from '../support/partner.js';
import { addWorld, ofSandbox, twoWorlds, type WorldPartner } from './support/world.js';

describe('a world', () => {
  test('has the data of its seed, and API keys that are also of its id', async () => {
    const { root, one, other } = await twoWorlds();
    const alone = createSandbox({ seed: 7 });
    expect([one.world.id, other.world.id]).toEqual(['world_1', 'world_2']);
    expect(one.world.fixtures).toEqual(alone.fixtures);
    expect(other.world.fixtures).toEqual(alone.fixtures);
    const keys = [one, other].map(({ world }) => world.credentials);
    for (const member of ['apiKey', 'apiSecret'] as const) {
      const all = [alone.credentials[member], root.credentials[member], ...keys.map((key) => key[member])];
      expect(new Set(all).size).toBe(4);
    }
    expect(one.world.url).toBe(`${root.url}/_sandbox/worlds/world_1`);
    expect((await one.ask('GET fixtures')).data).toEqual(one.world.fixtures);
    expect((await one.ask('GET credentials')).data).toEqual(one.world.credentials);
    // The same sandbox anew gives its worlds the same keys.
    const again = await openSandbox();
    expect((await addWorld(again, { seed: 7 })).world.credentials).toEqual(one.world.credentials);
  });

  test('answers the same requests with the same ids as a sandbox with its seed', async () => {
    const { one, other } = await twoWorlds();
    const quotes = [
      await one.post(`${one.account}/quotes`, bodies.quote),
      await other.post(`${other.account}/quotes`, bodies.quote),
    ];
    expect(quotes.map(({ status }) => status)).toEqual([200, 200]);
    expect(quotes[0]?.body.data.id).toBe(quotes[1]?.body.data.id);
  });

  test('keeps its data, clock, faults and journal to itself', async () => {
    const { root, one, other } = await twoWorlds();
    const { accountId } = one.world.fixtures;
    await one.ask('POST accounts/setBalance', [accountId, { symbol: 'USD', total: '12.34' }]);
    await one.ask('POST clock/advance', [3_600_000]);
    await one.ask('POST faults/add', [{ fault: 503 }]);
    await one.ask('POST prices/set', ['BTC', '3']);
    expect((await one.get(one.account)).status).toBe(503);
    expect((await other.get(`/v1/users/${other.world.fixtures.userId}`)).status).toBe(200);
    expect(await one.usd()).toBe('12.34');
    for (const untouched of [other, ofSandbox(root)]) {
      expect(await untouched.usd()).not.toBe('12.34');
      expect((await untouched.ask('GET faults')).data).toEqual([]);
      expect((await untouched.ask('GET prices')).data).not.toContainEqual(expect.objectContaining({ usd: '3' }));
    }
    const nows = await Promise.all([one, other].map(async (each) => (await each.ask('GET clock/now')).data));
    expect(nows[0] - nows[1]).toBe(3_600_000);
    const journals = await Promise.all([one, other].map(async (each) => (await each.ask('GET journal')).data));
    expect(journals.map((entries) => entries.map(({ status }: { status: number }) => status))).toEqual([[503], [200]]);
    expect(root.sandbox.journal).toEqual([]);
    expect(root.sandbox.clock.now()).toBe(nows[1]);
  });

  test('delivers its events to its own inbox and no other', async () => {
    const { root, one, other } = await twoWorlds();
    const { data: url } = await one.ask('GET inbox/url');
    expect(url).toBe(`${one.world.url}/inbox/default`);
    for (const each of [one, other]) {
      await each.ask('POST webhooks/register', [{ url: (await each.ask('GET inbox/url')).data }]);
    }
    await one.ask('POST webhooks/trigger', ['conversion.withdrawal_completed']);
    await one.ask('POST webhooks/idle', []);
    const [message, ...more] = (await one.ask('GET inbox')).data;
    expect([message.verification.valid, more]).toEqual([true, []]);
    // A sender over the network reaches the same inbox.
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(200);
    expect((await one.ask('GET inbox')).data).toHaveLength(2);
    expect((await other.ask('GET inbox')).data).toEqual([]);
    expect(root.sandbox.inbox.list()).toEqual([]);
  });

  test('takes the options of the sandbox, but for those it is given', async () => {
    const root = await openSandbox({ seed: 3, otp: '271828', quota: { requests: 1, per: 60_000 } as never });
    const one = await addWorld(root, { otp: '314159' });
    expect(one.world.seed).toBe(3);
    expect((await one.ask('GET otp')).data).toBe('314159');
    const path = `/v1/users/${one.world.fixtures.userId}`;
    expect([(await one.get(path)).status, (await one.get(path)).status]).toEqual([200, 429]);
  });

  test('begins from a snapshot with API keys of its own', async () => {
    const root = await openSandbox({ seed: 5 });
    root.sandbox.accounts.setBalance(root.sandbox.fixtures.accountId, { symbol: 'USD', total: '7' });
    const snapshot = root.sandbox.snapshot();
    const one = await addWorld(root, { snapshot });
    expect(one.world.seed).toBe(5);
    expect(await one.usd()).toBe('7');
    expect(one.world.credentials).not.toEqual(root.credentials);
    expect((await one.get(`/v1/users/${one.world.fixtures.userId}`)).status).toBe(200);
    // It also takes one later, and its own.
    expect((await one.ask('POST restore', [snapshot])).status).toBe(200);
    expect((await one.ask('GET keys')).data.map(({ apiKey }: { apiKey: string }) => apiKey)).toEqual([
      one.world.credentials.apiKey,
    ]);
    const { data: own } = await one.ask('GET snapshot');
    expect((await one.ask('POST restore', [own])).status).toBe(200);
    expect((await one.get(`/v1/users/${one.world.fixtures.userId}`)).status).toBe(200);
  });

  test.each([
    [{ sede: 1 }, /^worlds\.add: sede is not an option: did you mean seed\?/],
    [{ onRequest: 1 }, /^worlds\.add: onRequest is not an option/],
    [{ seed: 1.5 }, /^worlds\.add: seed must be a whole number/],
    [{ snapshot: {} }, /^worlds\.add: snapshot/],
    [{ users: [{}] }, /^worlds\.add: users/],
    [[], /^worlds\.add: the options must be an object/],
  ])('is not made with %j', async (options, message) => {
    const root = await openSandbox();
    const { status, error } = await askControl(root, 'POST worlds', [options]);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
    expect(root.sandbox.worlds.list()).toEqual([]);
  });

  test('has no worlds', async () => {
    const { one } = await twoWorlds();
    expect((await one.ask('GET worlds')).data).toEqual([]);
    const { status, error } = await one.ask('POST worlds', []);
    expect([status, error?.message]).toEqual([400, 'a world has no worlds: /_sandbox/worlds has those of the sandbox']);
  });
});

describe('the collection', () => {
  test('is made, listed and ended by its three routes', async () => {
    const root = await openSandbox();
    const { data: first } = await askControl(root, 'POST worlds', '');
    const { data: second } = await askControl(root, 'POST worlds/add', [{ seed: 2 }]);
    const ids = async () => (await askControl(root, 'GET worlds')).data.map(({ id }: { id: string }) => id);
    expect(await ids()).toEqual(['world_1', 'world_2']);
    expect((await askControl(root, 'GET worlds/world_2')).data).toEqual(second);
    expect((await askControl(root, 'DELETE worlds/world_1')).status).toBe(200);
    expect(await ids()).toEqual(['world_2']);
    expect((await askControl(root, 'DELETE worlds/world_1')).status).toBe(404);
    expect((await fetch(`${first.url}/health`)).status).toBe(404);
    const { data: third } = await askControl(root, 'POST worlds', []);
    expect(third.id).toBe('world_3');
  });

  test('names the world by the address that its caller has used', async () => {
    const root = await openSandbox();
    const url = root.url.replace('127.0.0.1', 'localhost');
    const { data } = await askControl({ url }, 'POST worlds', []);
    expect(data.url).toBe(`${url}/_sandbox/worlds/world_1`);
    expect((await askControl(root, 'GET worlds')).data[0].url).toBe(`${root.url}/_sandbox/worlds/world_1`);
  });

  test('has 100 worlds at most', async () => {
    const root = await openSandbox();
    for (let count = 0; count < 100; count += 1) root.sandbox.worlds.add();
    const { status, error } = await askControl(root, 'POST worlds', []);
    expect([status, error?.message]).toEqual([409, 'worlds.add: there are 100 worlds: end one with worlds.remove']);
    root.sandbox.worlds.remove('world_50');
    expect((await askControl(root, 'POST worlds', [])).data.id).toBe('world_101');
  });

  test('is left alone by a reset of the sandbox, and of another world', async () => {
    const { root, one, other } = await twoWorlds();
    const change = (each: WorldPartner, total: string) =>
      each.ask('POST accounts/setBalance', [each.world.fixtures.accountId, { symbol: 'USD', total }]);
    await change(one, '1');
    await change(other, '2');
    root.sandbox.accounts.setBalance(root.sandbox.fixtures.accountId, { symbol: 'USD', total: '3' });
    await one.ask('POST reset', []);
    expect([await one.usd(), await other.usd()]).toEqual([expect.not.stringMatching(/^1$/), '2']);
    expect(root.sandbox.books.holdings(root.sandbox.fixtures.accountId)).toContainEqual(
      expect.objectContaining({ asset: 'fiat:USD', total: '3' }),
    );
    root.sandbox.reset();
    expect(await other.usd()).toBe('2');
    // After its reset the credentials are as before.
    expect((await one.get(`/v1/users/${one.world.fixtures.userId}`)).status).toBe(200);
  });
});
