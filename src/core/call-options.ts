import { isCount, isMilliseconds, isRecord, MAX_TIMER, type Rule, rule } from './checks.js';
import type { Issue } from './errors.js';
import { badHeaders } from './headers.js';
import type { Operation } from './operation.js';
import type { Signal } from './platform.js';

/** Gives the one-time password of one attempt. `operation` is the call's name, for instance `accounts.wallets.whitelist`. */
export type OtpProvider = (operation: string) => string | Promise<string>;

/** Options of one call, on every method. An unknown or wrong one is a `RequestValidationError`. */
export interface CallOptions {
  /** Ends the call with an `AbortedError` whose `cause` is the signal's reason, in whatever wait it is. */
  readonly signal?: Signal | undefined;
  /** Total milliseconds over all attempts and waits. Default: the client's (30,000). */
  readonly timeout?: number | undefined;
  /** Milliseconds of one attempt, body included, as the client's option of that name. Default: the client's (10,000). */
  readonly attemptTimeout?: number | undefined;
  /** Repeats after the first attempt, where repeating is safe. Default: the client's (3). */
  readonly maxRetries?: number | undefined;
  /**
   * `Idempotency-Key` of a write that takes one: a UUIDv4, also from `idempotencyKeyFor`. Default: a random one per call. Refused
   * on operations that take none.
   */
  readonly idempotencyKey?: string | undefined;
  /** One-time password (`API-Otp`): text sent as given, or a function asked once per attempt. May be given on any call. */
  readonly otp?: string | OtpProvider | undefined;
  /** Extra headers of this call, over those of the client; never those the SDK writes. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of a list: they hold for every page's call. */
export interface ListOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Fetches one page ahead while the items of the last are used. Default false. */
  readonly prefetch?: boolean | undefined;
}

const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const milliseconds = rule(isMilliseconds, `must be milliseconds above 0, at most ${MAX_TIMER}`);

/** The rules of options that a client and a single call both have. */
export const SHARED_RULES = {
  timeout: milliseconds,
  attemptTimeout: milliseconds,
  maxRetries: rule((value) => isCount(value, 0), 'must be an integer of 0 or more'),
  otp: rule(
    (value) => isOtp(value) || typeof value === 'function',
    'must be non-empty printable text without space around it, or a function',
  ),
  headers: badHeaders,
};

/** What is wrong with each per-call option. */
export const CALL_RULES: { readonly [Name in keyof Required<CallOptions>]: Rule } = {
  ...SHARED_RULES,
  signal: rule(isSignal, 'must be an AbortSignal'),
  idempotencyKey: rule((value) => typeof value === 'string' && UUID_V4.test(value), 'must be a UUIDv4'),
};

const LIST_RULES = { ...CALL_RULES, prefetch: rule((value) => typeof value === 'boolean', 'must be true or false') };

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener, removeEventListener } = value as Partial<Signal>;
  return (
    typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  );
}

/** True for what can stand in the `API-Otp` header; its format is not shown in `spec.md`. */
export function isOtp(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

/** The issues of the per-call options, with paths like `options.timeout`. */
export function checkCallOptions(options: unknown, operation: Pick<Operation, 'key' | 'paged'>): Issue[] {
  const issues = checkOptions(options, operation.paged ? LIST_RULES : CALL_RULES);
  if (isRecord(options) && options['idempotencyKey'] !== undefined && !operation.key) {
    issues.push({ path: 'options.idempotencyKey', message: 'this operation takes no Idempotency-Key' });
  }
  return issues;
}

/** The issues of options that have these rules; one that is unknown is refused, not ignored. */
export function checkOptions(options: unknown, rules: Readonly<Record<string, Rule>>): Issue[] {
  if (!isRecord(options)) return [{ path: 'options', message: 'must be an object' }];
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const message =
      known === undefined ? `is no option of this call; known are ${Object.keys(rules).join(', ')}` : known(value);
    if (message !== undefined) issues.push({ path: `options.${name}`, message });
  }
  return issues;
}
