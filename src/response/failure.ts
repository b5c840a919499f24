import { Buffer } from 'node:buffer';
import {
  AbortedError,
  type CallFacts,
  ConfigurationError,
  ConnectionError,
  type Issue,
  PartnerError,
  ProviderError,
  type ResponseValidationError,
  TimeoutError,
} from '../errors.js';
import { redactError, redactor, type Secrets } from '../redaction/redact.js';
import type { PreparedCall } from '../request/prepare.js';
import { ProviderFailure } from '../signing/credentials.js';
import { certificateAdvice, systemCode } from '../util/system-error.js';
import { adviceFor } from './advice.js';
import { type AttemptResult, isSuccess } from './attempt-result.js';
import { apiError, shownIssues, unreadable } from './decode.js';

/** A call that has failed. */
export interface FailedCall {
  readonly call: PreparedCall;
  readonly facts: CallFacts;
  /** Texts that must never show: API secret, signatures, one-time passwords. */
  readonly secrets: readonly string[];
}

/** The options of a client that messages name. */
export interface ShownSettings {
  readonly origin: string;
  readonly pathPrefix: string;
  readonly maxResponseBytes: number;
}

/** Shorter texts of a request (a symbol, a type) say nothing, and an answer is full of them. */
const SHORTEST_PRIVATE = 8;

/** What must not show in this call's errors. */
function secretsOf({ body }: PreparedCall, secrets: readonly string[]): Secrets {
  const credentials = redactor(secrets);
  if (body === undefined) return { credentials, all: credentials };
  const text = Buffer.from(body).toString('utf8');
  return { credentials, all: redactor([...secrets, text, ...privateTexts(JSON.parse(text))]) };
}

/** The texts of a JSON value that are long enough to say something, at any depth. */
function privateTexts(value: unknown): Set<string> {
  const texts = new Set<string>();
  const left = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string' && next.length >= SHORTEST_PRIVATE) texts.add(next);
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) left.push(member);
  }
  return texts;
}

/** Issues of an answer as the log shows them. */
export function loggedIssues(call: PreparedCall, secrets: readonly string[], issues: readonly Issue[]): Issue[] {
  return shownIssues(issues, secretsOf(call, secrets).all);
}

/** The error of a success whose value cannot be used. */
export function unusable(
  { call, facts, secrets }: FailedCall,
  result: AttemptResult,
  issues: readonly Issue[],
): ResponseValidationError {
  const { count, failures } = facts.attempts;
  const unreadableToo = [...failures, { reason: 'unreadable' as const, status: result.status }];
  return unreadable(issues, result, secretsOf(call, secrets), {
    ...facts,
    attempts: { count, failures: unreadableToo },
  });
}

/** The error of a success that belongs to another call: what became of this one is not known. */
export function misdelivered(
  failed: FailedCall,
  result: AttemptResult,
  issues: readonly Issue[],
): ResponseValidationError {
  const outcome = failed.call.write ? 'unknown' : 'not_applied';
  return unusable({ ...failed, facts: { ...failed.facts, outcome } }, result, issues);
}

/** The error of a failure that nobody foresaw: what is known of the call must not be lost with it. */
export function unforeseen(cause: unknown, facts?: CallFacts): PartnerError {
  return cause instanceof PartnerError
    ? cause
    : new PartnerError(`the call failed in an unforeseen way${named(facts)}; see cause`, facts, { cause });
}

/** The typed error of a call whose last attempt was no success. */
export function errorOf(failed: FailedCall, result: AttemptResult, settings: ShownSettings): PartnerError {
  const { call, facts } = failed;
  if (result.kind === 'aborted') return abortedError(result.error, facts);
  if (result.kind === 'timed_out') return timeoutError(call, facts);
  if (result.kind === 'provider') return providerError(result.error, facts);
  const secrets = secretsOf(call, failed.secrets);
  if (result.status !== undefined && !isSuccess(result.status)) {
    return apiError(result, secrets, facts, adviceFor(call, settings.pathPrefix));
  }
  if (result.kind === 'too_large') {
    const message = `the answer is larger than maxResponseBytes (${settings.maxResponseBytes})`;
    return unreadable([{ path: '', message }], result, secrets, facts);
  }
  if (result.kind === 'too_slow') {
    const limit = `attemptTimeout (${call.attemptTimeout} ms)`;
    return new TimeoutError(`no whole answer within ${limit}${named(facts)}`, facts);
  }
  return connectionError(redactError(result.error, secrets.all), result.sent, settings.origin, facts);
}

/** The error of a call that found no API key to be sent with. */
export function unplaced(error: unknown, facts: CallFacts): PartnerError {
  if (error instanceof ConfigurationError) return new ConfigurationError(error.message, facts);
  return new ProviderError(`${PROVIDERS.nonce} failed${named(facts)}; see cause`, facts, { cause: error });
}

/** @param reason The reason of the signal. */
export function abortedError(reason: unknown, facts: CallFacts): AbortedError {
  return new AbortedError(`the call was aborted by its signal${named(facts)}; see cause`, facts, { cause: reason });
}

export function timeoutError({ timeout }: PreparedCall, facts: CallFacts): TimeoutError {
  return new TimeoutError(`the call's timeout (${timeout} ms) passed${named(facts)}`, facts);
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

function connectionError(error: Error, sent: boolean, origin: string, facts: CallFacts): PartnerError {
  const code = systemCode(error);
  const address = addressOf(origin);
  const what = sent ? `the connection to ${address} broke before the answer was whole` : `no connection to ${address}`;
  const why = code === undefined ? '' : `: ${code}${certificateAdvice(code)}`;
  return new ConnectionError(`${what}${named(facts)}${why}`, facts, { code, cause: error });
}

/** Host and port, for instance `api.example.com:443`. */
function addressOf(origin: string): string {
  const { protocol, host, port } = new URL(origin);
  if (port !== '') return host;
  return `${host}:${protocol === 'https:' ? 443 : 80}`;
}

/** The call's name for a message. */
function named(facts: CallFacts | undefined): string {
  return facts?.operation === undefined ? '' : ` (${facts.operation})`;
}
