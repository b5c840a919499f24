import { inspect } from 'node:util';
import { redisKeyLeases, redisNonces } from 'partner-sdk/redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeRedis, type RedisServer } from '../support/redis.js';
import { until, watch } from '../support/until.js';
import { type FullSource, LONG, NODE_REDIS, placeOf, rejection, sleep, sourcesOf } from './support/sources.js';

type Options = Parameters<typeof redisNonces>[1];

describe('turns on shared API keys', () => {
  const place = placeOf(NODE_REDIS, 20);
  const nonces = sourcesOf(redisNonces, place);

  /** A source that is open for an API key of its own until the test ends. */
  function begin(options?: Options) {
    const [key = ''] = place.take(1);
    const source = nonces(options);
    source.open([key]);
    onTestFinished(() => source.close([key]));
    return { key, source };
  }

  /** A source whose turn has begun, with a nonce that is not answered yet. */
  async function begun(options?: Options) {
    const { key, source } = begin(options);
    return { key, holder: source, nonce: await source.next(key) };
  }

  it('draw at once while they last, without asking Redis', async () => {
    const { key, source } = begin();
    let last = await source.next(key);
    const before = await place.server.scripts();
    for (let draw = 0; draw < 10_000; draw++) {
      const nonce = source.next(key);
      if (typeof nonce !== 'bigint') throw new Error('it asked Redis');
      expect(nonce > last).toBe(true);
      last = nonce;
    }
    // Whether others wait is asked now and then.
    expect((await place.server.scripts()) - before).toBeLessThan(100);
  });

  it('are given in the order in which processes asked', async () => {
    const { key, holder, nonce: held } = await begun();
    const order: number[] = [];
    const sources: FullSource[] = [];
    const waits: Promise<void>[] = [];
    for (let index = 0; index < 4; index++) {
      const source = nonces();
      sources.push(source);
      waits.push(Promise.resolve(source.next(key)).then(() => void order.push(index)));
      await until(async () => (await waitersOf(place.server)) === index + 1);
    }
    holder.done(key, held);
    await Promise.all(waits);
    expect(order).toEqual([0, 1, 2, 3]);
    await Promise.all(sources.map((source) => source.close([key])));
  });

  it('leave out those that have gone while they waited', async () => {
    const { key, holder, nonce: held } = await begun();
    const gone = await nodeRedis(place.server);
    const lost = rejection(nonces({}, gone).next(key));
    await until(async () => (await waitersOf(place.server)) === 1);
    gone.destroy();
    const next = nonces().next(key);
    await until(async () => (await waitersOf(place.server)) === 2);
    holder.done(key, held);
    expect((await next) > held).toBe(true);
    await lost;
  });

  it('end when their time is up and others wait, also in a process that never stops sending', async () => {
    const { key, source: busy } = begin();
    const pending = new Set<bigint>();
    let sending = true;
    const send = async () => {
      while (sending) {
        const nonce = await busy.next(key);
        pending.add(nonce);
        await sleep(10);
        pending.delete(nonce);
        busy.done(key, nonce);
      }
    };
    const senders = [send(), send(), send(), send()];
    await sleep(100);
    for (let round = 0; round < 3; round++) {
      const other = nonces();
      await other.next(key);
      expect(pending.size).toBe(0);
      await other.close([key]);
    }
    sending = false;
    await Promise.all(senders);
  });

  it('go on while nobody else waits', async () => {
    const { key, source } = begin({ turn: 20 });
    let last = await source.next(key);
    for (let round = 0; round < 30; round++) {
      await sleep(5);
      const nonce = source.next(key);
      expect(typeof nonce).toBe('bigint');
      source.done(key, last);
      last = await nonce;
    }
  });

  it('are renewed while any answer is outstanding, for longer than ttl', async () => {
    const { key, holder: one, nonce } = await begun({ ttl: 500 });
    const later = await one.next(key);
    const other = nonces({ ttl: 500 }).next(key);
    const waiting = watch(other);
    await sleep(750);
    one.done(key, later);
    await sleep(750);
    expect(waiting.settled).toBe(false);
    one.done(key, nonce);
    expect((await other) > later).toBe(true);
  });

  it('wait no longer than 5 s for an answer', async () => {
    const { key, holder: one, nonce } = await begun();
    expect((await nonces().next(key)) > nonce).toBe(true);
    // It comes after all, and changes nothing.
    one.done(key, nonce);
  });

  it('come again for those who wait when the last one ends', async () => {
    const { key, holder: one, nonce: sent } = await begun({ turn: 20 });
    const other = nonces().next(key);
    await until(async () => (await waitersOf(place.server)) === 1);
    const drawn = [sent];
    let waiting = one.next(key);
    while (typeof waiting === 'bigint') {
      drawn.push(waiting);
      await sleep(5);
      waiting = one.next(key);
    }
    for (const nonce of drawn) one.done(key, nonce);
    expect((await other) > (drawn.at(-1) ?? 0n)).toBe(true);
    expect((await waiting) > (await other)).toBe(true);
  });

  it('are given back when there is nothing to send', async () => {
    // Not only when the question is due whether others wait.
    const { key, source } = begin({ turn: 20_000 });
    const nonce = await source.next(key);
    source.done(key, nonce);
    const records = async () => [...(await place.server.records()).values()];
    const given = async () => (await records()).find((fields) => fields.get('ceiling') === String(nonce));
    await until(async () => (await given()) !== undefined);
    expect((await given())?.get('holder')).toBe('');
  });

  it('are given back when nobody wants them any more', async () => {
    const { key, holder, nonce: held } = await begun();
    const source = nonces({ acquireTimeout: 200 });
    source.open([key]);
    expect((await rejection(source.next(key))).message).toMatch(/no turn .* within 200 ms \(acquireTimeout\)/);
    holder.done(key, held);
    expect((await nonces().next(key)) > held).toBe(true);
    await source.close([key]);
  });

  it('end at once when the client is closed, and refuse callers that wait', async () => {
    const { key, holder, nonce } = await begun();
    const source = nonces();
    source.open([key]);
    const refused = rejection(source.next(key));
    await source.close([key]);
    expect((await refused).message).toMatch(/closed/);
    expect(await waitersOf(place.server)).toBe(0);
    await holder.close([key]);
    expect((await nonces().next(key)) > nonce).toBe(true);
  });

  it('answer callers of one process in order', async () => {
    const [key = ''] = place.take(1);
    const source = nonces();
    const drawn = await Promise.all(Array.from({ length: 20 }, () => source.next(key)));
    expect(drawn).toEqual([...drawn].sort());
    expect(new Set(drawn).size).toBe(20);
    await source.close([key]);
  });

  it('are not asked for the same API key only: each has its own', async () => {
    const [a = '', b = ''] = place.take(2);
    const holder = nonces();
    holder.open([a, b]);
    await holder.next(a);
    const other = nonces();
    expect(typeof (await other.next(b))).toBe('bigint');
    await Promise.all([holder.close([a, b]), other.close([b])]);
  });

  it('exclude leases of the same API key', async () => {
    const { key, holder, nonce } = await begun();
    const leases = redisKeyLeases(place.client, { ttl: LONG, acquireTimeout: 15_000 }) as FullSource;
    const usable = leases.usable([key]);
    const waiting = watch(usable);
    await sleep(300);
    expect(waiting.settled).toBe(false);
    holder.done(key, nonce);
    await usable;
    expect((await leases.next(key)) > nonce).toBe(true);
    await leases.close([key]);
  });

  it('show no API key, neither in logs nor in Redis', async () => {
    const [key = ''] = place.take(1);
    const source = nonces();
    await source.next(key);
    const shown =
      inspect(source, { depth: 9, showHidden: true }) + JSON.stringify(source) + (await place.server.ask('KEYS', '*'));
    expect(shown).not.toContain(key);
    await source.close([key]);
  });
});

/** How many processes wait for a turn, as the records show it. */
async function waitersOf(server: RedisServer): Promise<number> {
  const records = [...(await server.records()).values()];
  return records.flatMap((fields) => [...fields.keys()]).filter((field) => field.startsWith('w:')).length;
}
