import type { RedisKeyLeasesOptions } from 'partner-sdk/redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeRedis } from '../support/redis.js';
import { until, watch } from '../support/until.js';
import { type FullSource, NODE_REDIS, placeOf, rejection, sleep, sourcesOf } from './support/sources.js';

describe('an API key that another process waits for', () => {
  const place = placeOf(NODE_REDIS, 40);
  const leases = sourcesOf(place);

  /** A source that is open for API keys until the test ends. */
  function opened(keys: readonly string[], options?: RedisKeyLeasesOptions, client = place.client): FullSource {
    const source = leases(options, client);
    source.open(keys);
    onTestFinished(() => source.close(keys));
    return source;
  }

  /** A source that holds an API key, with a nonce that is not answered yet. */
  async function held(options?: RedisKeyLeasesOptions) {
    const [key = ''] = place.take(1);
    const holder = opened([key], options);
    return { key, holder, nonce: await holder.next(key) };
  }

  /** How many processes wait, as the records show it. */
  async function waiters(): Promise<number> {
    const records = [...(await place.server.records()).values()];
    return records.flatMap((fields) => [...fields.keys()]).filter((field) => field.startsWith('w:')).length;
  }

  /** Holds so many of the API keys, and has used them. */
  async function holding(keys: readonly string[], count: number): Promise<FullSource> {
    const source = opened(keys, { keysPerProcess: count });
    await source.usable(keys);
    await until(() => (source.usable(keys) as string[]).length === count);
    for (const key of await source.usable(keys)) source.done(key, await source.next(key));
    return source;
  }

  /** The API key of a call, once there is one, and its nonce. */
  async function call(source: FullSource, keys: readonly string[]) {
    const [key = ''] = await source.usable(keys);
    return { key, nonce: await source.next(key) };
  }

  it('is handed on in the order in which processes asked', async () => {
    const { key, holder, nonce: first } = await held();
    const order: number[] = [];
    const waits: Promise<void>[] = [];
    for (let index = 0; index < 4; index++) {
      const source = opened([key]);
      const turn = Promise.resolve(source.next(key)).then((nonce) => {
        order.push(index);
        source.done(key, nonce);
      });
      waits.push(turn);
      await until(async () => (await waiters()) === index + 1);
    }
    holder.done(key, first);
    await Promise.all(waits);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('is not kept for those that have gone while they waited', async () => {
    const { key, holder, nonce: first } = await held();
    const gone = await nodeRedis(place.server);
    const lost = rejection(leases({}, gone).next(key));
    await until(async () => (await waiters()) === 1);
    gone.destroy();
    const next = opened([key]).next(key);
    await until(async () => (await waiters()) === 2);
    holder.done(key, first);
    expect((await next) > first).toBe(true);
    await lost;
  });

  it('comes from a process that never stops sending, once the turn is over and all is answered', async () => {
    const [key = ''] = place.take(1);
    const busy = opened([key]);
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
      const other = leases();
      await other.next(key);
      expect(pending.size).toBe(0);
      await other.close([key]);
    }
    sending = false;
    await Promise.all(senders);
  });

  it('comes from an idle holder soon, also if nobody has waited for long', async () => {
    const { key, holder, nonce } = await held({ ttl: 3_000 });
    holder.done(key, nonce);
    await sleep(3_000);
    expect(holder.next(key)).toBeTypeOf('bigint');
    await holder.close([key]);
    const again = opened([key], { ttl: 3_000 });
    again.done(key, await again.next(key));
    await sleep(2_000);
    const asked = performance.now();
    await opened([key]).next(key);
    expect(performance.now() - asked).toBeLessThan(1_200);
  });

  it('is given back without being asked for when nothing is sent: others waited for it lately', async () => {
    const { key, holder, nonce } = await held();
    const other = opened([key]);
    const waiting = other.next(key);
    await until(async () => (await waiters()) === 1);
    holder.done(key, nonce);
    const last = await waiting;
    other.done(key, last);
    const given = async () => [...(await place.server.records()).values()].map((fields) => fields.get('ceiling'));
    await until(async () => (await given()).includes(String(last)));
    // So the next one is there at once, although no holder asks Redis whether anybody waits.
    const asked = performance.now();
    await holder.next(key);
    expect(performance.now() - asked).toBeLessThan(500);
  });

  it('is renewed while any answer is outstanding, for longer than ttl', async () => {
    const { key, holder, nonce } = await held({ ttl: 500 });
    const later = await holder.next(key);
    const other = opened([key], { ttl: 500 }).next(key);
    const waiting = watch(other);
    await sleep(750);
    holder.done(key, later);
    await sleep(750);
    expect(waiting.settled).toBe(false);
    holder.done(key, nonce);
    expect((await other) > later).toBe(true);
  });

  it('waits no longer than 5 s for an answer', async () => {
    const { key, holder, nonce } = await held();
    expect((await opened([key]).next(key)) > nonce).toBe(true);
    // It comes after all, and changes nothing.
    holder.done(key, nonce);
  });

  it('comes back to calls of the former holder that wait', async () => {
    const { key, holder, nonce: sent } = await held({ turn: 20 });
    const source = opened([key]);
    const other = source.next(key);
    const drawn = [sent];
    let waiting = holder.next(key);
    while (typeof waiting === 'bigint') {
      drawn.push(waiting);
      await sleep(5);
      waiting = holder.next(key);
    }
    for (const nonce of drawn) holder.done(key, nonce);
    expect((await other) > (drawn.at(-1) ?? 0n)).toBe(true);
    source.done(key, await other);
    expect((await waiting) > (await other)).toBe(true);
  });

  it('is waited for no longer than acquireTimeout, and the place in the queue is left', async () => {
    const { key, holder, nonce } = await held();
    const error = await rejection(opened([key], { acquireTimeout: 200 }).next(key));
    expect(error.message).toMatch(/no API key was available for this call within 200 ms \(acquireTimeout\)/);
    await until(async () => (await waiters()) === 0);
    holder.done(key, nonce);
    expect((await opened([key]).next(key)) > nonce).toBe(true);
  });

  it('is free at once when the client is closed, and callers that wait are refused', async () => {
    const { key, holder, nonce } = await held();
    const source = opened([key]);
    const refused = rejection(source.next(key));
    await source.close([key]);
    expect((await refused).message).toMatch(/closed/);
    expect(await waiters()).toBe(0);
    await holder.close([key]);
    expect((await opened([key]).next(key)) > nonce).toBe(true);
    // The Redis client stays open.
    expect(await place.client.eval('return 1', { keys: [], arguments: [] })).toBe(1);
  });

  it('is one that its holder can do without: a process with none gets it, and those with one keep theirs', async () => {
    const keys = place.take(4);
    const one = await holding(keys, 1);
    const [own = ''] = one.usable(keys) as string[];
    const greedy = await holding(keys, 3);
    // The flags in the records are as old as the last renewal.
    await sleep(300);
    const poor = opened(keys);
    const { key, nonce } = await call(poor, keys);
    expect(key).not.toBe(own);
    poor.done(key, nonce);
    expect(one.usable(keys)).toEqual([own]);
    expect((greedy.usable(keys) as string[]).sort()).toEqual(
      keys.filter((other) => other !== own && other !== key).sort(),
    );
    // The one that wants more does not take it back.
    for (let round = 0; round < 20; round++) {
      await Promise.all([call(poor, keys), call(greedy, keys)]).then(([its, others]) => {
        poor.done(its.key, its.nonce);
        greedy.done(others.key, others.nonce);
        expect(its.key).toBe(key);
      });
      await sleep(10);
    }
  });

  it('is the one with the shortest queue if nobody can do without', async () => {
    const keys = place.take(2);
    const holders = [await holding(keys, 1), await holding(keys, 1)];
    const held = await Promise.all(holders.map((holder) => call(holder, keys)));
    const waiting = [];
    for (const count of [1, 2]) {
      waiting.push(call(opened(keys), keys));
      await until(async () => (await waiters()) === count);
    }
    holders.forEach((holder, index) => void holder.done(held[index]?.key ?? '', held[index]?.nonce ?? 0n));
    const taken = await Promise.all(waiting);
    expect(new Set(taken.map(({ key }) => key)).size).toBe(2);
  });

  it('is used for the call that waited for it alone, if the process holds another one', async () => {
    const keys = place.take(2);
    const holder = await holding(keys, 1);
    const [wanted = ''] = holder.usable(keys) as string[];
    const source = await holding(keys, 1);
    const own = source.usable(keys);
    const nonce = await source.next(wanted);
    expect(source.usable(keys)).toEqual(own);
    source.done(wanted, nonce);
    const back = await holder.next(wanted);
    expect(back > nonce).toBe(true);
    holder.done(wanted, back);
    expect(source.usable(keys)).toEqual(own);
  });
});
