import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NodeRedisClient, redisKeyLeases } from 'partner-sdk/redis';
import { expect, it } from 'vitest';
import { nodeRedis, RedisServer } from '../support/redis.js';
import { apiKeys, type FullSource } from './support/sources.js';

const SECONDS = 10;
const TTL = 900;
const OPTIONS = { ttl: TTL, acquireTimeout: 3_000 };

const dice = (sides: number) => Math.floor(Math.random() * sides);

/** Sees to it that an API key is used by the latest of its holders only, and that its nonces rise. */
class Referee {
  readonly violations: string[] = [];
  draws = 0;
  readonly #keys: Map<string, { floor: bigint; nonce: bigint }>;

  constructor(keys: readonly string[]) {
    this.#keys = new Map(keys.map((key) => [key, { floor: 0n, nonce: 0n }]));
  }

  /** A nonce was drawn under the lease that began at this floor. */
  drawn(player: string, key: string, nonce: bigint, floor: bigint): void {
    const latest = this.#keys.get(key) ?? { floor: 0n, nonce: 0n };
    this.draws++;
    if (floor < latest.floor) this.violations.push(`${player}: another has held it since`);
    if (nonce <= latest.nonce) this.violations.push(`${player}: a nonce that does not rise`);
    this.#keys.set(key, { floor, nonce });
  }
}

function recordOf(apiKey: string): string {
  return `partner-sdk:{${createHash('sha256').update(apiKey).digest('hex').slice(0, 32)}}`;
}

/** A client that notes, for each record, where the lease begins that Redis gives. */
function noting(client: NodeRedisClient, floors: Map<string, bigint>): NodeRedisClient {
  return {
    eval: async (script, options) => {
      const reply = await client.eval(script, options);
      if (Array.isArray(reply) && reply[0] === 'granted') floors.set(options.keys[0] ?? '', BigInt(String(reply[1])));
      return reply;
    },
  };
}

// By chance, on top of the tests of each case: not every run meets every one.
it('an API key has one holder at a time, whatever happens to processes and to Redis', { timeout: 180_000 }, async ({
  onTestFinished,
}) => {
  const server = await RedisServer.start();
  onTestFinished(() => server.stop());
  const end = performance.now() + SECONDS * 1_000;
  const keys = apiKeys(2);
  const referee = new Referee(keys);

  /** One process after another in the same place: some are closed, some die without a word. */
  const play = async (place: number) => {
    for (let life = 0; performance.now() < end; life++) {
      const client = await nodeRedis(server);
      const floors = new Map<string, bigint>();
      const options = { ...OPTIONS, keysPerProcess: 1 + dice(2), turn: 20 + dice(2) * 200 };
      const source = redisKeyLeases(noting(client, floors), options) as FullSource;
      source.open(keys);
      for (let rounds = dice(400); rounds > 0 && performance.now() < end; rounds--) {
        try {
          // Some calls are bound to an API key: they do not ask which ones are usable.
          const usable = dice(2) === 0 ? await source.usable(keys) : keys;
          const key = usable[dice(usable.length)] ?? '';
          const nonce = await source.next(key);
          referee.drawn(`process ${place}.${life}`, key, nonce, floors.get(recordOf(key)) ?? -1n);
          setTimeout(() => source.done(key, nonce), dice(10) === 0 ? dice(200) : dice(5));
          if (dice(3) === 0) await sleep(dice(20));
        } catch {
          await sleep(20);
        }
      }
      if (dice(4) > 0) await source.close(keys);
      client.destroy();
    }
  };

  const troubles = [
    () => server.kill().then(() => server.revive({ data: false })),
    () => server.kill().then(() => server.revive({ data: true })),
    () => server.ask('SAVE'),
    () => server.ask('FLUSHALL'),
    () => server.ask('CLIENT', 'KILL', 'TYPE', 'normal').catch(() => {}),
    async () => {
      server.pause();
      await sleep(dice(TTL * 1.5));
      server.resume();
    },
  ];
  const makeTrouble = async () => {
    while (performance.now() < end - 2_000) {
      await sleep(200 + dice(TTL));
      await troubles[dice(troubles.length)]?.();
    }
  };

  await Promise.all([...Array.from({ length: 6 }, (_, place) => play(place)), makeTrouble()]);
  expect(referee.violations).toEqual([]);
  expect(referee.draws).toBeGreaterThan(100);
});
