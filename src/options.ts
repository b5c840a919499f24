import type { ClientOptions } from './client-options.js';
import { ConfigurationError } from './errors.js';
import { type Hooks, IS_IDLE, type OwnHooks, SENDING } from './events.js';
import { HOOK_NAMES } from './observer.js';
import { APP_INFO, lowerCaseNames, REQUEST_RULES, userAgentOf } from './request/options.js';
import { isBase64 } from './runtime/bytes.js';
import { areSwapped, type Credentials, copyingMistake } from './signing/credentials.js';
import { clockNonces, coordinatedSource } from './signing/nonce.js';
import { HmacSigner, type Signer } from './signing/signer.js';
import { defaultTransport } from './transport/default.js';
import { isTransport } from './transport/transport.js';
import { isInsecure, isLoopback } from './util/loopback.js';
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
import { formMistake } from './util/secret-form.js';

/** The options of a client, checked and complete. */
export type ClientSettings = ReturnType<typeof resolveOptions>;

const isSecret = (value: unknown) => typeof value === 'string' || isFunction(value);

const API_KEY: Rule = {
  read: (value, name, faults) => {
    const mistake = apiKeyMistake(value);
    if (mistake !== undefined) faults.push({ name, message: mistake });
    return value;
  },
};

const NO_TRANSPORT =
  'must be made by undiciTransport() or fetchTransport() of this version of partner-sdk; for a proxy or a mock use ' +
  'undiciTransport({ dispatcher }) or fetchTransport({ fetch })';

/** Names of other SDKs and HTTP clients for our options. */
const ELSEWHERE = {
  baseUrl: /^(base_?path|host|hostname|endpoint|api_?(url|base|host)|server|environment|url)$/i,
  apiKey: /^((access_?|bearer_?)?token|(client|key)_?id|access_?key(_?id)?)$/i,
  apiSecret: /^(secret_?(access_?)?key|client_?secret|private_?key)$/i,
  maxRetries: /^(max_?(network_?retries|attempts)|num_?retries|retry(_?(count|limit))?)$/i,
  attemptTimeout: /^(request|socket|connect(ion)?)_?timeout(_?ms)?$/i,
  transport: /^((https?_?)?(agent|client)|fetch(_?options)?|dispatcher|proxy|request_?handler)$/i,
  headers: /^default_?headers$/i,
  appInfo: /^(custom_?)?user_?agent$/i,
  logger: /^(log(_?level)?|debug)$/i,
};

const FUNCTIONS_OF_HOOKS = functionsOf(HOOK_NAMES);
const HOOKS: Rule = {
  read: (value, name, faults) => {
    const read = FUNCTIONS_OF_HOOKS.read(value, name, faults);
    if (!Object.hasOwn(Object(value), IS_IDLE)) return read;
    const own = value as OwnHooks;
    return Object.assign(read as OwnHooks, { [IS_IDLE]: own[IS_IDLE], [SENDING]: own[SENDING] });
  },
};

/** The rule of each option, and its default where that is a fixed value. */
const RULES = {
  baseUrl: {
    ...rule((value) => typeof value === 'string', 'must be a URL, as a string'),
    elsewhere: ELSEWHERE.baseUrl,
  },
  apiKey: { ...API_KEY, elsewhere: ELSEWHERE.apiKey },
  apiSecret: {
    ...rule(isSecret, 'must be a base64 string, or a function that returns one'),
    elsewhere: ELSEWHERE.apiSecret,
  },
  credentials: listOf({ apiKey: API_KEY, apiSecret: ANYTHING }),
  timeout: { ...REQUEST_RULES.timeout, default: 30_000 },
  attemptTimeout: { ...REQUEST_RULES.attemptTimeout, default: 10_000, elsewhere: ELSEWHERE.attemptTimeout },
  maxRetries: { ...REQUEST_RULES.maxRetries, default: 3, elsewhere: ELSEWHERE.maxRetries },
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
  transport: { ...rule(isTransport, NO_TRANSPORT), elsewhere: ELSEWHERE.transport },
  maxResponseBytes: { ...wholeNumber(1), default: 4 * 1024 * 1024 },
  allowInsecureHttp: { ...BOOLEAN, default: false },
  headers: { ...REQUEST_RULES.headers, elsewhere: ELSEWHERE.headers },
  appInfo: { ...APP_INFO, elsewhere: ELSEWHERE.appInfo },
  responseValidation: { ...oneOf('tolerant', 'strict', 'warn'), default: 'tolerant' },
  logger: {
    ...rule((value) => typeof value === 'object' && value !== null, 'must be an object such as console'),
    elsewhere: ELSEWHERE.logger,
  },
  hooks: oneOrMore(HOOKS),
} satisfies Rules<ClientOptions>;

function apiKeyMistake(value: unknown): string | undefined {
  const mistake = typeof value === 'string' ? copyingMistake(value) : undefined;
  if (mistake !== undefined) return mistake;
  const isApiKey = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
  return isApiKey ? undefined : 'must be a string of printable ASCII characters, at least one';
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Checks the options of a client, each read once. */
export function readClientOptions(options: unknown): ClientOptions {
  const given = checkGiven('', options as ClientOptions, RULES, ConfigurationError);
  if ((given.attemptTimeout ?? 0) > (given.timeout ?? Number.POSITIVE_INFINITY)) {
    throw new ConfigurationError(
      'attemptTimeout must not be above timeout, which is the limit of all attempts together',
    );
  }
  return given;
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
export function resolveOptions(options: ClientOptions) {
  const { baseUrl, allowInsecureHttp, apiKey, apiSecret, credentials, nonce, appInfo, headers, ...others } =
    withDefaults(options, RULES);
  if (others.keyIsShared && nonce !== undefined) throw new ConfigurationError(SHARED_WITH_SOURCE);
  const signer = typeof others.signer === 'function' ? { sign: others.signer } : (others.signer ?? new HmacSigner());
  const found = withEnvironment({ baseUrl, apiKey, apiSecret, credentials }, signer);
  const resolved = resolveCredentials(found, signer);
  if (signer instanceof HmacSigner)
    for (const { apiSecret } of resolved) if (typeof apiSecret === 'string') signer.keep(apiSecret);
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

type Needed = Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'apiSecret' | 'credentials'>;

const VARIABLES = {
  baseUrl: 'PARTNER_BASE_URL',
  apiKey: 'PARTNER_API_KEY',
  apiSecret: 'PARTNER_API_SECRET',
} as const;

type Named = keyof typeof VARIABLES;

/** Takes from the environment what the options leave out. One error names all that is missing. */
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
  'keyIsShared needs the default nonces: with redisKeyLeases no other process sends at the same time, and of another source ' +
  ' a new nonce may be too low again; leave out nonce or keyIsShared';

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
    throw new ConfigurationError('baseUrl must begin with https:// (or http:// on loopback)');
  if (isInsecure(url) && !allowInsecureHttp) {
    throw new ConfigurationError(
      'baseUrl must be https: plain http is for loopback only, unless allowInsecureHttp is true',
    );
  }
  const isPrivate = allowInsecureHttp || isLoopback(url.hostname);
  // The look behind keeps the time linear: a run of slashes in the middle is tried once.
  return { origin: url.origin, pathPrefix: url.pathname.replace(/(?<!\/)\/+$/, ''), isPrivate };
}

function resolveCredentials({ apiKey, apiSecret, credentials }: Needed, signer: Signer): Credentials[] {
  const given = credentials ?? [{ apiKey: apiKey ?? '', apiSecret }];
  if (new Set(given.map((one) => one.apiKey)).size < given.length)
    throw new ConfigurationError('credentials must not have an API key twice');
  return given.map((one) => {
    // An API key from the environment has not been checked by the rule of an option.
    const mistake = apiKeyMistake(one.apiKey);
    if (mistake !== undefined) throw new ConfigurationError(`apiKey ${mistake}`);
    checkSecret(one.apiKey, one.apiSecret, signer);
    return { apiKey: one.apiKey, apiSecret: one.apiSecret };
  });
}

/** A user-supplied signer may have a secret of its own, in a form of its own. */
function checkSecret(apiKey: string, secret: unknown, signer: Signer): void {
  if (!(signer instanceof HmacSigner)) return;
  if (secret === undefined) throw new ConfigurationError('apiSecret is missing: each of credentials needs one');
  if (!isSecret(secret))
    throw new ConfigurationError('apiSecret must be a base64 string, or a function that returns one');
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
