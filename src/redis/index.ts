import '../util/supported-node.js';

import type { NonceSource } from '../signing/nonce.js';
import type { RedisClient } from './client.js';
import { KeyLeases } from './keys/key-leases.js';
import type { RedisKeyLeasesOptions, RedisNoncesOptions } from './options.js';
import { SharedNonces } from './shared-nonces.js';

export { ConfigurationError, isPartnerError, PartnerError } from '../partner-error.js';
export type { NonceSource } from '../signing/nonce.js';
export type { IoredisClient, NodeRedisClient, RedisClient } from './client.js';
export type { RedisKeyLeasesOptions, RedisNoncesOptions, RedisSourceOptions } from './options.js';
export { type RedisReplayGuard, type RedisReplayGuardOptions, redisReplayGuard } from './replay-guard.js';

/**
 * Returns a nonce source for several processes with at least as many API keys. Each process holds
 * its own API keys, and no call asks Redis.
 *
 * Make one for the process and give it to all its clients. It takes free API keys when the first
 * call needs one, and renews them in the background. It gives them back when its clients are
 * closed. Those of a process that died are free after `ttl`. While Redis is out of reach, calls go
 * on for up to 0.8 `ttl`; then they fail with a `ProviderError`, `not_applied`. Calls with an
 * `idempotencyKey` of your own need `keysArePartnerWide`. The retry of an earlier write waits for
 * the API key of its first attempt, and holds it for this one call.
 *
 * @example
 * import { createClient } from 'redis';
 *
 * const redis = createClient({ url: 'redis://localhost:6379' }); // await redis.connect()
 * const nonce = redisKeyLeases(redis, { keysPerProcess: 2 });
 * // The same credentials in all processes.
 * const client = new PartnerClient({ credentials, nonce });
 *
 * @throws ConfigurationError if the client is not a Redis client, or an option is unknown or wrong.
 */
export function redisKeyLeases(client: RedisClient, options: RedisKeyLeasesOptions = {}): NonceSource {
  return new KeyLeases(client, options);
}

/**
 * Returns a nonce source for more processes than API keys: they send with an API key in turn. A
 * shared counter would not be enough: a request of one process could overtake one of another on the
 * way.
 *
 * Make one for the process and give it to all its clients. Redis is asked for each turn, not for
 * each call. While Redis is out of reach, calls fail with a `ProviderError`, `not_applied`, once
 * the current turn has run out.
 *
 * @example
 * import { createClient } from 'redis';
 *
 * const redis = createClient({ url: 'redis://localhost:6379' }); // await redis.connect()
 * const client = new PartnerClient({ credentials, nonce: redisNonces(redis) });
 *
 * @throws ConfigurationError if the client is not a Redis client, or an option is unknown or wrong.
 */
export function redisNonces(client: RedisClient, options: RedisNoncesOptions = {}): NonceSource {
  return new SharedNonces(client, options);
}
