import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
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
  const [key = ''] = await source.usable([...keys]);
  await source.next(key);
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
  const leases = sourcesOf(place);

  it('draw at once while they last, and ask Redis only to renew', async () => {
    const { keys, key } = oneKey(place);
    const source = await holding(leases(), keys);
    let last = issued(source, key);
    const before = await place.server.scripts();
    for (let draw = 0; draw < 10_000; draw++) {
      const nonce = issued(source, key);
      expect(nonce > last).toBe(true);
      last = nonce;
    }
    expect((await place.server.scripts()) - before).toBeLessThan(100);
    await source.close(keys);
  });

  it('go on while nobody else waits', async () => {
    const { keys, key } = oneKey(place);
    const source = leases({ turn: 20 });
    source.open(keys);
    onTestFinished(() => source.close(keys));
    await holding(source, keys);
    for (let round = 0; round < 30; round++) {
      await sleep(5);
      source.done(key, issued(source, key));
    }
  });

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
    expect(new Set(await other.usable([a, b, c]))).toEqual(new Set([a, b]));
    await Promise.all([source.close([c]), other.close([a, b, c])]);
  });

  it('count an API key for every client that has it', async () => {
    const [a = '', b = '', c = ''] = place.take(3);
    const source = leases();
    await holding(source, [b]);
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

  it('of an API key that Redis does not know are given only after ttl: it may have forgotten the holder', async () => {
    const keys = apiKeys(1);
    const begun = performance.now();
    const source = await holding(leases({ ttl: 1_200 }), keys);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_190);
    await source.close(keys);
  });

  it('are given back when the client is closed while Redis is asked for them', async () => {
    const keys = place.take(1);
    const source = leases();
    const refused = rejection(source.next(keys[0] ?? ''));
    await source.close(keys);
    await refused;
    const heir = await holding(leases({ acquireTimeout: 5_000 }), keys);
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
