import { ConfigurationError } from '../partner-error.js';
import { checkOptions, isCount, isMilliseconds, type Rule, rule, rulesOf } from '../util/options.js';

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

const MILLISECONDS = rule(isMilliseconds, 'must be positive milliseconds');

const SHARED_TABLE: { readonly [Name in keyof Required<RedisSourceOptions>]: Rule } = {
  prefix: rule((value) => typeof value === 'string' && value !== '', 'must be non-empty text'),
  ttl: rule(
    (value) => isCount(value, LEAST_TTL) && isMilliseconds(value),
    `must be whole milliseconds from ${LEAST_TTL}`,
  ),
  acquireTimeout: MILLISECONDS,
  commandTimeout: MILLISECONDS,
};

const LEASE_TABLE: { readonly [Name in keyof Required<RedisKeyLeasesOptions>]: Rule } = {
  ...SHARED_TABLE,
  keysPerProcess: rule((value) => isCount(value, 1), 'must be a whole number from 1'),
  keysArePartnerWide: rule((value) => typeof value === 'boolean', 'must be true or false'),
};

const TURN_TABLE: { readonly [Name in keyof Required<RedisNoncesOptions>]: Rule } = {
  ...SHARED_TABLE,
  turn: MILLISECONDS,
  drainTimeout: MILLISECONDS,
};

const LEASE_RULES = rulesOf(LEASE_TABLE);
const TURN_RULES = rulesOf(TURN_TABLE);

export function leaseSettings(given: RedisKeyLeasesOptions): LeaseSettings {
  const options = checkOptions<RedisKeyLeasesOptions>('', given, LEASE_RULES, ConfigurationError);
  const { keysPerProcess = 1, keysArePartnerWide = false } = options;
  return { ...sharedSettings(options, 10_000), keysPerProcess, keysArePartnerWide };
}

export function turnSettings(given: RedisNoncesOptions): TurnSettings {
  const options = checkOptions<RedisNoncesOptions>('', given, TURN_RULES, ConfigurationError);
  const { turn = 50, drainTimeout = 5_000 } = options;
  const shared = sharedSettings(options, 3_000);
  if (turn > shared.ttl / 3) throw new ConfigurationError('turn must be at most a third of ttl');
  return { ...shared, turn, drainTimeout };
}

function sharedSettings(options: RedisSourceOptions, defaultTtl: number): SharedSettings {
  const { prefix = 'partner-sdk:', ttl = defaultTtl, commandTimeout = 2_000 } = options;
  return { prefix, ttl, acquireTimeout: options.acquireTimeout ?? ttl + SPARE, commandTimeout };
}
