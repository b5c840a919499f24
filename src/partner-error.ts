import { showAs } from './util/inspection.js';

/**
 * The effect of a call at the service: a fact about the whole call, not about its last attempt.
 *
 * - `not_applied`: nothing was changed. Every read has this outcome.
 * - `applied`: the beginning of the response shows that the service accepted the call, but the
 *   response was not usable.
 * - `unknown`: a write may or may not have happened. Look it up before you send it again, or send
 *   it again with the same `idempotencyKey`.
 */
export type Outcome = 'not_applied' | 'applied' | 'unknown';

/** The failure of one attempt. */
export interface AttemptFailure {
  /**
   * - `status`: the service rejected the request.
   * - `race`: 401 after a later nonce of the same API key had been issued.
   * - `not_sent`: no byte was sent (connection refused, DNS, TLS).
   * - `lost`: no usable response after the request was sent.
   * - `too_slow`: `attemptTimeout` passed.
   * - `provider`: signer, secret function, nonce source or OTP provider failed.
   * - `unreadable`: the body of a 2xx could not be used.
   * - `ended`: the caller's signal or the total `timeout` ended the call.
   */
  readonly reason: 'status' | 'race' | 'not_sent' | 'lost' | 'too_slow' | 'provider' | 'unreadable' | 'ended';
  /** HTTP status, when the head of a response arrived. */
  readonly status?: number | undefined;
  /** Error code of the service, or of the system (for example `ECONNREFUSED`). */
  readonly code?: string | undefined;
}

/** The attempts of a call. */
export interface Attempts {
  readonly count: number;
  /** The failed attempts in their order. If there are more than 50, the first 49 and the last. */
  readonly failures: readonly AttemptFailure[];
}

/** The facts that every error carries. */
export interface CallFacts {
  readonly outcome: Outcome;
  readonly operation: string | undefined;
  readonly attempts: Attempts;
  readonly idempotencyKey: string | undefined;
}

const BRAND = Symbol.for('partner-sdk.error');
export const NO_CALL: CallFacts = {
  outcome: 'not_applied',
  operation: undefined,
  attempts: { count: 0, failures: [] },
  idempotencyKey: undefined,
};

/** Lets `console.log` of an error show the failures, which are nested too deep by default. */
function shownWhole({ count, failures }: Attempts): Attempts {
  const attempts = { count, failures };
  showAs(attempts, (value, options, inspect) => inspect({ ...value }, { ...options, depth: 2 }));
  return attempts;
}

/** The names of an error's classes. With them, `instanceof` works across the ESM and CJS copies. */
function brandsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const brands: unknown = Reflect.get(value, BRAND);
  return Array.isArray(brands) ? brands : [];
}

/**
 * The base class of every error of this package. It contains neither a secret nor a signature, not
 * even in `toJSON()` and `util.inspect`. The service's error message may repeat what you sent, for
 * example a name or an account number, so treat error messages as you treat your requests.
 *
 * @example
 * try {
 *   await client.accounts.quotes.execute(accountId, quoteId);
 * } catch (error) {
 *   if (!isPartnerError(error)) throw error;
 *   console.error(error.operation, error.outcome, error.idempotencyKey, error.attempts.count);
 * }
 */
export class PartnerError extends Error {
  /** The call's effect at the service. */
  readonly outcome: Outcome;
  /** The call's name, for example `accounts.quotes.get`; undefined outside a call. */
  readonly operation: string | undefined;
  /** Number of attempts, and the failure of each. */
  readonly attempts: Attempts;
  /** The idempotency key that was sent. A write that is sent again with it has no second effect. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: CallFacts = NO_CALL, options?: { cause?: unknown }) {
    super(message, options);
    this.outcome = facts.outcome;
    this.operation = facts.operation;
    this.attempts = shownWhole(facts.attempts);
    this.idempotencyKey = facts.idempotencyKey;
  }

  /** Returns plain data for a log: name, message and public members, without stack and cause. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** Gives a class its name, its brand, and an `instanceof` that reads brands. */
export function brand(errorClass: { prototype: object }, name: string): void {
  const inherited = brandsOf(errorClass.prototype);
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
  Object.defineProperty(errorClass.prototype, BRAND, { value: [...inherited, name] });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A class that an application derives from ours has no brand, so its prototype is checked.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return brandsOf(value).includes(name);
    },
  });
}

/**
 * An option is missing, unknown or invalid, a closed client was used, or a method was called
 * without its object. Nothing was sent, unless `outcome` shows that an earlier attempt was.
 *
 * @example
 * try {
 *   new PartnerClient({ baseUrl: 'http://partner.example' });
 * } catch (error) {
 *   if (error instanceof ConfigurationError) console.error(error.message);
 * }
 */
export class ConfigurationError extends PartnerError {}

/** The check that a webhook delivery failed. */
export type WebhookVerificationReason = 'missing_header' | 'bad_format' | 'bad_signature' | 'too_old' | 'too_new';

/**
 * A webhook delivery could not be verified. Respond with 400, and do nothing else with it.
 *
 * @example
 * try {
 *   const event = verifyWebhook({ body: rawBody, headers, secret });
 * } catch (error) {
 *   if (!(error instanceof WebhookVerificationError)) throw error;
 *   console.warn(error.reason); // respond with 400
 * }
 */
export class WebhookVerificationError extends PartnerError {
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

// Base classes first, because a class inherits brands. Not inside the classes, because bundlers
// rename a class that names itself.
for (const [name, errorClass] of Object.entries({ PartnerError, ConfigurationError, WebhookVerificationError })) {
  brand(errorClass, name);
}

/**
 * True for every error of this package, whichever copy of the package threw it.
 *
 * @example
 * await client.users.get(userId).catch((error: unknown) => {
 *   if (!isPartnerError(error)) throw error;
 *   console.error(JSON.stringify(error)); // safe for a log
 * });
 */
export function isPartnerError(error: unknown): error is PartnerError {
  return error instanceof PartnerError;
}
