import '../util/supported-node.js';

import type { NonceSource } from '../signing/nonce.js';
import type { RedisClient } from './client.js';
import { KeyLeases } from './key-leases.js';
import type { RedisKeyLeasesOptions } from './options.js';

export { ConfigurationError, isPartnerError, PartnerError } from '../partner-error.js';
export type { NonceSource } from '../signing/nonce.js';
export type { IoredisClient, NodeRedisClient, RedisClient } from './client.js';
export type { RedisKeyLeasesOptions } from './options.js';
export { type RedisReplayGuard, type RedisReplayGuardOptions, redisReplayGuard } from './replay-guard.js';

/**
 * Returns a nonce source for several processes. Each API key is held by one process at a time, so
 * requests of different processes never overtake each other.
 *
 * Create one for the process and give it to all its clients. It takes free API keys when the first
 * call needs one, and renews them in the background: no call asks Redis for a nonce. A process that
 * holds none waits in a queue, and a holder hands an API key on after `turn`, once the requests
 * that it has sent have their responses or are lost. API keys are given back when the clients are
 * closed. Those of a process that died are free after `ttl`. While Redis is unreachable, calls
 * continue for up to 0.8 `ttl`; then they fail with a `ProviderError`, `not_applied`. The retry of
 * an earlier write waits for the API key of its first attempt.
 *
 * @example
 * import { createClient } from 'redis';
 *
 * const redis = createClient({ url: 'redis://localhost:6379' }); // await redis.connect()
 * const nonce = redisKeyLeases(redis);
 * // The same credentials in all processes.
 * const client = new PartnerClient({ credentials, nonce });
 *
 * @throws ConfigurationError if the client is not a Redis client, or an option is unknown or wrong.
 */
export function redisKeyLeases(client: RedisClient, options: RedisKeyLeasesOptions = {}): NonceSource {
  return new KeyLeases(client, options);
}
