import { ConfigurationError } from '../partner-error.js';
import { checkOptions, MILLISECONDS, type Rules, rule } from '../util/options.js';
import { processName, type RedisClient, scriptRunner } from './client.js';

/** Options of `redisReplayGuard()`. An unknown or wrong one throws a `ConfigurationError`. */
export interface RedisReplayGuardOptions {
  /**
   * Key prefix in Redis; the event's `deliveryId` follows. Each endpoint needs its own, because two
   * endpoints may get the same event. Default `partner-sdk:webhook:`.
   */
  readonly prefix?: string | undefined;
  /** Time in ms for which a handled event is stored. Default 604,800,000 (7 days). */
  readonly ttl?: number | undefined;
  /**
   * The longest time in ms that your function takes. If the process dies meanwhile, the event can
   * be handled again after this time. A function that takes longer may run beside a second one for
   * the same event. Default 60,000, because the service waits 30,000 for a response.
   */
  readonly handlingTtl?: number | undefined;
}

/** A replay guard in Redis, for the option `guard` of webhook handlers. */
export interface RedisReplayGuard {
  seen(id: string): Promise<boolean | 'handling'>;
  handled(id: string): Promise<void>;
  forget(id: string): Promise<void>;
}

const RULES = {
  prefix: { ...rule((value) => typeof value === 'string', 'must be a string'), default: 'partner-sdk:webhook:' },
  ttl: { ...MILLISECONDS, default: 7 * 86_400_000 },
  handlingTtl: { ...MILLISECONDS, default: 60_000 },
} satisfies Rules<RedisReplayGuardOptions>;

/** 0: recorded now. 1: handled before. 2: another process is handling it. */
const SEEN = `
local holder = redis.call('GET', KEYS[1])
if holder == 'handled' then return 1 end
if holder then return 2 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0`;

const HANDLED = "return redis.call('SET', KEYS[1], 'handled', 'PX', ARGV[1])";

/** A record of another process is not deleted. */
const FORGET = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Returns a replay guard for several processes that receive deliveries.
 *
 * While one process handles an event, duplicates that reach the others get 503, and the service
 * delivers again. If a process dies while it handles an event, the event is handled after
 * `handlingTtl`. If Redis is unreachable, deliveries get 500, and the service delivers again. To
 * have an effect exactly once, record the event's `deliveryId` in the same transaction.
 *
 * @example
 * import { createClient } from 'redis';
 *
 * const redis = createClient({ url: 'redis://localhost:6379' }); // await redis.connect()
 * const guard = redisReplayGuard(redis);
 * const receive = nodeWebhookHandler({ secret, guard, onEvent: (event) => settle(event) });
 *
 * @throws ConfigurationError if the client is not a Redis client, or an option is unknown or wrong.
 */
export function redisReplayGuard(client: RedisClient, options: RedisReplayGuardOptions = {}): RedisReplayGuard {
  const { prefix, ttl, handlingTtl } = checkOptions('redisReplayGuard', options, RULES, ConfigurationError);
  const run = scriptRunner(client);
  /** The value of the records that this process has created and not finished. */
  const token = processName();
  return {
    async seen(id) {
      const state = await run(SEEN, prefix + id, [token(), String(handlingTtl)]);
      return state === 2 ? 'handling' : state === 1;
    },
    async handled(id) {
      await run(HANDLED, prefix + id, [String(ttl)]);
    },
    async forget(id) {
      await run(FORGET, prefix + id, [token()]);
    },
  };
}
