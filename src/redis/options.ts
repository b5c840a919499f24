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

/** What both sources take. Processes that share API keys must be given the same `prefix` and `ttl`. */
export interface RedisSourceOptions {
  /** Begins the name of every record in Redis; what follows is a hash of the API key. Default `partner-sdk:`. */
  readonly prefix?: string | undefined;
  /**
   * How long a process that has died, or cannot reach Redis, keeps an API key from the others, in milliseconds, from
   * 500; renewed every third of it. Its last fifth is not used. Default 10,000 for `redisKeyLeases`, 3,000 for
   * `redisNonces`.
   *
   * An API key that Redis does not know yet, or not since it was started, is free only `ttl` later: Redis may have
   * forgotten who holds it.
   */
  readonly ttl?: number | undefined;
  /**
   * The longest wait for an API key, in milliseconds; at the limit the call fails with a `ProviderError`. Default `ttl`
   * + 5,000.
   */
  readonly acquireTimeout?: number | undefined;
  /**
   * How long one command to Redis may take, and how long Redis may be out of reach before calls that need it fail, in
   * milliseconds. Default 2,000.
   */
  readonly commandTimeout?: number | undefined;
}

/** Options of `redisKeyLeases()`. An unknown or wrong one is a `ConfigurationError`. */
export interface RedisKeyLeasesOptions extends RedisSourceOptions {
  /** How many of a client's API keys this process holds, at most. Default 1. */
  readonly keysPerProcess?: number | undefined;
  /**
   * True when the service remembers idempotency keys for the partner and not for each API key. Default false: calls
   * with an `idempotencyKey` of yours are refused with a `ConfigurationError`, since a later process would repeat them
   * on another API key.
   */
  readonly keysArePartnerWide?: boolean | undefined;
}

/** Options of `redisNonces()`. An unknown or wrong one is a `ConfigurationError`. */
export interface RedisNoncesOptions extends RedisSourceOptions {
  /**
   * How long a process may send before it lets the next one send, in milliseconds, at most a third of `ttl`. Default
   * 50.
   */
  readonly turn?: number | undefined;
  /**
   * How long a turn that is over waits for the answers to what has been sent in it, in milliseconds. After that they
   * are taken to be slow, not overtaken. Default 5,000.
   */
  readonly drainTimeout?: number | undefined;
}

/** What both sources go by, checked and complete. */
export interface SharedSettings {
  readonly prefix: string;
  readonly ttl: number;
  readonly acquireTimeout: number;
  readonly commandTimeout: number;
}

export interface LeaseSettings extends SharedSettings {
  readonly keysPerProcess: number;
  readonly keysArePartnerWide: boolean;
}

export interface TurnSettings extends SharedSettings {
  readonly turn: number;
  readonly drainTimeout: number;
}

/** A shorter hold could not be renewed in time by a busy process. */
const LEAST_TTL = 500;

/** Waiting for what a dead process holds takes `ttl`: that much longer is waited. */
const SPARE = 5_000;

const SHARED_RULES = {
  prefix: {
    ...rule((value) => typeof value === 'string' && value !== '', 'must be non-empty text'),
    default: 'partner-sdk:',
  },
  ttl: rule(
    (value) => isCount(value, LEAST_TTL) && isMilliseconds(value),
    `must be whole milliseconds from ${LEAST_TTL}`,
  ),
  acquireTimeout: MILLISECONDS,
  commandTimeout: { ...MILLISECONDS, default: 2_000 },
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
  drainTimeout: { ...MILLISECONDS, default: 5_000 },
} satisfies Rules<RedisNoncesOptions>;

export function leaseSettings(given: RedisKeyLeasesOptions): LeaseSettings {
  const options = checkOptions('redisKeyLeases', given, LEASE_RULES, ConfigurationError);
  return { ...options, acquireTimeout: options.acquireTimeout ?? options.ttl + SPARE };
}

export function turnSettings(given: RedisNoncesOptions): TurnSettings {
  const options = checkOptions('redisNonces', given, TURN_RULES, ConfigurationError);
  if (options.turn > options.ttl / 3) throw new ConfigurationError('redisNonces: turn must be at most a third of ttl');
  return { ...options, acquireTimeout: options.acquireTimeout ?? options.ttl + SPARE };
}
