import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptRunner } from '../../src/redis/client.js';
import { KeyLeases } from '../../src/redis/key-leases.js';
import { KeyRecord } from '../../src/redis/key-record.js';
import type { Lease } from '../../src/redis/lease.js';
import { leaseSettings } from '../../src/redis/options.js';
import { ACQUIRE } from '../../src/redis/scripts.js';
import { type Clock, machineClock } from '../../src/redis/time.js';
import { nodeRedis } from '../support/redis.js';
import { apiKeys, clockNonce, NODE_REDIS, placeOf, rejection, sleep } from './support/sources.js';

const HOUR = 3_600_000;
const MILLISECOND = 1_000_000n;

/** A machine whose clock is wrong by so many milliseconds. */
const wrongBy = (milliseconds: number): Clock => ({ ...machineClock, wall: () => Date.now() + milliseconds });

describe('the record of an API key', () => {
  const place = placeOf(NODE_REDIS, 20);

  function record(apiKey: string, source: string, clock: Clock = machineClock, ttl = 60_000): KeyRecord {
    return new KeyRecord(apiKey, {
      run: scriptRunner(place.client),
      settings: leaseSettings({ ttl }),
      clock,
      source: () => source,
    });
  }

  async function granted(record: KeyRecord): Promise<Lease> {
    const { lease } = await record.acquire(0);
    if (lease === undefined) throw new Error('it is not free');
    return lease;
  }

  /** A record with a holder. */
  async function owned(ttl?: number) {
    const [key = ''] = place.take(1);
    const own = record(key, 'own', machineClock, ttl);
    return { key, own, lease: await granted(own) };
  }

  function issued(lease: Lease): bigint {
    const nonce = lease.issue();
    if (nonce === undefined) throw new Error('it has run out');
    return nonce;
  }

  /** The name of the record whose fields are such. */
  async function nameOf(isIt: (fields: Map<string, string>) => boolean): Promise<string> {
    return [...(await place.server.records())].find(([, fields]) => isIt(fields))?.[0] ?? '';
  }

  /** Redis loses the record in which this is the present lease. */
  async function forget(lease: Lease): Promise<void> {
    for (const [name, fields] of await place.server.records()) {
      if (fields.get('holder') === lease.token) await place.server.ask('DEL', name);
    }
  }

  it('compares and adds nonces as text, to the last digit of 64 bits', async () => {
    const run = /run_id:(\w+)/.exec(String(await place.server.ask('INFO', 'server')))?.[1] ?? '';
    const nonce = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: 19 }).map((digits) => 10n ** BigInt(digits)),
      fc.bigInt({ min: -3n, max: 3n }).map((difference) => clockNonce() * 2n + difference),
    );
    const property = fc.asyncProperty(nonce, nonce, nonce, async (ceiling, clock, last) => {
      await place.client.hSet('compare', { run, ceiling: String(ceiling) });
      const before = BigInt(Math.floor(Date.now())) * MILLISECOND;
      const options = { keys: ['compare'], arguments: ['source', '1', '1234', String(clock), String(last), '0'] };
      const [verdict, floor = '', reach = ''] = (await place.client.eval(ACQUIRE, options)) as string[];
      await place.client.del('compare');
      expect(verdict).toBe('granted');
      const highest = [ceiling, clock, last].reduce((one, other) => (other > one ? other : one));
      // Redis’s own clock is the fourth.
      if (highest > before + 60_000n * MILLISECOND) expect(BigInt(floor)).toBe(highest);
      else expect(BigInt(floor) >= (highest > before ? highest : before)).toBe(true);
      expect(BigInt(reach) - BigInt(floor)).toBe(1234n * MILLISECOND);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('leads from a machine whose clock is ahead to one whose clock is right, without going back', async () => {
    const [key = ''] = place.take(1);
    const ahead = record(key, 'ahead', wrongBy(HOUR));
    const first = await granted(ahead);
    const last = issued(first);
    expect(last > clockNonce() + BigInt(HOUR / 2) * MILLISECOND).toBe(true);
    await ahead.release(first);
    const right = new KeyLeases(place.client, { ttl: 60_000 });
    expect(await right.overtaken(key, last)).toBe(false);
    expect((await right.next(key)) > last).toBe(true);
    expect(await right.overtaken(key, last)).toBe(true);
    await right.close([key]);
  });

  it.each([
    ['floor and ceiling', (nonce: string) => ({ floor: nonce, ceiling: nonce })],
    ['ceiling', (nonce: string) => ({ ceiling: nonce })],
  ])('whose %s is damaged gives no nonce, says so, and works again once it is deleted', async (_, damage) => {
    const { key, own, lease } = await owned();
    await own.release(lease);
    const name = await nameOf((fields) => fields.get('floor') === String(lease.floor));
    await place.client.hSet(name, damage(String(2n ** 63n)));
    const before = await place.client.hGetAll(name);
    for (const source of ['own', 'other']) {
      const error = await rejection(record(key, source).acquire(0));
      expect(error.message).toContain(`the record ${name} in Redis allows nonces up to ${2n ** 63n}`);
    }
    expect(await place.client.hGetAll(name)).toEqual(before);

    const nonces = new KeyLeases(place.client, { ttl: 500 });
    expect((await rejection(Promise.resolve(nonces.next(key)))).message).toContain('more than a day ahead');
    await place.client.del(name);
    // Until then the failure is fresh, and calls are told of it at once.
    await sleep(1_100);
    expect((await nonces.next(key)) < clockNonce() + 1_000n * MILLISECOND).toBe(true);
    await nonces.close([key]);
  });

  it('is not taken by a machine whose clock is more than a day ahead of Redis, and stays as it was', async () => {
    const [key = ''] = place.take(1);
    const own = record(key, 'own');
    await own.release(await granted(own));
    const before = await place.server.records();
    const error = await rejection(record(key, 'ahead', wrongBy(25 * HOUR)).acquire(0));
    expect(error.message).toMatch(/the clock of this machine is 2[45] hours ahead of the clock of Redis/);
    expect(await place.server.records()).toEqual(before);
    const again = await granted(record(key, 'ahead', wrongBy(23 * HOUR)));
    expect(issued(again) > clockNonce() + BigInt(22 * HOUR) * MILLISECOND).toBe(true);
  });

  it('has a ceiling that the holder cannot pass, and the next begins above it when the holder says no more', async () => {
    const [key = ''] = place.take(1);
    const lost = await granted(record(key, 'lost', machineClock, 600));
    const last = issued(lost);
    await sleep(700);
    const heir = await granted(record(key, 'heir', machineClock, 600));
    expect(lost.issue()).toBeUndefined();
    expect(heir.floor >= lost.floor + 600n * MILLISECOND).toBe(true);
    expect(issued(heir) > last).toBe(true);
  });

  it('does not run ahead of the clock when a source displaces holds of its own that it never used', async () => {
    const [key = ''] = place.take(1);
    const own = record(key, 'own');
    const first = issued(await granted(own));
    for (let round = 0; round < 50; round++) await granted(own);
    const again = await granted(own);
    expect(issued(again) > first).toBe(true);
    expect(again.floor < clockNonce() + 1_000n * MILLISECOND).toBe(true);
  });

  it('refuses a late renewal, and a late release, of a lease that another has followed', async () => {
    const [key = ''] = place.take(1);
    const one = record(key, 'one');
    const first = await granted(one);
    await one.release(first);
    expect(await one.renew(first)).toBeUndefined();
    const other = record(key, 'other');
    const second = await granted(other);
    expect(await one.renew(first)).toBeUndefined();
    await one.release(first);
    expect(await other.renew(second)).toMatchObject({ isWaiting: false });
    expect((await record(key, 'third').acquire(0)).lease).toBeUndefined();
  });

  it('refuses a late attempt of a source that has made a later one', async () => {
    const [key = ''] = place.take(1);
    const own = record(key, 'own');
    await granted(own);
    await granted(own);
    // What an attempt looks like that was on its way for long.
    const arrivesLate = record(key, 'own');
    expect(await arrivesLate.acquire(0)).toMatchObject({ lease: undefined, refusal: { reason: 'late' } });
  });

  it('tells a holder that another has begun, also of nonces above that one’s beginning, and it is the holder no more', async () => {
    const { own, lease } = await owned();
    const nonce = issued(lease);
    expect(await own.overtaken(nonce)).toBe(false);
    expect(lease.isValid()).toBe(true);
    const name = await nameOf((fields) => fields.get('holder') === lease.token);
    await place.client.hSet(name, { holder: 'other.1', floor: String(lease.floor + 1n) });
    const later = issued(lease);
    expect(later > lease.floor + 1n).toBe(true);
    expect(await own.overtaken(later)).toBe(true);
    expect(await own.overtaken(later + 1n)).toBe(false);
    expect(lease.issue()).toBeUndefined();
  });

  it('that is lost is made again by the holder, and is his', async () => {
    const { key, own, lease } = await owned();
    const last = issued(lease);
    await forget(lease);
    const other = record(key, 'other');
    expect(await other.acquire(0)).toMatchObject({ lease: undefined, refusal: { reason: 'doubt' } });
    expect(await own.renew(lease)).toMatchObject({ isWaiting: false });
    expect(await other.acquire(0)).toMatchObject({ lease: undefined, refusal: { reason: 'taken' } });
    await own.release(lease);
    expect(issued(await granted(other)) > last).toBe(true);
  });

  it('that is lost is not made again by a holder whose time is over', async () => {
    const { key, own, lease } = await owned(500);
    await sleep(510);
    await forget(lease);
    expect(await own.renew(lease)).toBeUndefined();
    await own.release(lease);
    expect(await record(key, 'other').acquire(0)).toMatchObject({ refusal: { reason: 'doubt' } });
  });

  it('is not blocked for long by a holder, or a queue, of before the clock of Redis was set back', async () => {
    const [key = ''] = place.take(1);
    const dead = record(key, 'dead', machineClock, 500);
    const lease = await granted(dead);
    const name = await nameOf((fields) => fields.get('holder') === lease.token);
    const inAnHour = String(Date.now() + HOUR);
    await place.client.hSet(name, { ends: inAnHour, 'w:dead': `1 ${inAnHour}` });
    const heir = record(key, 'heir', machineClock, 500);
    const refused = await heir.acquire(1_000);
    expect(refused).toMatchObject({ refusal: { reason: 'taken', ahead: 0 } });
    expect('refusal' in refused && refused.refusal.wait <= 500).toBe(true);
    await sleep(510);
    expect((await heir.acquire(1_000)).lease).toBeDefined();
  });

  it('is doubted for no longer than ttl, also when the clock of Redis was set back', async () => {
    const [key = ''] = apiKeys(1);
    const own = record(key, 'own', machineClock, 500);
    await own.acquire(0);
    const name = await nameOf((fields) => fields.size === 1);
    const run = (await place.client.hGet(name, 'doubt'))?.split(' ')[0];
    await place.client.hSet(name, { doubt: `${run} ${Date.now() + HOUR}` });
    await own.acquire(0);
    await sleep(510);
    expect((await own.acquire(0)).lease).toBeDefined();
  });

  it('works where INFO is not permitted', async () => {
    await place.server.ask('ACL', 'SETUSER', 'limited', 'on', 'nopass', '~*', '+@all', '-info');
    const limited = await nodeRedis(place.server);
    await limited.auth({ username: 'limited', password: '' });
    const [key = ''] = apiKeys(1);
    const context = { run: scriptRunner(limited), settings: leaseSettings({ ttl: 500 }), clock: machineClock };
    const own = new KeyRecord(key, { ...context, source: () => 'own' });
    expect(await own.acquire(0)).toMatchObject({ refusal: { reason: 'doubt' } });
    await sleep(510);
    const lease = await granted(own);
    expect(await own.renew(lease)).toMatchObject({ isWaiting: false });
    const other = new KeyRecord(key, { ...context, source: () => 'other' });
    expect(await other.acquire(0)).toMatchObject({ refusal: { reason: 'taken' } });
    await own.release(lease);
    expect((await other.acquire(0)).lease).toBeDefined();
    limited.destroy();
  });
});
