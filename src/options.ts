import { ConfigurationError } from './errors.js';
import { HOOK_NAMES, type Hooks, IS_IDLE, type OwnHooks, SENDING } from './events.js';
import type { Logger } from './logger.js';
import { lowerCaseNames, type OtpProvider, REQUEST_RULES } from './request/options.js';
import type { RequestSettings } from './request/prepare.js';
import { APP_INFO, type AppInfo, userAgentOf } from './request/user-agent.js';
import { isBase64 } from './runtime/bytes.js';
import type { ResponseValidation } from './schema/reading.js';
import { areSwapped, copyingMistake, formMistake } from './signing/credential-text.js';
import type { Credentials } from './signing/credentials.js';
import { type CoordinatedNonceSource, clockNonces, coordinatedSource, type NonceSource } from './signing/nonce.js';
import { HmacSigner, type Signer } from './signing/signer.js';
import type { NonceOrder } from './stats.js';
import { defaultTransport } from './transport/default.js';
import { isTransport, type Transport } from './transport/transport.js';
import { isLoopback } from './util/loopback.js';
import { hasMethod, ownMember } from './util/members.js';
import {
  ANYTHING,
  BOOLEAN,
  checkGiven,
  functionsOf,
  isFunction,
  listOf,
  MILLISECONDS_OR_0,
  oneOf,
  oneOrMore,
  type Rule,
  type Rules,
  rule,
  wholeNumber,
  withDefaults,
} from './util/options.js';

/**
 * The API secret in base64, or a function that fetches it, for example from a vault. The function
 * is called once per attempt, so the secret may rotate.
 */
export type ApiSecret = string | (() => string | Promise<string>);

/** Options of `new PartnerClient()`. An unknown or wrong option is a `ConfigurationError`. */
export interface ClientOptions {
  /**
   * Address of the service: https, or http on loopback. It may have a path prefix, which is signed
   * with the path. It must not have a query, a fragment or credentials. Default: the environment
   * variable `PARTNER_BASE_URL`.
   */
  readonly baseUrl?: string | undefined;
  /** The partner's public key. Default: the environment variable `PARTNER_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * The secret of `apiKey` in base64, or a function that returns it. Default: the environment
   * variable `PARTNER_API_SECRET`.
   */
  readonly apiSecret?: ApiSecret | undefined;
  /**
   * Several API keys, in place of `apiKey` and `apiSecret`. Each has a lane of its own. A call
   * takes the least busy lane and stays on it.
   */
  readonly credentials?: readonly { readonly apiKey: string; readonly apiSecret?: ApiSecret | undefined }[] | undefined;
  /**
   * Time limit of a call in ms, from its start, over all attempts and waits. Above 0, at most
   * 2,147,483,647. Default 30,000. At the limit the call fails with a `TimeoutError`.
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of one attempt in ms, from the moment its bytes leave until the answer is whole.
   * Above 0, at most 2,147,483,647. Default 10,000. At the limit the attempt fails and may be
   * retried.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * Most retries of a call, where a retry is safe. 0 or more. Default 3. A request that certainly
   * had no effect is retried even with 0: one that a later nonce overtook, or that the service did
   * not begin with.
   */
  readonly maxRetries?: number | undefined;
  /** In ms, 0 or more. Default 30,000. A longer `Retry-After` ends the call at once. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The source of nonces. Default: nanoseconds since the epoch, strictly rising for each API key in
   * the whole process. If several processes use the same API keys, use `redisKeyLeases` or
   * `redisNonces` of `partner-sdk/redis`, or `keyIsShared`.
   */
  readonly nonce?: NonceSource | undefined;
  /**
   * True if other processes use these API keys without coordination, for example functions that
   * make a few calls each. Default false. A 401 had no effect, and may mean that another process
   * came first. So the call is sent again with a new nonce, up to five times, also with
   * `maxRetries: 0`. Before the first success of the process, calls wait while one is tried at a
   * time; after five refused tries they fail with that 401. A call that sent a text as OTP is not
   * sent again, and an OTP function is asked at most three times a call. With `nonce` it is a
   * `ConfigurationError`.
   */
  readonly keyIsShared?: boolean | undefined;
  /**
   * The order in which requests of one API key are sent:
   *
   * - `adaptive` (default): up to 64 in flight, as close together as `nonceRefusals` allows;
   * - `strict`: one at a time;
   * - `unordered`: up to 64 in flight without a gap, for API keys whose nonce window at the service
   *   allows late arrivals.
   */
  readonly nonceOrder?: NonceOrder | undefined;
  /**
   * Share of requests, from 0 to 1, that the service may refuse because a later nonce arrived
   * first. The client retries them. Default 0.01. A larger share allows a higher rate. It is spent
   * only while calls wait in the queue; otherwise at most 0.001 is. With 0 there is one request at
   * a time, for a service that locks API keys after refusals. Clients that share an API key get the
   * smallest share among them.
   */
  readonly nonceRefusals?: number | undefined;
  /**
   * Signs requests (`API-Sign`): an object with `sign(input)`, or that function. Default:
   * HMAC-SHA512 with the API secret.
   */
  readonly signer?: Signer | Signer['sign'] | undefined;
  /**
   * One-time password (`API-Otp`). Default: none. A text is sent only with
   * `accounts.wallets.whitelist`, which requires one. A function is called for every write, once
   * per attempt. What it returns is sent; with `undefined` nothing is. If `whitelist` gets no
   * password, it fails with a `ProviderError` before it is sent.
   */
  readonly otp?: string | OtpProvider | undefined;
  /**
   * The way to the service: `undiciTransport()` or `fetchTransport()`. Default: undici where it
   * runs, otherwise the `fetch` of the platform.
   */
  readonly transport?: Transport | undefined;
  /**
   * Largest answer that is read, in bytes. 1 or more. Default 4 MiB (4,194,304). A larger answer is
   * a `ResponseValidationError`.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Allows plain http to hosts that are not loopback: signatures and personal data would be
   * readable on the network. Default false.
   */
  readonly allowInsecureHttp?: boolean | undefined;
  /**
   * Extra headers of every request. Headers that the SDK writes are refused; `user-agent` is one of
   * them, see `appInfo`. Default: none.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Names your application in the header `user-agent`, behind the SDK. Default: none. */
  readonly appInfo?: AppInfo | undefined;
  /**
   * The check of answers against their types:
   *
   * - `tolerant` (default): a missing member, or `null` where the type has no `null`, is read as
   *   `undefined`, **although its type does not say so**. The logger gets a `warn`, once per path
   *   and client. A value of a wrong type is a `ResponseValidationError`.
   * - `strict`: a missing member is a `ResponseValidationError`, too.
   * - `warn`: neither is an error. The logger gets a `warn`, and a value that cannot be read stays
   *   as it came.
   *
   * In every mode, an answer without its `data` or its list is a `ResponseValidationError`. So is
   * an answer that belongs to another call.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * Receives a line for each request and answer (`debug`), retry (`warn`) and failure (`error`),
   * with fields of an allowlist only. `console`, pino and winston fit. For other loggers whose
   * methods take `(fields, message)` use `pinoLogger(…)`. Default: none.
   */
  readonly logger?: Logger | undefined;
  /**
   * Functions that observe calls, with allowlisted fields. Several such objects in an array are
   * called in their order, and the `run` of the first is outermost. The failure of one does not
   * reach the others. Default: none.
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
}

/** The options of a client, checked and complete. */
export interface ClientSettings extends RequestSettings {
  readonly origin: string;
  readonly credentials: readonly Credentials[];
  readonly maxRetryAfter: number;
  readonly nonces: CoordinatedNonceSource;
  readonly keyIsShared: boolean;
  readonly nonceOrder: NonceOrder;
  readonly nonceRefusals: number;
  readonly signer: Signer;
  readonly transport: Transport;
  readonly maxResponseBytes: number;
  readonly responseValidation: ResponseValidation;
  readonly logger: Logger | undefined;
  readonly hooks: readonly Hooks[] | undefined;
}

const isSecret = (value: unknown) => typeof value === 'string' || isFunction(value);

const API_KEY = 'must be non-empty printable text without spaces';

const NO_TRANSPORT =
  'must be made by undiciTransport() or fetchTransport() of this version of partner-sdk; for a proxy or a mock use ' +
  'undiciTransport({ dispatcher }) or fetchTransport({ fetch })';

const FUNCTIONS_OF_HOOKS = functionsOf(HOOK_NAMES);
const HOOKS: Rule = {
  read: (value, name, faults) => {
    const read = FUNCTIONS_OF_HOOKS.read(value, name, faults);
    return isOwn(value)
      ? Object.assign(read as OwnHooks, { [IS_IDLE]: value[IS_IDLE], [SENDING]: value[SENDING] })
      : read;
  },
};

const isOwn = (value: unknown): value is OwnHooks =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, IS_IDLE);

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
  keyIsShared: { ...BOOLEAN, default: false },
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
  appInfo: APP_INFO,
  responseValidation: { ...oneOf('tolerant', 'strict', 'warn'), default: 'tolerant' },
  logger: rule((value) => typeof value === 'object' && value !== null, 'must be an object such as console'),
  hooks: oneOrMore(HOOKS),
} satisfies Rules<ClientOptions>;

function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Checks the options of a client, each read once. */
export function readClientOptions(options: unknown): ClientOptions {
  return checkGiven('', options as ClientOptions, RULES, ConfigurationError);
}

/** Puts options over another client's. Undefined changes nothing; credentials replace all forms. */
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
  const { baseUrl, allowInsecureHttp, apiKey, apiSecret, credentials, nonce, appInfo, headers, ...others } =
    withDefaults(options, RULES);
  if (others.keyIsShared && nonce !== undefined) throw new ConfigurationError(SHARED_WITH_SOURCE);
  const signer = typeof others.signer === 'function' ? { sign: others.signer } : (others.signer ?? new HmacSigner());
  const found = withEnvironment({ baseUrl, apiKey, apiSecret, credentials }, signer);
  const resolved = resolveCredentials(found, signer);
  if (signer instanceof HmacSigner) keepKeys(signer, resolved);
  return {
    ...others,
    ...resolveBaseUrl(found.baseUrl, allowInsecureHttp),
    credentials: resolved,
    nonces: coordinatedSource(nonce ?? clockNonces),
    signer,
    // Its rule reads one object as an array.
    hooks: others.hooks as readonly Hooks[] | undefined,
    transport: others.transport ?? defaultTransport(),
    headers: { accept: 'application/json', 'user-agent': userAgentOf(appInfo), ...lowerCaseNames(headers) },
  };
}

function keepKeys(signer: HmacSigner, credentials: readonly Credentials[]): void {
  for (const { apiSecret } of credentials) if (typeof apiSecret === 'string') signer.keep(apiSecret);
}

type Needed = Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'apiSecret' | 'credentials'>;

const VARIABLES = {
  baseUrl: 'PARTNER_BASE_URL',
  apiKey: 'PARTNER_API_KEY',
  apiSecret: 'PARTNER_API_SECRET',
} as const;

type Named = keyof typeof VARIABLES;

/** Takes from the environment what the options leave out. All that is missing is one error. */
function withEnvironment(options: Needed, signer: Signer): Needed & { readonly baseUrl: string } {
  const { credentials, apiKey, apiSecret } = options;
  if (credentials !== undefined && (apiKey !== undefined || apiSecret !== undefined))
    throw new ConfigurationError('give either credentials or apiKey and apiSecret');
  const find = <Name extends Named>(name: Name) => options[name] ?? environment(VARIABLES[name]);
  const baseUrl = find('baseUrl');
  const found = credentials === undefined ? { apiKey: find('apiKey'), apiSecret: find('apiSecret') } : undefined;
  const needed: Partial<Record<Named, unknown>> = { baseUrl, ...found };
  if (!(signer instanceof HmacSigner)) delete needed.apiSecret;
  const missing = (Object.keys(needed) as Named[]).filter((name) => needed[name] === undefined);
  if (baseUrl === undefined || missing.length > 0) throw new ConfigurationError(missingText(missing));
  return { baseUrl, credentials, ...found };
}

function missingText(names: readonly Named[]): string {
  const variables = inWords(names.map((name) => VARIABLES[name]));
  return names.length === 1
    ? `${names[0]} is missing: give it as an option or as ${variables}`
    : `${inWords(names)} are missing: give them as options or as ${variables}`;
}

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const SHARED_WITH_SOURCE =
  'keyIsShared needs the default nonces: with redisKeyLeases and redisNonces no other process sends at the same time, and of another ' +
  'source a new nonce may be too low again; leave out nonce or keyIsShared';

function environment(name: string): string | undefined {
  const value = typeof process === 'undefined' ? undefined : ownMember(process.env, name);
  return value === '' ? undefined : value;
}

function resolveBaseUrl(baseUrl: string, allowInsecureHttp: boolean) {
  if (!URL.canParse(baseUrl)) {
    const mistake = copyingMistake(baseUrl);
    const hint = mistake === undefined ? 'give one like https://api.example.com' : `it ${mistake}`;
    throw new ConfigurationError(`baseUrl is not a URL: ${hint}`);
  }
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

function resolveCredentials({ apiKey, apiSecret, credentials }: Needed, signer: Signer): Credentials[] {
  const given = credentials ?? [{ apiKey: apiKey ?? '', apiSecret }];
  if (new Set(given.map((one) => one.apiKey)).size < given.length)
    throw new ConfigurationError('credentials must not have an API key twice');
  return given.map((one) => {
    if (!isApiKey(one.apiKey))
      throw new ConfigurationError(`apiKey (also PARTNER_API_KEY and in credentials) ${API_KEY}`);
    const mistake = copyingMistake(one.apiKey);
    if (mistake !== undefined) throw new ConfigurationError(`apiKey ${mistake}`);
    checkSecret(one.apiKey, one.apiSecret, signer);
    return { apiKey: one.apiKey, apiSecret: one.apiSecret };
  });
}

/** A user-supplied signer may have a secret of its own, in a form of its own. */
function checkSecret(apiKey: string, secret: unknown, signer: Signer): void {
  if (!(signer instanceof HmacSigner)) return;
  if (secret === undefined) throw new ConfigurationError('apiSecret is missing: each of credentials needs one');
  if (!isSecret(secret)) throw new ConfigurationError('apiSecret must be base64 text or a function that gives it');
  if (typeof secret !== 'string') return;
  // Sent as the key, the secret would stand in the logs of every server on the way.
  if (areSwapped(apiKey, secret))
    throw new ConfigurationError('apiKey looks like a secret, and apiSecret does not: swap the two');
  const mistake = formMistake(secret);
  if (mistake !== undefined) throw new ConfigurationError(`apiSecret ${mistake}`);
  if (!isBase64(secret)) throw new ConfigurationError(`apiSecret must be base64${copyingHint(secret)}`);
}

function copyingHint(secret: string): string {
  if (secret !== secret.trim()) return SPACE_AROUND;
  const mistake = copyingMistake(secret);
  return mistake === undefined ? '' : `: it ${mistake}`;
}

const SPACE_AROUND =
  ', without whitespace around it: a newline at the end, from an environment file for instance, is the usual cause';
