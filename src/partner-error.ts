import { showAs } from './util/inspection.js';

/**
 * Whether the call's effect happened at the service. It is a fact about the whole call, not about its last attempt:
 *
 * - `not_applied`: nothing was changed (always so for reads);
 * - `applied`: the service said yes (a 2xx head arrived), only its answer could not be used;
 * - `unknown`: a write may or may not have happened. Look before you repeat it, or repeat it with the same
 *   `idempotencyKey`.
 */
export type Outcome = 'not_applied' | 'applied' | 'unknown';

/** Why one attempt of a call did not end it. */
export interface AttemptFailure {
  /**
   * `status`: the service refused; `race`: refused because a later nonce of the same key overtook it; `not_sent`: no
   * byte left (refused connection, DNS, TLS); `lost`: no usable answer after sending; `too_slow`: `attemptTimeout`
   * passed; `provider`: signer, secret, nonce source or OTP provider failed; `unreadable`: a 2xx whose body could not
   * be used; `ended`: the caller's signal or the total `timeout` ended the call.
   */
  readonly reason: 'status' | 'race' | 'not_sent' | 'lost' | 'too_slow' | 'provider' | 'unreadable' | 'ended';
  /** HTTP status, when an answer's head had arrived. */
  readonly status?: number | undefined;
  /** The service's error code, or the system's (`ECONNREFUSED`, …). */
  readonly code?: string | undefined;
}

/** How often a call was attempted, and why each attempt failed. */
export interface Attempts {
  readonly count: number;
  /** In order. Of more than 50, the first 49 and the last. */
  readonly failures: readonly AttemptFailure[];
}

/** The facts every error carries. */
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

/** The same attempts, whose failures `console.log` of an error shows: by itself it does not look so deep. */
function shownWhole({ count, failures }: Attempts): Attempts {
  const attempts = { count, failures };
  showAs(attempts, (value, options, inspect) => inspect({ ...value }, { ...options, depth: 2 }));
  return attempts;
}

/** Every class's name is on the instance, so that `instanceof` holds across the ESM and the CJS copy of the package. */
function brandsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const brands: unknown = Reflect.get(value, BRAND);
  return Array.isArray(brands) ? brands : [];
}

/**
 * The base of every error of this package. It never holds a secret, a signature or a request body; `toJSON()` and
 * `util.inspect` are safe for logs.
 */
export class PartnerError extends Error {
  /** Whether the call's effect happened at the service. */
  readonly outcome: Outcome;
  /** The call's name in the client's tree, for instance `accounts.quotes.get`; undefined outside a call. */
  readonly operation: string | undefined;
  /** How many attempts were made, and why each failed. */
  readonly attempts: Attempts;
  /** The key sent as `Idempotency-Key`, if one was: repeat the write with it to be safe against a second effect. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, facts: CallFacts = NO_CALL, options?: { cause?: unknown }) {
    super(message, options);
    this.outcome = facts.outcome;
    this.operation = facts.operation;
    this.attempts = shownWhole(facts.attempts);
    this.idempotencyKey = facts.idempotencyKey;
  }

  /** The error as plain data for a log: name, message and the public members, without stack and cause. */
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
      // A class that an application derives from ours has no brand of its own: ordinary prototype check.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return brandsOf(value).includes(name);
    },
  });
}

/** A client option is missing, unknown or wrong, or a closed client was used. Nothing was sent. */
export class ConfigurationError extends PartnerError {}

/** Why a webhook delivery was not accepted. */
export type WebhookVerificationReason = 'missing_header' | 'bad_format' | 'bad_signature' | 'too_old' | 'too_new';

/** A webhook delivery is not proven to come from the service: answer it with 400 and do nothing. */
export class WebhookVerificationError extends PartnerError {
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

// Bases first: a class passes on the brands of those it extends. Outside the classes, since bundlers rename a class
// that names itself.
for (const [name, errorClass] of Object.entries({ PartnerError, ConfigurationError, WebhookVerificationError })) {
  brand(errorClass, name);
}

/** True for every error of this package, whichever copy of it threw. */
export function isPartnerError(error: unknown): error is PartnerError {
  return error instanceof PartnerError;
}
