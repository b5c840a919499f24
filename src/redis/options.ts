import { ConfigurationError } from '../partner-error.js';
import {
  BOOLEAN,
  checkOptions,
  isCount,
  isMilliseconds,
  MILLISECONDS,
  type Rules,
  rule,
  wholeNumber,
} from '../util/options.js';

/** Options of both sources. Processes that share API keys need the same `prefix` and `ttl`. */
export interface RedisSourceOptions {
  /** Key prefix in Redis; a hash of the API key follows. Default `partner-sdk:`. */
  readonly prefix?: string | undefined;
  /**
   * Time in ms for which a process that has died, or cannot reach Redis, keeps an API key from the
   * others. At least
   * 500. Renewed every third of it; its last fifth is not used. Default 10,000 for
   *      `redisKeyLeases`, 3,000 for `redisNonces`.
   *
   * An API key that Redis does not know yet, or has not seen since it was started, is free only
   * `ttl` later: Redis may have forgotten its holder.
   */
  readonly ttl?: number | undefined;
  /**
   * The longest wait for an API key in ms; then the call fails with a `ProviderError`, whose
   * `outcome` is `unknown` for a retry of an earlier write. Default `ttl` + 5,000.
   */
  readonly acquireTimeout?: number | undefined;
}

/** Options of `redisKeyLeases()`. An unknown or wrong one is a `ConfigurationError`. */
export interface RedisKeyLeasesOptions extends RedisSourceOptions {
  /** The largest number of a client's API keys that this process holds. Default 1. */
  readonly keysPerProcess?: number | undefined;
  /**
   * True if the service remembers idempotency keys for the partner, not for each API key. Default
   * false: a call with an `idempotencyKey` of your own fails with a `ConfigurationError`, because
   * another process may hold the API key that this idempotency key belongs to. A retry with the
   * idempotency key of an earlier call (`settle()`, `error.idempotencyKey`) waits for that API key.
   */
  readonly keysArePartnerWide?: boolean | undefined;
}

/** Options of `redisNonces()`. An unknown or wrong one is a `ConfigurationError`. */
export interface RedisNoncesOptions extends RedisSourceOptions {
  /** Time in ms to send while others wait, at most a third of `ttl`. Default 50. */
  readonly turn?: number | undefined;
}

/** Complete settings of both sources. */
export interface SharedSettings {
  readonly prefix: string;
  readonly ttl: number;
  readonly acquireTimeout: number;
}

export interface LeaseSettings extends SharedSettings {
  readonly keysPerProcess: number;
  readonly keysArePartnerWide: boolean;
}

export interface TurnSettings extends SharedSettings {
  readonly turn: number;
}

/** With a shorter `ttl`, a busy process could not renew a lease in time. */
const MIN_TTL_MS = 500;

/** The key of a dead process is free after `ttl`: a call waits this much longer. */
const SPARE_WAIT_MS = 5_000;

/** A longer command has failed; a longer outage fails the calls that need Redis. */
const MAX_COMMAND_MS = 2_000;

/** Returns the limit of one command: an answer after most of `ttl` leaves nothing of a lease. */
export function commandTimeout({ ttl }: SharedSettings): number {
  return Math.min(MAX_COMMAND_MS, Math.floor((ttl * 2) / 3));
}

const SHARED_RULES = {
  prefix: {
    ...rule((value) => typeof value === 'string' && value !== '', 'must be non-empty text'),
    default: 'partner-sdk:',
  },
  ttl: rule(
    (value) => isCount(value, MIN_TTL_MS) && isMilliseconds(value),
    `must be whole milliseconds from ${MIN_TTL_MS}`,
  ),
  acquireTimeout: MILLISECONDS,
} satisfies Rules<RedisSourceOptions>;

const LEASE_RULES = {
  ...SHARED_RULES,
  ttl: { ...SHARED_RULES.ttl, default: 10_000 },
  keysPerProcess: { ...wholeNumber(1), default: 1 },
  keysArePartnerWide: { ...BOOLEAN, default: false },
} satisfies Rules<RedisKeyLeasesOptions>;

const TURN_RULES = {
  ...SHARED_RULES,
  ttl: { ...SHARED_RULES.ttl, default: 3_000 },
  turn: { ...MILLISECONDS, default: 50 },
} satisfies Rules<RedisNoncesOptions>;

export function leaseSettings(given: RedisKeyLeasesOptions): LeaseSettings {
  const options = checkOptions('redisKeyLeases', given, LEASE_RULES, ConfigurationError);
  return { ...options, acquireTimeout: options.acquireTimeout ?? options.ttl + SPARE_WAIT_MS };
}

export function turnSettings(given: RedisNoncesOptions): TurnSettings {
  const options = checkOptions('redisNonces', given, TURN_RULES, ConfigurationError);
  if (options.turn > options.ttl / 3) throw new ConfigurationError('redisNonces: turn must be at most a third of ttl');
  return { ...options, acquireTimeout: options.acquireTimeout ?? options.ttl + SPARE_WAIT_MS };
}
