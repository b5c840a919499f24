import { ConfigurationError } from './errors.js';
import { HOOK_NAMES, type Hooks } from './events.js';
import type { NonceOrder } from './lane/lane-members.js';
import type { Credentials } from './lane/lanes.js';
import type { Logger } from './logger.js';
import { lowerCaseNames } from './request/headers.js';
import { type OtpProvider, SHARED_TABLE } from './request/options.js';
import type { ResponseValidation } from './schema/reading.js';
import { type CoordinatedNonceSource, clockNonces, coordinatedSource, type NonceSource } from './signing/nonce.js';
import { HmacSigner, type Signer } from './signing/signer.js';
import { defaultTransport } from './transport/default.js';
import { isTransport, type Transport } from './transport/transport.js';
import { copyMembers, hasMethod, isPlain, ownMember } from './util/members.js';
import {
  checkOptions,
  isBase64,
  isCount,
  isFunction,
  isMilliseconds,
  isRecord,
  MAX_TIMER,
  type Rule,
  rule,
  rulesOf,
} from './util/options.js';
import { VERSION } from './version.js';

/** The API secret (base64), or a function that fetches it, from a vault say; asked once per attempt, so that it may rotate. */
export type ApiSecret = string | (() => string | Promise<string>);

/** Options of `new PartnerClient()`. An unknown or wrong one is a `ConfigurationError`. */
export interface ClientOptions {
  /**
   * Address of the service: https, or http on loopback. May have a path prefix (it is part of the signed path), no
   * query, fragment or credentials. Default: the environment's `PARTNER_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** The partner's public key. Default: the environment's `PARTNER_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** The secret that belongs to `apiKey`, base64, or a function that gives it. Default: the environment's `PARTNER_API_SECRET`. */
  readonly apiSecret?: ApiSecret | undefined;
  /** Several API keys in place of `apiKey` and `apiSecret`: a lane each, a call takes the least busy and stays on it. */
  readonly credentials?: readonly { readonly apiKey: string; readonly apiSecret?: ApiSecret | undefined }[] | undefined;
  /** Total milliseconds of a call over all attempts and waits, from its start. Default 30,000; at the limit a `TimeoutError`. */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds of one attempt, body included, from when its bytes leave. Default 10,000; at the limit the next attempt.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * Repeats after the first attempt, where repeating is safe. Default 3. What certainly had no effect is repeated with 0, too: a request
   * that a later nonce overtook, or that the service says it has not begun with.
   */
  readonly maxRetries?: number | undefined;
  /** The longest `Retry-After`, in milliseconds, that is waited for; a longer one ends the call at once. Default 30,000. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Where nonces come from. Default: nanoseconds since the epoch, strictly rising per API key in the whole process. When several
   * processes or machines use the same API keys: `redisKeyLeases` or `redisNonces` of `partner-sdk/redis`.
   */
  readonly nonce?: NonceSource | undefined;
  /**
   * `adaptive` (default): up to 64 requests in flight, as close together as `nonceRefusals` allows. `strict`: one at a time. `unordered`:
   * up to 64 without a gap, for API keys whose nonce window at the service allows late arrivals.
   */
  readonly nonceOrder?: NonceOrder | undefined;
  /**
   * The share of requests, 0 to 1, that the service may refuse because a later nonce arrived first, while calls wait in the queue. Such
   * requests are made again. A larger share allows a higher rate. While nobody waits, at most 0.001 is spent. 0: one request at a time, for a
   * service that locks API keys after refusals. Default 0.01. Clients that share an API key get the smallest share among them.
   */
  readonly nonceRefusals?: number | undefined;
  /** Makes `API-Sign`: an object with `sign(input)`, or that function. Default: HMAC-SHA512 with the API secret. */
  readonly signer?: Signer | Signer['sign'] | undefined;
  /**
   * One-time password. A text is sent with `accounts.wallets.whitelist`, which requires one, and with no other call. A function is asked for
   * every write, once per attempt: what it gives is sent, and nothing when it gives undefined (for `whitelist` that is a `ProviderError`
   * before sending). Default: none.
   */
  readonly otp?: string | OtpProvider | undefined;
  /** How bytes reach the service. Default: undici where it runs, else the platform's fetch. */
  readonly transport?: Transport | undefined;
  /** Largest answer that is read, in bytes. Default 4 MiB; above, a `ResponseValidationError`. */
  readonly maxResponseBytes?: number | undefined;
  /** Allows plain http to hosts that are not loopback. Default false: signatures and personal data would cross the net readable. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Extra headers of every request, never those the SDK writes. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * What becomes of an answer that is not as its type says. `tolerant` (default): a member that is missing, or `null` where its type has
   * no `null`, reads as `undefined`, **although its type does not say so**, and the logger is told (`warn`, once per path and client); a
   * value of a wrong type is a `ResponseValidationError`. `strict`: both are. `warn`: neither is; the logger is told, and what could
   * not be read is there as it came. Without its `data`, or its list, an answer is a `ResponseValidationError` in every mode, and so is
   * one that belongs to another call: identity is not shape.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * Receives one line per request and answer (`debug`), repeat (`warn`) and failure (`error`), with allowlisted fields only. `console`,
   * pino and winston fit; `pinoLogger(…)` is for other loggers whose methods take `(fields, message)`. Default: none.
   */
  readonly logger?: Logger | undefined;
  /** Functions that see what happens, with allowlisted fields only. They cannot change a call. Default: none. */
  readonly hooks?: Hooks | undefined;
}

/** The options of a client, checked and complete. */
export interface ClientSettings {
  readonly origin: string;
  /** Path of `baseUrl` without the trailing slash. */
  readonly pathPrefix: string;
  readonly credentials: readonly Credentials[];
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly maxRetries: number;
  readonly maxRetryAfter: number;
  readonly nonces: CoordinatedNonceSource;
  readonly nonceOrder: NonceOrder;
  readonly nonceRefusals: number;
  readonly signer: Signer;
  readonly otp: string | OtpProvider | undefined;
  readonly transport: Transport;
  readonly maxResponseBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly responseValidation: ResponseValidation;
  readonly logger: Logger | undefined;
  readonly hooks: Hooks | undefined;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSecret = (value: unknown) => typeof value === 'string' || typeof value === 'function';

const API_KEY = 'must be non-empty printable text without spaces';
const NON_NEGATIVE_MILLISECONDS = `must be milliseconds of 0 or more, at most ${MAX_TIMER}`;

const HOOKS: ReadonlySet<string> = new Set(HOOK_NAMES);

const NO_TRANSPORT =
  'must be made by undiciTransport() or fetchTransport() of this version of partner-sdk; for a proxy or a mock use ' +
  'undiciTransport({ dispatcher }) or fetchTransport({ fetch })';

const RULE_TABLE: { readonly [Name in keyof Required<ClientOptions>]: Rule } = {
  ...SHARED_TABLE,
  baseUrl: rule((value) => typeof value === 'string', 'must be a URL as text'),
  apiKey: rule(isApiKey, API_KEY),
  apiSecret: rule(isSecret, 'must be base64 text or a function that gives it'),
  credentials: rule(
    isCredentialList,
    'must be a non-empty array of { apiKey, apiSecret }, no API key twice',
    copyCredentials,
  ),
  maxRetryAfter: rule((value) => value === 0 || isMilliseconds(value), NON_NEGATIVE_MILLISECONDS),
  nonce: rule((value) => hasMethod(value, 'next'), 'must be an object with next(apiKey)'),
  nonceOrder: rule(
    (value) => ['adaptive', 'strict', 'unordered'].includes(value as string),
    'must be adaptive, strict or unordered',
  ),
  nonceRefusals: rule((value) => typeof value === 'number' && value >= 0 && value <= 1, 'must be a share from 0 to 1'),
  signer: rule(
    (value) => typeof value === 'function' || hasMethod(value, 'sign'),
    'must be a function or an object with sign(input)',
  ),
  transport: rule(isTransport, NO_TRANSPORT),
  maxResponseBytes: rule((value) => isCount(value, 1), 'must be a positive integer'),
  allowInsecureHttp: rule((value) => typeof value === 'boolean', 'must be true or false'),
  responseValidation: rule(
    (value) => ['tolerant', 'strict', 'warn'].includes(value as string),
    'must be tolerant, strict or warn',
  ),
  logger: rule(isObject, 'must be an object such as console'),
  hooks: rule(isHooks, `must be an object with functions among ${HOOK_NAMES.join(', ')}`, copyHooks),
};

const RULES = rulesOf(RULE_TABLE);

function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

const CREDENTIAL_NAMES: ReadonlySet<string> = new Set(['apiKey', 'apiSecret'] satisfies (keyof Credentials)[]);

function copyCredentials(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) => (isRecord(entry) ? copyMembers(entry, CREDENTIAL_NAMES) : entry));
}

function isCredentialList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const known = (entry: unknown) => isRecord(entry) && Object.keys(entry).every((name) => CREDENTIAL_NAMES.has(name));
  return value.every(known) && new Set(value.map(({ apiKey }) => apiKey)).size === value.length;
}

/** The functions, each called as a method of its object. An instance of a class may have other members as well. */
function copyHooks(value: unknown): unknown {
  if (!isObject(value)) return value;
  const hooks = copyMembers(value, HOOKS);
  for (const [name, hook] of Object.entries(hooks)) {
    if (!HOOKS.has(name) && !isPlain(value)) delete hooks[name];
    else if (typeof hook === 'function') hooks[name] = hook.bind(value);
  }
  return hooks;
}

function isHooks(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, hook]) => HOOKS.has(name) && (hook === undefined || isFunction(hook)));
}

/** Reads the options of a client once, and checks each of them. */
export function readClientOptions(options: unknown): ClientOptions {
  return checkOptions('', options, RULES, ConfigurationError);
}

/** Options, as they were read, over those of another client: an undefined one changes nothing, and one form of credentials replaces the other. */
export function mergeOptions(base: ClientOptions, changes: ClientOptions): ClientOptions {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as ClientOptions;
  const { apiKey, apiSecret, credentials, ...rest } = base;
  if (given.credentials !== undefined) return { ...rest, ...given };
  if (given.apiKey !== undefined || given.apiSecret !== undefined) return { ...rest, apiKey, apiSecret, ...given };
  return { ...base, ...given };
}

/** Fills in the defaults of options that have been read. Throws `ConfigurationError`; no value is ever in a message. */
export function resolveOptions(options: ClientOptions): ClientSettings {
  const signer = typeof options.signer === 'function' ? { sign: options.signer } : (options.signer ?? new HmacSigner());
  const { origin, pathPrefix } = resolveBaseUrl(options);
  return {
    origin,
    pathPrefix,
    credentials: resolveCredentials(options, signer),
    timeout: options.timeout ?? 30_000,
    attemptTimeout: options.attemptTimeout ?? 10_000,
    maxRetries: options.maxRetries ?? 3,
    maxRetryAfter: options.maxRetryAfter ?? 30_000,
    nonces: coordinatedSource(options.nonce ?? clockNonces),
    nonceOrder: options.nonceOrder ?? 'adaptive',
    nonceRefusals: options.nonceRefusals ?? 0.01,
    signer,
    otp: options.otp,
    transport: options.transport ?? defaultTransport(),
    maxResponseBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
    headers: { accept: 'application/json', 'user-agent': `partner-sdk/${VERSION}`, ...lowerCaseNames(options.headers) },
    responseValidation: options.responseValidation ?? 'tolerant',
    logger: options.logger,
    hooks: options.hooks,
  };
}

function environment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : ownMember(process.env, name);
  return value === '' ? undefined : value;
}

function resolveBaseUrl({ baseUrl = environment('PARTNER_BASE_URL'), allowInsecureHttp }: ClientOptions) {
  if (baseUrl === undefined)
    throw new ConfigurationError('baseUrl is missing: give it as an option or as PARTNER_BASE_URL');
  if (!URL.canParse(baseUrl)) throw new ConfigurationError('baseUrl is no URL, for instance https://api.example.com');
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') throw new ConfigurationError('baseUrl must not have credentials');
  if (/[?#]/.test(baseUrl)) throw new ConfigurationError('baseUrl must not have a query or a fragment');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ConfigurationError('baseUrl must be https (or http on loopback)');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && allowInsecureHttp !== true) {
    throw new ConfigurationError(
      'baseUrl must be https: plain http is for loopback only, unless allowInsecureHttp is true',
    );
  }
  return { origin: url.origin, pathPrefix: withoutTrailingSlashes(url.pathname) };
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The name `localhost` and the loopback addresses. A name below it (`api.localhost`) is asked of a resolver, which may ask the net. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function resolveCredentials(options: ClientOptions, signer: Signer): Credentials[] {
  const single = options.apiKey !== undefined || options.apiSecret !== undefined;
  if (options.credentials !== undefined && single)
    throw new ConfigurationError('give either credentials or apiKey and apiSecret');
  const credentials = options.credentials ?? [
    {
      apiKey: options.apiKey ?? environment('PARTNER_API_KEY') ?? '',
      apiSecret: options.apiSecret ?? environment('PARTNER_API_SECRET'),
    },
  ];
  return credentials.map(({ apiKey, apiSecret }) => {
    if (apiKey === '') throw new ConfigurationError('apiKey is missing: give it as an option or as PARTNER_API_KEY');
    if (!isApiKey(apiKey)) throw new ConfigurationError(`apiKey (also PARTNER_API_KEY and in credentials) ${API_KEY}`);
    checkSecret(apiSecret, signer);
    return { apiKey, apiSecret };
  });
}

/** A signer of the caller's may have its own secret, in its own form. */
function checkSecret(secret: unknown, signer: Signer): void {
  if (!(signer instanceof HmacSigner)) return;
  if (secret === undefined)
    throw new ConfigurationError('apiSecret is missing: give it as an option or as PARTNER_API_SECRET');
  if (!isSecret(secret)) throw new ConfigurationError('apiSecret must be base64 text or a function that gives it');
  if (typeof secret === 'string' && !isBase64(secret)) {
    throw new ConfigurationError(`apiSecret must be base64${secret === secret.trim() ? '' : SPACE_AROUND}`);
  }
}

const SPACE_AROUND =
  ', without whitespace around it: a newline at the end, from an environment file for instance, is the usual cause';
