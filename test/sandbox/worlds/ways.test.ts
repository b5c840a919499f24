import { PartnerClient } from 'partner-sdk';
import { describe, expect, test } from 'vitest';
import { askControl, openSandbox } from '../support/partner.js';
import { addWorld, twoWorlds, WorldPartner } from './support/world.js';

const verdicts = async (each: WorldPartner): Promise<string[]> =>
  (await each.ask('GET journal')).data.map(({ verdict }: { verdict: string }) => verdict);

describe('a request finds its world', () => {
  test('by a key that the world has issued later, also after a new secret', async () => {
    const { one, other } = await twoWorlds();
    const { data: issued } = await one.ask('POST keys/issue', [{ label: 'second' }]);
    const path = `/v1/users/${one.world.fixtures.userId}`;
    expect((await new WorldPartner(one, one.world, issued).get(path)).status).toBe(200);
    const { data: rotated } = await one.ask('POST keys/rotateSecret', [one.world.credentials.apiKey]);
    const [stale, fresh] = [await one.get(path), await new WorldPartner(one, one.world, rotated).get(path)];
    expect([stale.status, fresh.status]).toEqual([401, 200]);
    expect(await verdicts(one)).toEqual(['accepted', 'bad_signature', 'accepted']);
    expect(await verdicts(other)).toEqual([]);
  });

  test('by a key that the world has revoked', async () => {
    const { root, one } = await twoWorlds();
    await one.ask('POST keys/revoke', [one.world.credentials.apiKey]);
    expect((await one.get(`/v1/users/${one.world.fixtures.userId}`)).status).toBe(401);
    expect(await verdicts(one)).toEqual(['revoked_key']);
    expect(root.sandbox.journal).toEqual([]);
  });

  test('and is the sandbox’s own with an unknown key, or none', async () => {
    const { root, one, other } = await twoWorlds();
    const path = `/v1/users/${one.world.fixtures.userId}`;
    const unknown = new WorldPartner(root, one.world, { ...one.world.credentials, apiKey: `pk_${'A'.repeat(40)}` });
    expect((await unknown.get(path)).status).toBe(401);
    expect((await fetch(root.url + path)).status).toBe(401);
    root.sandbox.worlds.remove(one.world.id);
    expect((await one.get(path)).status).toBe(401);
    expect(root.sandbox.journal.map(({ verdict }) => verdict)).toEqual([
      'unknown_key',
      'missing_header',
      'unknown_key',
    ]);
    expect(await verdicts(other)).toEqual([]);
    expect((await root.get(`/v1/users/${root.sandbox.fixtures.userId}`)).status).toBe(200);
  });

  test('in this process, too: by `fetch` and by a transport', async () => {
    const root = await openSandbox();
    const one = await addWorld(root, { seed: 9 });
    const { userId } = one.world.fixtures;
    const signed = one.signed({ method: 'GET', path: `/v1/users/${userId}` });
    const request = new Request(`https://sandbox.test${signed.path}`, { headers: signed.headers });
    expect((await root.sandbox.fetch(request)).status).toBe(200);
    const transport = root.sandbox.transport();
    await using client = new PartnerClient({ ...one.world.credentials, baseUrl: 'https://sandbox.test', transport });
    expect((await client.users.get(userId)).id).toBe(userId);
    expect(await verdicts(one)).toEqual(['accepted', 'accepted']);
    expect(root.sandbox.journal).toEqual([]);
  });
});

describe('what needs no key', () => {
  test('leads into its world: downloads and checkouts', async () => {
    const { root, one, other } = await twoWorlds();
    const { body: reports } = await one.get('/v1/reports/settlement');
    const { body: report } = await one.get(`/v1/reports/settlement/${reports.data[0].id}`);
    const link: string = report.data.download_url;
    expect(link).toMatch(`${one.world.url}/downloads/settlement/`);
    const file = await fetch(link);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect((await fetch(link.replace(one.world.id, 'world_9'))).status).toBe(404);
    // In this process a link needs no key either.
    expect((await root.sandbox.fetch(new Request(link))).status).toBe(200);
    const query =
      'in_asset%5Bsymbol%5D=USD&in_asset%5Btype%5D=fiat&out_asset%5Bsymbol%5D=BTC&out_asset%5Btype%5D=crypto';
    const { body: checkout } = await other.get(`/v1/ramp/checkout?${query}`);
    const page: string = checkout.data.checkout_url;
    expect(page).toMatch(`${other.world.url}/checkout/`);
    expect([(await fetch(page)).status, (await fetch(page.replace('world_2', 'world_1'))).status]).toEqual([200, 404]);
    expect(await verdicts(one)).toEqual(['accepted', 'accepted', 'accepted', 'accepted', 'accepted']);
    expect(root.sandbox.journal).toEqual([]);
    // The sandbox's own links are as before.
    const { body: own } = await root.get(`/v1/ramp/checkout?${query}`);
    expect(own.data.checkout_url).toMatch(`${root.url}/checkout/`);
  });

  test('is closed to other hosts and origins as the sandbox is', async () => {
    const { one } = await twoWorlds();
    for (const headers of [{ origin: 'https://rebound.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await fetch(`${one.world.url}/keys`, { headers })).status).toBe(403);
      expect((await fetch(`${one.world.url}9/keys`, { headers })).status).toBe(403);
    }
  });

  test('names a world that is not there', async () => {
    const root = await openSandbox();
    const { status, error } = await askControl(root, 'POST worlds/world_9/clock/advance', [1]);
    expect([status, error?.message]).toEqual([
      404,
      'there is no world world_9, or it has ended; GET worlds lists what there is',
    ]);
  });
});
