import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldKey } from '../../src/redis/held-key.js';
import { KeyRecord } from '../../src/redis/key-record.js';
import type { Lease } from '../../src/redis/lease.js';
import { leaseSettings } from '../../src/redis/options.js';
import { ACQUIRE, RELEASE, RENEW } from '../../src/redis/scripts.js';
import { rejection } from './support/sources.js';
import { TestClock } from './support/test-clock.js';

const TTL = 900;
const GRANTED = ['granted', '1700000000000000000', '1700000000900000000', '1700000000900', '0', '1000000000000'];

/** A Redis that answers each script in its own way, in its own time. */
class ScriptedRedis {
  readonly clock = new TestClock();
  readonly scripts: string[] = [];
  /** Milliseconds until it answers, on the test's clock. */
  takes = 0;
  readonly answers = new Map<string, unknown>([
    [ACQUIRE, GRANTED],
    [RENEW, ['renewed', '1800000000000000000', '1700000009000', '0', '1000000000000']],
    [RELEASE, ['released']],
  ]);

  readonly record = new KeyRecord('key', {
    run: async (script) => {
      this.scripts.push(script);
      this.clock.pass(this.takes);
      return this.answers.get(script);
    },
    settings: leaseSettings({ ttl: TTL }),
    clock: this.clock,
    source: () => 'source',
  });

  async lease(): Promise<Lease> {
    const { lease } = await this.record.acquire(0);
    if (lease === undefined) throw new Error('it was refused');
    return lease;
  }
}

/** Expects that the lease ends in so many milliseconds. */
function expectLeft(lease: Lease, clock: TestClock, ms: number): void {
  clock.pass(ms - 1);
  expect(lease.isValid()).toBe(true);
  clock.pass(1);
  expect(lease.isValid()).toBe(false);
}

describe('an answer of Redis', () => {
  it('that took its time leaves less of the lease: it counts from before the question', async () => {
    const redis = new ScriptedRedis();
    redis.takes = 500;
    const lease = await redis.lease();
    expectLeft(lease, redis.clock, 220);
  });

  it('to a renewal counts from before the question, too', async () => {
    const redis = new ScriptedRedis();
    const lease = await redis.lease();
    redis.takes = 500;
    await redis.record.renew(lease);
    expectLeft(lease, redis.clock, 220);
  });

  it('that came while this process stood still is read, though the time for it is over', async () => {
    const clock = new TestClock();
    const run = () => new Promise((resolve) => setImmediate(() => resolve(GRANTED)));
    const record = new KeyRecord('key', { run, settings: leaseSettings({ ttl: TTL }), clock, source: () => 'source' });
    // From here on the loop comes to its timers before it comes to the reply.
    await new Promise((resolve) => setImmediate(resolve));
    const asked = record.acquire(0);
    for (const end = performance.now() + TTL; performance.now() < end; );
    expect((await asked).lease?.isValid()).toBe(true);
  });

  it('that leaves nothing of the lease is a failure, and the lease is given back', async () => {
    const redis = new ScriptedRedis();
    redis.takes = 720;
    expect((await rejection(redis.record.acquire(0))).message).toMatch(/nothing was left of the ttl \(900 ms\)/);
    expect(redis.scripts).toEqual([ACQUIRE, RELEASE]);
  });

  it('that gives nonces more than a day ahead of both clocks is refused: they would use up the API key', async () => {
    const now = new TestClock().wallNow;
    const DAY = 86_400_000;
    /** A floor so many ms ahead of the machine's clock, from a Redis whose clock is ahead by so many ms. */
    const answer = async (floor: bigint, redisAhead = 0): Promise<unknown> => {
      const redis = new ScriptedRedis();
      redis.answers.set(ACQUIRE, [
        'granted',
        String(floor),
        String(floor + 1n),
        String(now + redisAhead + TTL),
        '0',
        '0',
      ]);
      const outcome = await redis.record.acquire(0).then(
        ({ lease }) => lease?.floor,
        (error: Error) => error.message,
      );
      expect(redis.scripts).toEqual(typeof outcome === 'bigint' ? [ACQUIRE] : [ACQUIRE, RELEASE]);
      return outcome;
    };
    const nanoseconds = (ms: number) => BigInt(ms) * 1_000_000n;
    expect(await answer(nanoseconds(now + DAY))).toBe(nanoseconds(now + DAY));
    expect(await answer(nanoseconds(now + DAY + 1))).toMatch(/more than a day ahead/);
    expect(await answer(2n ** 63n)).toMatch(/partner-sdk:\{\w+\} in Redis.*9223372036854775808.*delete the record/);
    expect(await answer(nanoseconds(now + DAY + 1), 1)).toBe(nanoseconds(now + DAY + 1));
    expect(await answer(nanoseconds(now + 3 * DAY), DAY)).toMatch(/more than a day ahead/);
  });

  it.each([
    ['no list', 'OK'],
    ['an unknown word', ['given', '1', '2', '3', '0']],
    ['no numbers', ['granted', 'x', 'y', 'z', '0']],
    ['an unknown reason', ['wait', '10', 'mood', '0']],
  ])('that is %s is told of', async (_, answer) => {
    const redis = new ScriptedRedis();
    redis.answers.set(ACQUIRE, answer);
    const error = await rejection(redis.record.acquire(0));
    expect(String(error.cause ?? error)).toMatch(/a reply that partner-sdk\/redis does not know/);
  });
});

describe('an API key that is held', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Held while nobody else wants it, on clocks that go on with the timers. */
  async function held() {
    const redis = new ScriptedRedis();
    const onOver = vi.fn();
    const key = new HeldKey({
      lease: await redis.lease(),
      demand: { isWaiting: false, quietFor: 1e12 },
      isExtra: false,
      record: redis.record,
      settings: leaseSettings({ ttl: TTL }),
      clock: redis.clock,
      isSpare: () => false,
      onOver,
    });
    const pass = async (milliseconds: number) => {
      for (let step = 0; step < milliseconds; step += 5) {
        redis.clock.pass(5);
        await vi.advanceTimersByTimeAsync(5);
      }
    };
    return { redis, key, onOver, pass };
  }

  it('by another by now, as its renewal tells, is not used any more, though its time is not over', async () => {
    const { redis, key, onOver, pass } = await held();
    expect(key.issue(true)).toBeTypeOf('bigint');
    redis.answers.set(RENEW, ['lost']);
    await pass(55);
    expect(onOver).toHaveBeenCalledExactlyOnceWith('lost');
    expect(key.issue(true)).toBeUndefined();
    expect(redis.scripts).toEqual([ACQUIRE, RENEW]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is renewed ever more seldom while nobody waits, but every third of ttl, and no more once it is given back', async () => {
    const { redis, key, pass } = await held();
    const renewals = () => redis.scripts.filter((script) => script === RENEW).length;
    await pass(1_000);
    expect(renewals()).toBeGreaterThan(8);
    await pass(9_000);
    const before = renewals();
    await pass(TTL * 2);
    expect(renewals() - before).toBe(6);
    await key.giveBack('idle');
    await pass(TTL * 2);
    expect(renewals() - before).toBe(6);
  });
});
