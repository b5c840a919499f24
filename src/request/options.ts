import type { Issue } from '../errors.js';
import { membersOf } from '../schema/input-members.js';
import type { LazySchema, Operation } from '../schema/operation.js';
import { Bare, copyMembers, hasMethod, type Members } from '../util/members.js';
import {
  type AnyRules,
  BOOLEAN,
  isFunction,
  isRecord,
  MILLISECONDS,
  type OptionFault,
  objectOf,
  type Rule,
  type Rules,
  readOptions,
  rule,
  wholeNumber,
} from '../util/options.js';
import { isThenable, type Signal } from '../util/platform.js';
import { VERSION } from '../version.js';

/**
 * Returns the one-time password of one attempt; if it returns `undefined`, none is sent.
 * `operation` is the name of the call, for example `accounts.wallets.whitelist`.
 */
export type OtpProvider = (operation: string) => string | undefined | Promise<string | undefined>;

/**
 * Options of a call without idempotency key: of every read, and of writes that are safe without
 * one. An unknown or invalid option throws a `RequestValidationError`.
 */
export interface UnkeyedRequestOptions {
  /**
   * Ends the call, whatever it is waiting for. The call fails with an `AbortedError` whose `cause`
   * is the signal's reason. Default: none.
   *
   * @example
   * await client.users.get(userId, { signal: request.signal }); // ends with the incoming request
   */
  readonly signal?: Signal | undefined;
  /**
   * Time limit of the call in ms, over all attempts and waits. Above 0, at most 2,147,483,647.
   * Default: that of the client (30,000). At the limit, the call fails with a `TimeoutError`.
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of one attempt in ms, from the moment its bytes are sent until the whole response
   * has arrived. Above 0, at most 2,147,483,647. Default: that of the client (10,000). At the
   * limit, the attempt fails and may be retried.
   */
  readonly attemptTimeout?: number | undefined;
  /** Maximum number of retries, where a retry is safe. 0 or more. Default: the client's (3). */
  readonly maxRetries?: number | undefined;
  /**
   * One-time password (`API-Otp`) of any call: a string, or a function that is called once per
   * attempt. Default: the client's `otp`, if the client would send it with this operation.
   *
   * @example
   * const body = { via: 'bitcoin', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
   * const otp = () => authenticator.code(); // a retry gets a new code
   * await client.accounts.wallets.whitelist(accountId, body, { otp });
   */
  readonly otp?: string | OtpProvider | undefined;
  /**
   * Extra headers, which override the client's, but not those of the SDK. Default: none.
   *
   * @example
   * await client.users.get(userId, { headers: { 'x-request-id': orderId } });
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of a keyed write. An unknown or invalid one throws a `RequestValidationError`. */
export interface RequestOptions extends UnkeyedRequestOptions {
  /**
   * The `Idempotency-Key`: a UUIDv4, for example from `idempotencyKeyFor`. Default: random.
   *
   * @example
   * const idempotencyKey = idempotencyKeyFor('shop', 'accounts.quotes.execute', accountId, orderId);
   * await client.accounts.quotes.execute(accountId, quoteId, { idempotencyKey });
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a list. They apply to the call of each page. */
export interface ListOptions extends UnkeyedRequestOptions {
  /** True to fetch one page ahead while you use the items of the last page. Default false. */
  readonly prefetch?: boolean | undefined;
}

const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

/** The rules of the options of every call. A client has most of the same options, with defaults. */
export const REQUEST_RULES = {
  signal: rule(isSignal, 'must be an AbortSignal'),
  timeout: MILLISECONDS,
  attemptTimeout: MILLISECONDS,
  maxRetries: wholeNumber(0),
  otp: rule(
    (value) => isOtp(value) || isFunction(value),
    'must be a non-empty printable string without a space at either end, or a function',
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

export const REQUEST_OPTION_NAMES: readonly string[] = Object.keys(KEYED_RULES);

export const LIST_OPTION_NAMES: readonly string[] = Object.keys({ ...REQUEST_RULES, prefetch: BOOLEAN });

export const OPTION_NAMES: ReadonlySet<string> = new Set(Object.keys(LIST_RULES));

function isSignal(value: unknown): boolean {
  if (!hasMethod(value, 'addEventListener') || !hasMethod(value, 'removeEventListener')) return false;
  return typeof (value as Partial<Signal>).aborted === 'boolean';
}

/** True for a string that fits the `API-Otp` header. The service does not document its format. */
export function isOtp(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

const USER_AGENT = 'user-agent';

/** Rejected as extra headers: the SDK writes them, or they belong to the connection. */
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
  USER_AGENT,
]);

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reads extra headers of a client or a call. The message shows no value. */
function readHeaders(given: unknown, name: string, faults: OptionFault[]): unknown {
  const headers = isRecord(given) ? copyMembers(given) : given;
  const message = headersFault(headers);
  if (message !== undefined) faults.push({ name, message });
  return headers;
}

function headersFault(headers: unknown): string | undefined {
  if (!isRecord(headers)) return 'must be an object of names and values';
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED_HEADERS.has(name.toLowerCase())) {
      const advice = name.toLowerCase() === USER_AGENT ? ", the client's option appInfo adds to it" : '';
      return `must not have ${name}: the SDK writes it${advice}`;
    }
    if (!HEADER_NAME.test(name)) return `has a name that is not a header name: ${JSON.stringify(name)}`;
    if (value !== undefined && (typeof value !== 'string' || !HEADER_VALUE.test(value)))
      return `has a wrong value for ${name}: it must be a string of Latin-1 characters without line ends`;
  }
  return undefined;
}

/**
 * Checks headers that a hook returns, and returns them with names in lower case.
 *
 * @throws TypeError if a name or value is not allowed. Its message shows no value.
 */
export function extraHeaders(given: object): Record<string, string> {
  if (isThenable(given)) throw new TypeError('it must return its headers at once, not a promise');
  const headers = isRecord(given) ? copyMembers(given) : given;
  const message = headersFault(headers);
  if (message !== undefined) throw new TypeError(`what it returns ${message}`);
  return lowerCaseNames(headers as Record<string, string | undefined>);
}

/** Returns the headers with a value, in lower case. A later one replaces an earlier one. */
export function lowerCaseNames(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given[name.toLowerCase()] = value;
  return given;
}

const NO_OPTIONS: RequestOptions = new Bare();

/** Reads the options of a call. Adds issues with paths such as `options.timeout`. */
export function readRequestOptions(given: unknown, operation: Operation, issues: Issue[]): RequestOptions {
  if (given === undefined) return NO_OPTIONS;
  const rules = operation.cursor === undefined ? KEYED_RULES : LIST_RULES;
  const { options, issues: wrong } = readOptionsBy<RequestOptions>(given, rules, operation);
  issues.push(...wrong);
  if (options.idempotencyKey !== undefined && operation.retrySafety !== 'keyed') {
    const message = operation.refusesKey ?? 'this operation takes no Idempotency-Key';
    issues.push({ path: 'options.idempotencyKey', message });
  }
  return options;
}

/** Reads options by their rules. An unknown option is an issue, unless it is undefined. */
export function readOptionsBy<Options>(
  given: unknown,
  rules: AnyRules,
  operation: Operation,
): { readonly options: Options; readonly issues: readonly Issue[] } {
  if (!isRecord(given)) return { options: {} as Options, issues: [{ path: 'options', message: 'must be an object' }] };
  const { options, faults } = readOptions(given, rules);
  const issues = issuesOf(faults, options).map(({ path, message }) => ({
    path: `options.${path}`,
    message: misplaced(path, operation) ?? message,
  }));
  return { options: options as Options, issues };
}

/** Returns faults as issues. An unknown option that is undefined is ignored. */
export function issuesOf(faults: readonly OptionFault[], options: Members): Issue[] {
  return faults
    .filter(({ name, isUnknown }) => isUnknown !== true || options[name] !== undefined)
    .map(({ name, message }) => ({ path: name, message }));
}

/** Says where a name belongs that is a member of the operation's query or body. */
function misplaced(name: string, { query, body }: Operation): string | undefined {
  const isIn = (schema: LazySchema | undefined) => schema !== undefined && membersOf(schema)?.parts.has(name);
  if (isIn(query)) return 'belongs to the parameters, the argument before the options';
  return isIn(body) ? 'belongs to the body, the argument before the options' : undefined;
}

/**
 * Your application, as the service sees it: `user-agent: partner-sdk/1.0.0 payouts/2.1`. An invalid
 * member throws a `ConfigurationError`.
 */
export interface AppInfo {
  /** Letters, digits and any of ``!#$%&'*+-.^_`|~``, 1 to 64 characters. Required. */
  readonly name: string;
  /** The same characters as `name`. Default: none. */
  readonly version?: string | undefined;
  /** The application's page: a URL of http or https, at most 256 characters. Default: none. */
  readonly url?: string | undefined;
}

/** The form of a product in `user-agent`: a token of HTTP. */
const APP_WORD = rule(
  (value) => typeof value === 'string' && /^[!#$%&'*+\-.^_`|~\w]{1,64}$/.test(value),
  "must be 1 to 64 letters, digits or any of !#$%&'*+-.^_`|~",
);

const APP_URL = rule(
  (value) => typeof value === 'string' && /^https?:\/\/[!-'*-[\]-~]{1,248}$/.test(value) && URL.canParse(value),
  'must be a URL of http or https without spaces or parentheses, at most 256 characters',
);

export const APP_INFO: Rule = objectOf({ name: { ...APP_WORD, required: true }, version: APP_WORD, url: APP_URL });

/** For example `partner-sdk/1.0.0 payouts/2.1 (https://example.com)`. */
export function userAgentOf(app: AppInfo | undefined): string {
  const own = `partner-sdk/${VERSION}`;
  if (app === undefined) return own;
  const { name, version, url } = app;
  return `${own} ${name}${version === undefined ? '' : `/${version}`}${url === undefined ? '' : ` (${url})`}`;
}
