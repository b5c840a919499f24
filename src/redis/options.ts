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

/**
 * Options of `redisKeyLeases()`. An unknown or wrong one throws a `ConfigurationError`. Processes
 * that share API keys need the same `prefix` and `ttl`.
 */
export interface RedisKeyLeasesOptions {
  /** Key prefix in Redis; a hash of the API key follows. Default `partner-sdk:`. */
  readonly prefix?: string | undefined;
  /**
   * Time in ms for which a process that has died, or cannot reach Redis, keeps an API key from the
   * others. If all share one API key, none of them can send until then. At least 500. A lease is
   * renewed every third of it, and its last fifth is not used. Default 5,000.
   *
   * An API key that Redis does not know yet, or has not seen since it was started, is free only
   * `ttl` later, because Redis may have lost the record of its holder.
   */
  readonly ttl?: number | undefined;
  /**
   * The longest wait for an API key in ms; then the call fails with a `ProviderError`, whose
   * `outcome` is `unknown` for a retry of an earlier write. Default `ttl` + 5,000.
   */
  readonly acquireTimeout?: number | undefined;
  /** Maximum number of a client's API keys that this process holds at the same time. Default 1. */
  readonly keysPerProcess?: number | undefined;
  /**
   * True if the service stores idempotency keys for each partner, not for each API key. Then a call
   * with an `idempotencyKey` of your own is sent with any API key that the process holds. Default
   * false: the call waits for the API key that its idempotency key belongs to.
   */
  readonly keysArePartnerWide?: boolean | undefined;
  /**
   * Time in ms for which a process keeps sending with an API key while another process waits for
   * it. At most a third of `ttl`. Default 50.
   */
  readonly turn?: number | undefined;
}

/** The options, complete. */
export type LeaseSettings = {
  readonly [Name in keyof RedisKeyLeasesOptions]-?: NonNullable<RedisKeyLeasesOptions[Name]>;
};

/** With a shorter `ttl`, a busy process could not renew a lease in time. */
const MIN_TTL_MS = 500;

/** The API key of a dead process is free after `ttl`: a call waits this much longer. */
const SPARE_WAIT_MS = 5_000;

/** A command that takes longer has failed; a longer outage fails the calls that need Redis. */
const MAX_COMMAND_MS = 2_000;

/** Returns the limit of one command: a reply after most of `ttl` leaves nothing of a lease. */
export function commandTimeout({ ttl }: LeaseSettings): number {
  return Math.min(MAX_COMMAND_MS, Math.floor((ttl * 2) / 3));
}

const RULES = {
  prefix: {
    ...rule((value) => typeof value === 'string' && value !== '', 'must be a non-empty string'),
    default: 'partner-sdk:',
  },
  ttl: {
    ...rule(
      (value) => isCount(value, MIN_TTL_MS) && isMilliseconds(value),
      `must be whole milliseconds from ${MIN_TTL_MS}`,
    ),
    default: 5_000,
  },
  acquireTimeout: MILLISECONDS,
  keysPerProcess: { ...wholeNumber(1), default: 1 },
  keysArePartnerWide: { ...BOOLEAN, default: false },
  turn: { ...MILLISECONDS, default: 50 },
} satisfies Rules<RedisKeyLeasesOptions>;

export function leaseSettings(given: RedisKeyLeasesOptions): LeaseSettings {
  const options = checkOptions('redisKeyLeases', given, RULES, ConfigurationError);
  const { ttl, turn, acquireTimeout = ttl + SPARE_WAIT_MS } = options;
  if (turn > ttl / 3) throw new ConfigurationError('redisKeyLeases: turn must be at most a third of ttl');
  return { ...options, acquireTimeout };
}
