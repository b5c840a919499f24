import { ConfigurationError } from './errors.js';
import { HOOK_NAMES, type Hooks } from './events.js';
import type { NonceOrder } from './lane/lane-members.js';
import type { Logger } from './logger.js';
import { lowerCaseNames, type OtpProvider, REQUEST_RULES } from './request/options.js';
import type { RequestSettings } from './request/prepare.js';
import type { ResponseValidation } from './schema/reading.js';
import type { Credentials } from './signing/credentials.js';
import { type CoordinatedNonceSource, clockNonces, coordinatedSource, type NonceSource } from './signing/nonce.js';
import { HmacSigner, type Signer } from './signing/signer.js';
import { defaultTransport } from './transport/default.js';
import { isTransport, type Transport } from './transport/transport.js';
import { hasMethod, ownMember } from './util/members.js';
import {
  ANYTHING,
  BOOLEAN,
  checkGiven,
  functionsOf,
  isBase64,
  isFunction,
  listOf,
  MILLISECONDS_OR_0,
  oneOf,
  type Rules,
  rule,
  wholeNumber,
  withDefaults,
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
export interface ClientSettings extends RequestSettings {
  readonly origin: string;
  readonly credentials: readonly Credentials[];
  readonly maxRetryAfter: number;
  readonly nonces: CoordinatedNonceSource;
  readonly nonceOrder: NonceOrder;
  readonly nonceRefusals: number;
  readonly signer: Signer;
  readonly transport: Transport;
  readonly maxResponseBytes: number;
  readonly responseValidation: ResponseValidation;
  readonly logger: Logger | undefined;
  readonly hooks: Hooks | undefined;
}

const isSecret = (value: unknown) => typeof value === 'string' || isFunction(value);

const API_KEY = 'must be non-empty printable text without spaces';

const NO_TRANSPORT =
  'must be made by undiciTransport() or fetchTransport() of this version of partner-sdk; for a proxy or a mock use ' +
  'undiciTransport({ dispatcher }) or fetchTransport({ fetch })';

/** The rule of each option, and its default where that is a fixed value. */
const RULES = {
  baseUrl: rule((value) => typeof value === 'string', 'must be a URL as text'),
  apiKey: rule(isApiKey, API_KEY),
  apiSecret: rule(isSecret, 'must be base64 text or a function that returns it'),
  credentials: listOf({ apiKey: rule(isApiKey, API_KEY), apiSecret: ANYTHING }),
  timeout: { ...REQUEST_RULES.timeout, default: 30_000 },
  attemptTimeout: { ...REQUEST_RULES.attemptTimeout, default: 10_000 },
  maxRetries: { ...REQUEST_RULES.maxRetries, default: 3 },
  maxRetryAfter: { ...MILLISECONDS_OR_0, default: 30_000 },
  nonce: rule((value) => hasMethod(value, 'next'), 'must be an object with next(apiKey)'),
  nonceOrder: { ...oneOf('adaptive', 'strict', 'unordered'), default: 'adaptive' },
  nonceRefusals: { ...rule(isShare, 'must be a share from 0 to 1'), default: 0.01 },
  signer: rule(
    (value) => isFunction(value) || hasMethod(value, 'sign'),
    'must be a function or an object with sign(input)',
  ),
  otp: REQUEST_RULES.otp,
  transport: rule(isTransport, NO_TRANSPORT),
  maxResponseBytes: { ...wholeNumber(1), default: 4 * 1024 * 1024 },
  allowInsecureHttp: { ...BOOLEAN, default: false },
  headers: REQUEST_RULES.headers,
  responseValidation: { ...oneOf('tolerant', 'strict', 'warn'), default: 'tolerant' },
  logger: rule((value) => typeof value === 'object' && value !== null, 'must be an object such as console'),
  hooks: functionsOf(HOOK_NAMES),
} satisfies Rules<ClientOptions>;

function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Reads the options of a client once, and checks each of them. */
export function readClientOptions(options: unknown): ClientOptions {
  return checkGiven('', options as ClientOptions, RULES, ConfigurationError);
}

/** Options, as they were read, over those of another client: an undefined one changes nothing, and one form of credentials replaces the other. */
export function mergeOptions(base: ClientOptions, changes: ClientOptions): ClientOptions {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as ClientOptions;
  const { apiKey, apiSecret, credentials, ...rest } = base;
  if (given.credentials !== undefined) return { ...rest, ...given };
  if (given.apiKey !== undefined || given.apiSecret !== undefined) return { ...rest, apiKey, apiSecret, ...given };
  return { ...base, ...given };
}

/**
 * Fills in the defaults of options that were checked, those of the environment among them.
 *
 * @throws ConfigurationError without any value in its message.
 */
export function resolveOptions(options: ClientOptions): ClientSettings {
  const {
    baseUrl,
    allowInsecureHttp,
    apiKey,
    apiSecret,
    credentials,
    nonce,
    signer: given,
    ...others
  } = withDefaults(options, RULES);
  const signer = typeof given === 'function' ? { sign: given } : (given ?? new HmacSigner());
  return {
    ...others,
    ...resolveBaseUrl(baseUrl, allowInsecureHttp),
    credentials: resolveCredentials({ apiKey, apiSecret, credentials }, signer),
    nonces: coordinatedSource(nonce ?? clockNonces),
    signer,
    transport: others.transport ?? defaultTransport(),
    headers: { accept: 'application/json', 'user-agent': `partner-sdk/${VERSION}`, ...lowerCaseNames(others.headers) },
  };
}

function environment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : ownMember(process.env, name);
  return value === '' ? undefined : value;
}

function resolveBaseUrl(baseUrl = environment('PARTNER_BASE_URL'), allowInsecureHttp: boolean) {
  if (baseUrl === undefined)
    throw new ConfigurationError('baseUrl is missing: give it as an option or as PARTNER_BASE_URL');
  if (!URL.canParse(baseUrl))
    throw new ConfigurationError('baseUrl is not a URL: give one like https://api.example.com');
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') throw new ConfigurationError('baseUrl must not have credentials');
  if (/[?#]/.test(baseUrl)) throw new ConfigurationError('baseUrl must not have a query or a fragment');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ConfigurationError('baseUrl must be https (or http on loopback)');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
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

function resolveCredentials(
  options: Pick<ClientOptions, 'apiKey' | 'apiSecret' | 'credentials'>,
  signer: Signer,
): Credentials[] {
  const single = options.apiKey !== undefined || options.apiSecret !== undefined;
  if (options.credentials !== undefined && single)
    throw new ConfigurationError('give either credentials or apiKey and apiSecret');
  const credentials = options.credentials ?? [
    {
      apiKey: options.apiKey ?? environment('PARTNER_API_KEY') ?? '',
      apiSecret: options.apiSecret ?? environment('PARTNER_API_SECRET'),
    },
  ];
  if (new Set(credentials.map(({ apiKey }) => apiKey)).size < credentials.length)
    throw new ConfigurationError('credentials must not have an API key twice');
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
