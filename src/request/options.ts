import type { Issue } from '../errors.js';
import type { LazySchema, Operation } from '../schema/operation.js';
import { hasMethod, readMember } from '../util/members.js';
import {
  isCount,
  isFunction,
  isMilliseconds,
  isRecord,
  MAX_TIMER,
  type Rule,
  type Rules,
  readOptions,
  rule,
  rulesOf,
} from '../util/options.js';
import type { Signal } from '../util/platform.js';
import { HEADERS_RULE } from './headers.js';
import { membersOf } from './input-members.js';

/**
 * Gives the one-time password of one attempt; undefined: none is sent. `operation` is the call's name, for instance
 * `accounts.wallets.whitelist`.
 */
export type OtpProvider = (operation: string) => string | undefined | Promise<string | undefined>;

/**
 * Options of one call that takes no idempotency key: every read, and the writes that are safe without one. An unknown
 * or wrong option is a `RequestValidationError`.
 */
export interface UnkeyedRequestOptions {
  /** Ends the call with an `AbortedError` whose `cause` is the signal's reason, in whatever wait it is. */
  readonly signal?: Signal | undefined;
  /** Total milliseconds over all attempts and waits. Default: the client's (30,000). */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds of one attempt, body included, as the client's option of that name. Default: the client's (10,000).
   */
  readonly attemptTimeout?: number | undefined;
  /** Repeats after the first attempt, where repeating is safe. Default: the client's (3). */
  readonly maxRetries?: number | undefined;
  /**
   * One-time password (`API-Otp`): text sent as given, or a function asked once per attempt. May be given on any call.
   */
  readonly otp?: string | OtpProvider | undefined;
  /** Extra headers of this call, over those of the client; never those the SDK writes. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of one write that takes an idempotency key. An unknown or wrong option is a `RequestValidationError`. */
export interface RequestOptions extends UnkeyedRequestOptions {
  /** `Idempotency-Key` of the write: a UUIDv4, also from `idempotencyKeyFor`. Default: a random one per call. */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a list: they hold for every page's call. */
export interface ListOptions extends UnkeyedRequestOptions {
  /** Fetches one page ahead while the items of the last are used. Default false. */
  readonly prefetch?: boolean | undefined;
}

const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const milliseconds = rule(isMilliseconds, `must be milliseconds above 0, at most ${MAX_TIMER}`);

/** The rules of options that a client and a single call both have. */
export const SHARED_TABLE = {
  timeout: milliseconds,
  attemptTimeout: milliseconds,
  maxRetries: rule((value) => isCount(value, 0), 'must be an integer of 0 or more'),
  otp: rule(
    (value) => isOtp(value) || isFunction(value),
    'must be non-empty printable text without space around it, or a function',
  ),
  headers: HEADERS_RULE,
};

export const SIGNAL_RULE: Rule = rule(isSignal, 'must be an AbortSignal');

/** What is wrong with each per-call option. */
const CALL_TABLE: { readonly [Name in keyof Required<RequestOptions>]: Rule } = {
  ...SHARED_TABLE,
  signal: SIGNAL_RULE,
  idempotencyKey: rule(
    (value) => typeof value === 'string' && UUID_V4.test(value),
    'must be a UUIDv4: take crypto.randomUUID(), or idempotencyKeyFor() for the same key after a restart',
  ),
};

const CALL_RULES = rulesOf(CALL_TABLE);
const LIST_RULES = rulesOf({
  ...CALL_TABLE,
  prefetch: rule((value) => typeof value === 'boolean', 'must be true or false'),
});

/** The names of the options of any call. */
export const CALL_OPTION_NAMES: readonly string[] = [...CALL_RULES.keys()];

/** The names of all options that a call or a list may have. */
export const OPTION_NAMES: Pick<Rules, 'has' | 'keys'> = LIST_RULES;

function isSignal(value: unknown): boolean {
  if (!hasMethod(value, 'addEventListener') || !hasMethod(value, 'removeEventListener')) return false;
  return typeof readMember(value, 'aborted') === 'boolean';
}

/** Tells whether a value can stand in the `API-Otp` header. The service does not document its format. */
export function isOtp(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

/** Options of a call as they were read, once, with what is wrong with them. */
export interface ReadCallOptions<Options = RequestOptions> {
  readonly options: Options;
  readonly issues: readonly Issue[];
}

/** Reads the options of a call. The issues have paths like `options.timeout`. */
export function readCallOptions(given: unknown, operation: Operation): ReadCallOptions {
  const read = readOptionsBy<RequestOptions>(given, operation.paged ? LIST_RULES : CALL_RULES, operation);
  if (read.options.idempotencyKey === undefined || operation.retrySafety === 'keyed') return read;
  const issue = { path: 'options.idempotencyKey', message: operation.refusesKey ?? NO_KEY };
  return { options: read.options, issues: [...read.issues, issue] };
}

const NO_KEY = 'this operation takes no Idempotency-Key';

/** Reads options that have these rules. One that is unknown is refused, not ignored. */
export function readOptionsBy<Options>(given: unknown, rules: Rules, operation: Operation): ReadCallOptions<Options> {
  if (!isRecord(given)) return { options: {} as Options, issues: [{ path: 'options', message: 'must be an object' }] };
  const { options, faults } = readOptions(given, rules);
  if (faults.length === 0) return { options: options as Options, issues: NO_ISSUES };
  const wrong = faults.filter((fault) => fault.given);
  const issues = wrong.map(({ name, message }) => ({
    path: `options.${name}`,
    message: misplaced(name, operation) ?? message,
  }));
  return { options: options as Options, issues };
}

const NO_ISSUES: readonly Issue[] = [];

/** Said of a name that the operation knows as a member of its query or body. */
function misplaced(name: string, { query, body }: Operation): string | undefined {
  const isIn = (schema: LazySchema | undefined) => schema !== undefined && membersOf(schema)?.parts.has(name);
  if (isIn(query)) return 'belongs to the parameters, the argument before the options';
  return isIn(body) ? 'belongs to the body, the argument before the options' : undefined;
}
