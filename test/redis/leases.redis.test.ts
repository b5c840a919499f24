import { inspect } from 'node:util';
import { redisKeyLeases } from 'partner-sdk/redis';
import { describe, expect, it } from 'vitest';
import { nodeRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import {
  apiKeys,
  type FullSource,
  NODE_REDIS,
  oneKey,
  placeOf,
  rejection,
  sleep,
  sourcesOf,
} from './support/sources.js';

/** The source, once it holds one of these API keys. */
async function holding(source: FullSource, keys: readonly string[]): Promise<FullSource> {
  await source.usable([...keys]);
  return source;
}

/** The source issues a nonce, at once. */
function issued(source: FullSource, apiKey: string): bigint {
  const nonce = source.next(apiKey);
  if (typeof nonce !== 'bigint') throw new Error('the API key is not held');
  return nonce;
}

describe('leases of API keys', () => {
  const place = placeOf(NODE_REDIS, 30);
  const leases = sourcesOf(redisKeyLeases, place);

  it('tell whether another process has begun to use the API key since', async () => {
    const { keys, key } = oneKey(place);
    const one = await holding(leases(), keys);
    const nonce = issued(one, key);
    expect(await one.overtaken(key, nonce)).toBe(false);
    await one.close(keys);
    expect(await one.overtaken(key, nonce)).toBe(false);
    const other = await holding(leases(), keys);
    expect(await one.overtaken(key, nonce)).toBe(true);
    expect(await other.overtaken(key, issued(other, key))).toBe(false);
    await other.close(keys);
  });

  it('serve clients with different API keys from one source, each until it is closed', async () => {
    const [a = '', b = '', c = ''] = place.take(3);
    const source = leases();
    const other = leases({ keysPerProcess: 3 });
    source.open([a, b]);
    source.open([c]);
    const [first] = await Promise.all([source.usable([a, b]), source.usable([c])]);
    expect(first).toHaveLength(1);
    expect(source.usable([c])).toEqual([c]);
    await source.close([a, b]);
    expect(source.usable([c])).toEqual([c]);
    await other.usable([a, b, c]);
    await until(() => (other.usable([a, b, c]) as string[]).length === 2);
    expect(other.usable([a, b, c])).toEqual([a, b]);
    await Promise.all([source.close([c]), other.close([a, b, c])]);
  });

  it('count an API key for every client that has it', async () => {
    const [a = '', b = '', c = ''] = place.take(3);
    const source = leases();
    expect(await source.usable([b])).toEqual([b]);
    expect(source.usable([a, b])).toEqual([b]);
    expect(source.usable([c, b])).toEqual([b]);
    await source.close([b]);
    expect(source.usable([a, b])).toEqual([b]);
    await source.close([a, b]);
    await source.close([b, c]);
    const heir = leases();
    expect(await heir.usable([b])).toEqual([b]);
    await heir.close([b]);
  });

  it('are found in the background when they become free', async () => {
    const keys = place.take(2);
    const one = leases({ ttl: 900 });
    const other = leases({ ttl: 900, keysPerProcess: 2 });
    await one.usable(keys);
    expect(await other.usable(keys)).toHaveLength(1);
    await sleep(300);
    expect(other.usable(keys)).toHaveLength(1);
    await one.close(keys);
    await until(() => (other.usable(keys) as string[]).length === 2);
    await other.close(keys);
  });

  it('are looked for at once when a call needs one, also while others are waited for in the background', async () => {
    const [a = '', b = '', c = ''] = place.take(3);
    const other = await holding(leases(), [b]);
    const source = leases({ keysPerProcess: 2, acquireTimeout: 10_000 });
    expect(await source.usable([a, b])).toEqual([a]);
    await sleep(300);
    expect(await source.usable([c])).toEqual([c]);
    await Promise.all([source.close([a, b]), source.close([c]), other.close([b])]);
  });

  it('give nonces of an API key that nobody asked to use before, once it is held', async () => {
    const [key = ''] = place.take(1);
    const source = leases();
    const nonces = await Promise.all([source.next(key), source.next(key), source.next(key)]);
    expect(nonces).toEqual([...nonces].sort());
    expect(new Set(nonces).size).toBe(3);
    expect(issued(source, key) > (nonces[2] ?? 0n)).toBe(true);
    await source.close([key]);
  });

  it('refuse a nonce of an API key that another process has taken over, and use another one in its place', async () => {
    const [lost = '', spare = ''] = place.take(2);
    const unsteady = await nodeRedis(place.server);
    const source = leases({ ttl: 600 }, unsteady);
    expect(await source.usable([lost])).toEqual([lost]);
    const both = [lost, spare];
    source.open(both);
    expect(source.usable(both)).toEqual([lost]);
    unsteady.destroy();
    const thief = await holding(leases({ ttl: 600 }), [lost]);
    await unsteady.connect();
    expect(await source.usable(both)).toEqual([spare]);
    expect((await rejection(source.next(lost))).message).toMatch(/does not hold the API key of this call any more/);
    issued(source, spare);
    unsteady.destroy();
    await Promise.all([source.close(both), source.close([lost]), thief.close([lost])]);
  });

  it('of an API key that Redis does not know are given only after ttl: it may have forgotten the holder', async () => {
    const keys = apiKeys(1);
    const begun = performance.now();
    const source = await holding(leases({ ttl: 1_200 }), keys);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_190);
    await source.close(keys);
  });

  it('refuse callers that wait when their client is closed, and leave the Redis client open', async () => {
    const keys = place.take(1);
    const holder = await holding(leases(), keys);
    const source = leases();
    const refused = rejection(source.usable(keys));
    await source.close(keys);
    expect((await refused).message).toMatch(/closed/);
    await holder.close(keys);
    expect(await place.client.eval('return 1', { keys: [], arguments: [] })).toBe(1);
  });

  it('are given back when the client is closed while Redis is asked for them', async () => {
    const keys = place.take(1);
    const source = leases();
    const refused = rejection(source.usable(keys));
    await source.close(keys);
    await refused;
    const heir = leases({ acquireTimeout: 5_000 });
    expect(await heir.usable(keys)).toEqual(keys);
    await heir.close(keys);
  });

  it('show no API key, neither in logs nor in Redis', async () => {
    const { keys, key } = oneKey(place);
    const source = await holding(leases(), keys);
    const shown =
      inspect(source, { depth: 9, showHidden: true }) + JSON.stringify(source) + (await place.server.ask('KEYS', '*'));
    expect(shown).not.toContain(key);
    await source.close(keys);
  });
});
