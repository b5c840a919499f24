import {
  AbortedError,
  type CallFacts,
  ConfigurationError,
  ConnectionError,
  type Issue,
  MAX_ISSUES,
  type Outcome,
  PartnerError,
  ProviderError,
  ResponseValidationError,
  TimeoutError,
} from '../errors.js';
import { BoundedRedaction, bodyText, type Redact, redactError, redactor } from '../redaction/redact.js';
import type { PreparedCall } from '../request/prepare.js';
import { membersOf } from '../schema/input-members.js';
import { type Operation, templateOf } from '../schema/operation.js';
import { ProviderFailure } from '../signing/credentials.js';
import { unknownCoding } from '../transport/content-coding.js';
import { handshakeAdvice, proxyAdvice } from '../transport/default.js';
import { isDirect, type Transport } from '../transport/transport.js';
import { ownMember } from '../util/members.js';
import { clipped } from '../util/printable.js';
import { systemCode, systemFailure } from '../util/system-error.js';
import { apiError, DETAILS_BUDGET_BYTES, isRejectionOfProxy, MAX_ERROR_BODY_BYTES, shownHead } from './api-error.js';
import { type AttemptResult, isSuccess } from './attempt-result.js';

export interface FailedCall {
  readonly call: PreparedCall;
  readonly facts: CallFacts;
  /** Strings that must never be shown: API secret, signatures, one-time passwords. */
  readonly secrets: readonly string[];
  /** True if the API key has had no connection yet. */
  readonly neverConnected: boolean;
}

/** The options of a client that messages name. */
export interface ShownSettings {
  readonly origin: string;
  readonly transport: Transport;
  readonly pathPrefix: string;
  readonly maxResponseBytes: number;
}

/** Creates the error of a call whose last attempt failed. */
export function toError(failed: FailedCall, result: AttemptResult, settings: ShownSettings): PartnerError {
  const { call, facts } = failed;
  if (result.kind === 'aborted') return abortedError(result.error, facts);
  if (result.kind === 'timed_out') return timeoutError(failed, settings);
  if (result.kind === 'provider') return providerError(result.error, facts);
  const redact = redactor(failed.secrets);
  const { status } = result;
  if (status !== undefined && !isSuccess(status)) {
    const unread = unknownCoding(result.headers) ?? redirection(result, redact);
    return apiError(result, redact, facts, (code, causes) => {
      if (code === '' && unread !== undefined) return unread;
      const fields = causes.flatMap(({ field = '' }) => (field === '' ? [] : field));
      return adviceOn({ status, code, fields, call, pathPrefix: settings.pathPrefix, outcome: facts.outcome });
    });
  }
  if (result.kind === 'too_large') {
    const message = `the response is larger than maxResponseBytes (${settings.maxResponseBytes})`;
    return unusableAnswer([{ path: '', message }], result, failed);
  }
  if (result.kind === 'too_slow') {
    const limit = `attemptTimeout (${call.attemptTimeout} ms)`;
    return new TimeoutError(`no complete response within ${limit}${named(facts)}`, facts);
  }
  return connectionError(result, redact, settings, facts);
}

/** Returns the advice about a redirect; undefined for other responses. */
function redirection({ status = 0, headers }: AttemptResult, redact: Redact): string | undefined {
  const location = ownMember(headers, 'location');
  if (location === undefined || status < 300 || status >= 400) return undefined;
  return (
    `the response redirects to ${clipped(redact(location), MAX_REASON_LENGTH)}, which the client does not follow, because signature and ` +
    'nonce are those of one URL: if the service has moved, change baseUrl'
  );
}

/** Creates the error of a response that cannot be used. */
export function unusableAnswer(
  issues: readonly Issue[],
  result: AttemptResult,
  { facts, secrets }: Pick<FailedCall, 'facts' | 'secrets'>,
  notJson = false,
): ResponseValidationError {
  const redact = redactor(secrets);
  const body = redact(bodyText(result.body, MAX_ERROR_BODY_BYTES));
  const response = result.status === undefined ? undefined : shownHead(result, redact);
  return new ResponseValidationError(shownIssues(issues, redact), { response, body, notJson }, facts);
}

/** Returns the issues of a response in a form that a log may show. */
export function loggedIssues(secrets: readonly string[], issues: readonly Issue[]): Issue[] {
  return shownIssues(issues, redactor(secrets));
}

/** A path may contain names of the response, and a message of the caller's schema its strings. */
function shownIssues(issues: readonly Issue[], redact: Redact): Issue[] {
  const bounded = new BoundedRedaction(redact, DETAILS_BUDGET_BYTES);
  const shown: Issue[] = [];
  for (const { path, message } of issues) {
    if (bounded.isUsedUp || shown.length === MAX_ISSUES) break;
    shown.push({ path: bounded.text(path), message: bounded.text(message) });
  }
  return shown;
}

/** Turns any other error into a `PartnerError`, so the facts of the call are not lost. */
export function asPartnerError(cause: unknown, facts?: CallFacts): PartnerError {
  return cause instanceof PartnerError
    ? cause
    : new PartnerError(`the call failed in an unforeseen way${named(facts)}; see cause`, facts, { cause });
}

/** Creates the error of a call for which no API key could be chosen. */
export function noApiKey(error: unknown, facts: CallFacts): PartnerError {
  if (error instanceof ConfigurationError) return new ConfigurationError(error.message, facts);
  return new ProviderError(`${PROVIDERS.nonce} failed${named(facts)}; see cause`, facts, { cause: error });
}

export function abortedError(reason: unknown, facts: CallFacts): AbortedError {
  return new AbortedError(`the call was aborted by its signal${named(facts)}; see cause`, facts, { cause: reason });
}

export function timeoutError(
  { call, facts, neverConnected }: Pick<FailedCall, 'call' | 'facts' | 'neverConnected'>,
  settings: ShownSettings,
): TimeoutError {
  const advice = neverConnected ? unusedProxy(settings) : '';
  return new TimeoutError(`the call's timeout (${call.timeout} ms) passed${named(facts)}${advice}`, facts);
}

function providerError(error: unknown, facts: CallFacts): PartnerError {
  const { provider, cause } = error instanceof ProviderFailure ? error : { provider: undefined, cause: error };
  const what = provider === undefined ? 'provider' : PROVIDERS[provider];
  return new ProviderError(`${what} failed${named(facts)}; see cause`, facts, { cause });
}

const PROVIDERS: Readonly<Record<ProviderFailure['provider'], string>> = {
  signer: 'the signer',
  nonce: 'the nonce source',
  apiSecret: 'the apiSecret function',
  otp: 'the OTP provider',
};

function connectionError(
  { error: original, sent }: Pick<AttemptResult, 'error' | 'sent'>,
  redact: Redact,
  settings: ShownSettings,
  facts: CallFacts,
): PartnerError {
  // Something that the call needs in this process is missing: another attempt would not help.
  if (original instanceof ConfigurationError) return new ConfigurationError(original.message, facts);
  const error = redactError(original, redact);
  const code = systemCode(error);
  const address = addressOf(settings.origin);
  if (sent && code === undefined) {
    // Nothing is known of a connection: for example, MSW has no handler for the request.
    const reason = clipped(error.message, MAX_REASON_LENGTH);
    const message = `no complete response from ${address}${named(facts)}: ${reason}`;
    return new ConnectionError(message, facts, { code, cause: error });
  }
  const what = sent
    ? `the connection to ${address} broke before the response was complete`
    : `no connection to ${address}`;
  const handshake = code === undefined ? '' : handshakeAdvice(code, error);
  const advice =
    sent || handshake !== '' ? handshake : reachAdvice(code, redact(elsewhere(original, address)), settings);
  const why = code === undefined ? advice : `: ${code}${advice}`;
  return new ConnectionError(`${what}${named(facts)}${why}`, facts, { code, cause: error });
}

/** Characters of a foreign error that the message shows; `cause` has all of it. */
const MAX_REASON_LENGTH = 200;

/** The place that could not be reached, if it is not the service: a proxy of a dispatcher. */
function elsewhere(error: unknown, service: string): string {
  const { address, port } = systemFailure(error) ?? {};
  return typeof port !== 'number' || service.endsWith(`:${port}`) ? '' : ` at ${address}:${port}`;
}

/** Says what to check when there is no connection. A proxy explains the failure better. */
function reachAdvice(code: string | undefined, proxy: string, settings: ShownSettings): string {
  const other = `${proxy}${unusedProxy(settings)}`;
  const usual = code === undefined ? undefined : ownMember(UNREACHABLE, code);
  return other === '' && usual !== undefined ? `. ${usual}` : other;
}

const NO_ROUTE = 'No network leads there: check the network, and the host of baseUrl';

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: check host and port of baseUrl, and that the service or the sandbox is running',
  ENOTFOUND: 'DNS does not know the host: check baseUrl',
  EAI_AGAIN: 'DNS gave no response: check the network, and the host of baseUrl',
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
};

/** Only for connections of the SDK itself: a dispatcher or a `fetch` may use the proxy. */
const unusedProxy = ({ transport, origin }: ShownSettings): string => (isDirect(transport) ? proxyAdvice(origin) : '');

/** Returns host and port, for example `api.example.com:443`. */
function addressOf(origin: string): string {
  const { protocol, host, port } = new URL(origin);
  if (port !== '') return host;
  return `${host}:${protocol === 'https:' ? 443 : 80}`;
}

function named(facts: CallFacts | undefined): string {
  return facts?.operation === undefined ? '' : ` (${facts.operation})`;
}

interface Rejection {
  readonly status: number;
  readonly code: string;
  /** The members that its causes name. */
  readonly fields: readonly string[];
  readonly call: PreparedCall;
  /** Path of `baseUrl`. */
  readonly pathPrefix: string;
  readonly outcome: Outcome;
}

/** Returns what to check after a rejection; undefined when the response says enough. */
function adviceOn(rejection: Rejection): string | undefined {
  const usual = usualAdvice(rejection);
  const { isAssumed } = rejection.call.operation;
  if (!isAssumed || !STATUSES_OF_OTHER_PATHS.includes(rejection.status)) return usual;
  return usual === undefined ? ASSUMED : `${usual}. Or ${ASSUMED}`;
}

/** A service without this path, or with another method at it, responds with one of these. */
const STATUSES_OF_OTHER_PATHS = [404, 405, 501];

const ASSUMED =
  'the service may have this operation at another path: ours is an assumption from an older edition of the API. ' +
  'Ask for the right path, and call it by client.request() (docs/reference/operations.md#other-operations)';

function usualAdvice(rejection: Rejection): string | undefined {
  const { status, code, fields, outcome } = rejection;
  if (status === 404) return notFound(rejection);
  if (status === 403 && code === 'gateway') return GATEWAY;
  if (code === '') return notOfService(status);
  if (status === 403) return FORBIDDEN;
  if (status === 409 && fields.some((field) => /^idempotency[-_]key$/i.test(field))) return USED_KEY;
  if (status === 410) return GONE;
  if (status !== 401) return undefined;
  if (outcome === 'unknown') return SENT_TWICE;
  return rejection.call.otp === undefined ? UNAUTHENTICATED : `${UNAUTHENTICATED}; check the one-time password`;
}

const USED_KEY =
  'an earlier request with this idempotency key had another body or path. Do not send the write again with a new ' +
  'idempotency key, because that may apply it twice: find out what the earlier request did (docs/money/crash-safety.md#what-a-409-means)';

const GONE =
  'read the resource, because only its status says what has happened to it. If a quote has expired, create another one';

const UNAUTHENTICATED =
  'the service did not accept the API key, signature or nonce: check that apiKey and apiSecret belong together and to the service at ' +
  "baseUrl, that no other process uses this API key (docs/operate/several-processes.md), and that this machine's clock is not behind; `npx partner-sdk doctor` checks these";

const FORBIDDEN =
  'the API key may not do this: check that the account or user belongs to your partner account, that no id of a user is given where the ' +
  'id of an account belongs, and which permissions the API key has';

const GATEWAY =
  'the gateway of the service rejected the request, not the service itself: check its rules, for instance an IP allow-list';

const SENT_TWICE =
  'the service has accepted this API key before, so a proxy, load balancer or runtime may have sent the request twice: the copy gets this ' +
  '401, since its nonce has been used. Look up whether the write was applied. If every call fails, the API key has been revoked';

/** Returns the advice about a response without the service's error envelope. */
function notOfService(status: number): string {
  if (isRejectionOfProxy(status)) return `${NOT_OF_SERVICE}, and rejected the request: check baseUrl`;
  return status === 403 ? `${NOT_OF_SERVICE}: check its rules, for instance an IP allow-list` : NOT_OF_SERVICE;
}

const NOT_OF_SERVICE = 'a proxy or load balancer in front of the service responded, not the service itself';

/** Returns the advice about a 404: an id, a member of the body or query, or `baseUrl` is wrong. */
function notFound({ code, fields, call, pathPrefix }: Rejection): string {
  const { operation } = call;
  const template = templateOf(operation);
  const version = /\/v\d+$/.exec(pathPrefix)?.[0];
  if (version !== undefined && template.startsWith(`${version}/`)) {
    return `baseUrl ends with ${version}, with which the path begins as well: take ${version} out of baseUrl`;
  }
  const [field = ''] = fields;
  const place = template.includes(`{${field}}`) ? undefined : placeOf(field, operation);
  if (place !== undefined) return `check ${field} of the ${place}: this account or user has no such thing`;
  if (pathPrefix !== '') return `${NOT_FOUND}, and the path of baseUrl (${pathPrefix})`;
  return code === '' ? `${NOT_OF_SERVICE}: check that the service is at baseUrl` : NOT_FOUND;
}

/** Where the caller wrote a member that a cause names; undefined if it may be anywhere. */
const placeOf = (field: string, operation: Operation): 'body' | 'query' | undefined =>
  (['body', 'query'] as const).find((part) => {
    const schema = ownMember(operation, part);
    const [name = ''] = field.split(/[.[]/, 1);
    return schema !== undefined && membersOf(schema)?.parts.has(name) === true;
  });

const NOT_FOUND =
  'the resource does not exist, or belongs to another account or user: check the ids of the path, and that none of ' +
  'them is of another kind';
