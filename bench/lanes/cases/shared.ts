import { RedisServer } from '../../../test/support/redis.js';
import type { Scale } from '../../scenarios.js';
import { Backend, OVER_HTTP2 } from '../backend.js';
import { sum, target } from '../figures.js';
import { type Drive, drive, type Member } from '../fleet.js';
import { reportFleets } from './leases.js';

const PROCESSES = 8;
const KEYS = 4;
const CALLERS = 8;

/** Eight processes send with four API keys through `redisNonces`, against eight that know nothing of each other. */
export async function shared({ rounds, seconds }: Scale): Promise<void> {
  const redis = await RedisServer.start();
  const backend = await Backend.start(OVER_HTTP2);
  const turns = { url: redis.url, source: 'nonces', keysPerProcess: KEYS } as const;
  const variants: Readonly<Record<string, Partial<Member>>> = { redisNonces: { redis: turns }, unshared: {} };
  const results = new Map<string, Drive[]>(Object.keys(variants).map((name) => [name, []]));
  for (let index = 0; index < rounds; index++) {
    for (const [prefix, variant] of Object.entries(variants)) {
      const apiKeys = Array.from({ length: KEYS }, (_, key) => `${prefix}-${key}`);
      const member: Member = { address: backend.address, apiKeys, callers: CALLERS, ...variant };
      const members = Array.from({ length: PROCESSES }, () => member);
      results.get(prefix)?.push(await drive(members, seconds(5), { backend, redis, prefix }));
    }
  }
  await backend.stop();
  await redis.stop();
  reportFleets(results, 'unshared');
  const through = results.get('redisNonces') ?? [];
  target('no refusal, no failure', sum(through.map(({ refused, failures }) => refused + failures)) === 0);
}
