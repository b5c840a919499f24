import type { Issue } from '../errors.js';
import { membersOf } from '../schema/input-members.js';
import type { LazySchema, Operation } from '../schema/operation.js';
import { Bare, copyMembers, hasMethod, type Members, readMember } from '../util/members.js';
import {
  type AnyRules,
  BOOLEAN,
  isFunction,
  isRecord,
  MILLISECONDS,
  type OptionFault,
  type Rules,
  readOptions,
  rule,
  wholeNumber,
} from '../util/options.js';
import type { Signal } from '../util/platform.js';

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

/** The rules of the options of every call. A client has some of the same options, with defaults. */
export const REQUEST_RULES = {
  signal: rule(isSignal, 'must be an AbortSignal'),
  timeout: MILLISECONDS,
  attemptTimeout: MILLISECONDS,
  maxRetries: wholeNumber(0),
  otp: rule(
    (value) => isOtp(value) || isFunction(value),
    'must be non-empty printable text without space around it, or a function',
  ),
  headers: { read: readHeaders },
} satisfies Rules<UnkeyedRequestOptions>;

const KEYED_RULES = {
  ...REQUEST_RULES,
  idempotencyKey: rule(
    (value) => typeof value === 'string' && UUID_V4.test(value),
    'must be a UUIDv4: use crypto.randomUUID(), or idempotencyKeyFor() for the same key after a restart',
  ),
} satisfies Rules<RequestOptions>;

const LIST_RULES = { ...KEYED_RULES, prefetch: BOOLEAN } satisfies Rules<ListOptions & RequestOptions>;

/** The names of the options of any call. */
export const REQUEST_OPTION_NAMES: readonly string[] = Object.keys(KEYED_RULES);

/** The names of all options that a call or a list may have. */
export const OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(LIST_RULES));

function isSignal(value: unknown): boolean {
  if (!hasMethod(value, 'addEventListener') || !hasMethod(value, 'removeEventListener')) return false;
  return typeof readMember(value, 'aborted') === 'boolean';
}

/** Tells whether a value can stand in the `API-Otp` header. The service does not document its format. */
export function isOtp(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

/** Headers that the SDK writes itself, or that belong to the connection. */
const RESERVED_HEADERS = new Set([
  'api-key',
  'api-sign',
  'api-nonce',
  'api-otp',
  'idempotency-key',
  'accept',
  'accept-encoding',
  'content-encoding',
  'te',
  'trailer',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
  'host',
]);

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads extra headers of a client or a call. No value is in the message. */
function readHeaders(given: unknown, name: string, faults: OptionFault[]): unknown {
  const headers = isRecord(given) ? copyMembers(given) : given;
  const message = headersFault(headers);
  if (message !== undefined) faults.push({ name, message });
  return headers;
}

function headersFault(headers: unknown): string | undefined {
  if (!isRecord(headers)) return 'must be an object of names and values';
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase())) return `must not have ${name}: the SDK writes it`;
    if (!HEADER_NAME.test(name)) return `has a name that is not a header name: ${JSON.stringify(name)}`;
    if (value !== undefined && (typeof value !== 'string' || !HEADER_VALUE.test(value)))
      return `has a wrong value for ${name}`;
  }
  return undefined;
}

/** The headers that have a value, names in lower case, so that later ones replace earlier ones however they are written. */
export function lowerCaseNames(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given[name.toLowerCase()] = value;
  return given;
}

/** Options of a call that were read once, and what is wrong with them. */
export interface ReadRequestOptions<Options = RequestOptions> {
  readonly options: Options;
  readonly issues: readonly Issue[];
}

/** Reads the options of a call. The issues have paths such as `options.timeout`. */
export function readRequestOptions(given: unknown, operation: Operation): ReadRequestOptions {
  if (given === undefined) return { options: new Bare(), issues: [] };
  const read = readOptionsBy<RequestOptions>(given, operation.paged ? LIST_RULES : KEYED_RULES, operation);
  if (read.options.idempotencyKey === undefined || operation.retrySafety === 'keyed') return read;
  const message = operation.refusesKey ?? 'this operation takes no Idempotency-Key';
  return { options: read.options, issues: [...read.issues, { path: 'options.idempotencyKey', message }] };
}

/** Reads options that have these rules. An unknown one is an issue, unless its value is undefined. */
export function readOptionsBy<Options>(
  given: unknown,
  rules: AnyRules,
  operation: Operation,
): ReadRequestOptions<Options> {
  if (!isRecord(given)) return { options: {} as Options, issues: [{ path: 'options', message: 'must be an object' }] };
  const { options, faults } = readOptions(given, rules);
  const issues = issuesOf(faults, options).map(({ path, message }) => ({
    path: `options.${path}`,
    message: misplaced(path, operation) ?? message,
  }));
  return { options: options as Options, issues };
}

/** Returns the faults as issues. An unknown option that is undefined does no harm: objects are often spread together. */
export function issuesOf(faults: readonly OptionFault[], options: Members): Issue[] {
  return faults
    .filter(({ name, isUnknown }) => isUnknown !== true || options[name] !== undefined)
    .map(({ name, message }) => ({ path: name, message }));
}

/** Returns where a name belongs that is a member of the operation's query or body. */
function misplaced(name: string, { query, body }: Operation): string | undefined {
  const isIn = (schema: LazySchema | undefined) => schema !== undefined && membersOf(schema)?.parts.has(name);
  if (isIn(query)) return 'belongs to the parameters, the argument before the options';
  return isIn(body) ? 'belongs to the body, the argument before the options' : undefined;
}
