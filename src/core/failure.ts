import { isSuccess } from './classify.js';
import type { FinalResult } from './course.js';
import { apiError, unreadable } from './envelope.js';
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
} from './errors.js';
import { ENDED } from './lifetime.js';
import { beforeSending } from './prepare.js';
import { providerFailure } from './providers.js';
import { bodyText, redactError, redactor, type Secrets } from './redact.js';
import type { Route } from './route.js';
import { systemCode } from './system-code.js';

/** The facts that every error of this call carries. */
export function factsOf({ call }: Route, { outcome, attempts, failures }: FinalResult): CallFacts {
  return {
    outcome,
    operation: call.operation,
    attempts: { count: attempts, failures },
    idempotencyKey: call.idempotencyKey,
  };
}

/** Shorter texts of a request (a symbol, a type) say nothing, and an answer is full of them. */
const SHORTEST_PRIVATE = 8;

/** What must not show in this call's errors. */
function secretsOf(route: Route): Secrets {
  const { body } = route.call;
  const secrets = route.secrets();
  const credentials = redactor(secrets);
  if (body === undefined) return { credentials, all: credentials };
  const text = bodyText([body]);
  const texts = new Set(secrets).add(text);
  JSON.parse(text, (_name, value: unknown) => {
    if (typeof value === 'string' && value.length >= SHORTEST_PRIVATE) texts.add(value);
    return value;
  });
  return { credentials, all: redactor(texts) };
}

/** The error of a success whose value cannot be used. */
export function unusable(route: Route, final: FinalResult, issues: readonly Issue[]): ResponseValidationError {
  const { result, failures } = final;
  const facts = factsOf(route, { ...final, failures: [...failures, { reason: 'unreadable', status: result.status }] });
  return unreadable(issues, result, secretsOf(route), facts);
}

/** The error of a failure that nobody foresaw: what is known of the call must not be lost with it. */
export function unforeseen(cause: unknown, facts?: CallFacts): PartnerError {
  return cause instanceof PartnerError
    ? cause
    : new PartnerError('the call failed in an unforeseen way; see cause', facts, { cause });
}

/** The typed error of a call whose last attempt was no success. */
export function errorOf(route: Route, final: FinalResult): PartnerError {
  const { result } = final;
  const facts = factsOf(route, final);
  if (result.kind === 'ended') return endedError(route, facts);
  if (result.kind === 'provider') return providerError(result.error, facts);
  if (result.status !== undefined && !isSuccess(result.status)) return apiError(result, secretsOf(route), facts);
  if (result.kind === 'too_large') {
    const message = `the answer is larger than maxResponseBytes (${route.settings.maxResponseBytes})`;
    return unreadable([{ path: '', message }], result, secretsOf(route), facts);
  }
  if (result.kind === 'too_slow') {
    return new TimeoutError(`no whole answer within attemptTimeout (${route.call.attemptTimeout} ms)`, facts);
  }
  const error = redactError(result.error, secretsOf(route).all);
  return connectionError(error, result.sent, facts);
}

/** The error of a call that found no API key to be sent with. */
export function unplaced(route: Route, error: unknown): PartnerError {
  const { call } = route;
  const facts: CallFacts = { ...beforeSending(call.operation), idempotencyKey: call.idempotencyKey };
  if (error === ENDED) return endedError(route, facts);
  if (error instanceof ConfigurationError) return new ConfigurationError(error.message, facts);
  return new ProviderError(`${PROVIDERS['nonce']} failed; see cause`, facts, { cause: error });
}

function endedError({ call, lifetime: { ending } }: Route, facts: CallFacts): PartnerError {
  if (ending?.kind !== 'aborted') return new TimeoutError(`the call's timeout (${call.timeout} ms) passed`, facts);
  return new AbortedError('the call was aborted by its signal', facts, { cause: ending.reason });
}

function providerError(error: unknown, facts: CallFacts): PartnerError {
  const { provider, cause } = providerFailure(error);
  return new ProviderError(`${PROVIDERS[provider] ?? provider} failed; see cause`, facts, { cause });
}

const PROVIDERS: Readonly<Record<string, string>> = {
  signer: 'the signer',
  nonce: 'the nonce source',
  apiSecret: 'the apiSecret function',
  otp: 'the OTP provider',
};

function connectionError(error: Error, sent: boolean, facts: CallFacts): PartnerError {
  const code = systemCode(error);
  const what = sent ? 'the connection broke before the answer was whole' : 'no connection to the service';
  return new ConnectionError(code === undefined ? what : `${what} (${code})`, facts, { cause: error });
}
