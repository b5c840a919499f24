import { Buffer } from 'node:buffer';
import type { FinalResult } from '../call/call.js';
import { isSuccess } from '../call/classify.js';
import { ENDED } from '../call/deadline.js';
import type { Route } from '../call/route.js';
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
import { beforeSending } from '../request/prepare.js';
import { providerFailure } from '../signing/credentials.js';
import { certificateAdvice, systemCode } from '../util/system-error.js';
import { adviceFor } from './advice.js';
import { apiError, shownIssues, unreadable } from './decode.js';

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
export function loggedIssues(route: Route, issues: readonly Issue[]): Issue[] {
  return shownIssues(issues, secretsOf(route).all);
}

/** The error of a success whose value cannot be used. */
export function unusable(route: Route, final: FinalResult, issues: readonly Issue[]): ResponseValidationError {
  const { result, failures } = final;
  const facts = factsOf(route, { ...final, failures: [...failures, { reason: 'unreadable', status: result.status }] });
  return unreadable(issues, result, secretsOf(route), facts);
}

/** The error of a success that belongs to another call: what became of this one is not known. */
export function misdelivered(route: Route, final: FinalResult, issues: readonly Issue[]): ResponseValidationError {
  return unusable(route, { ...final, outcome: route.call.write ? 'unknown' : 'not_applied' }, issues);
}

/** The error of a failure that nobody foresaw: what is known of the call must not be lost with it. */
export function unforeseen(cause: unknown, facts?: CallFacts): PartnerError {
  return cause instanceof PartnerError
    ? cause
    : new PartnerError(`the call failed in an unforeseen way${named(facts)}; see cause`, facts, { cause });
}

/** The typed error of a call whose last attempt was no success. */
export function errorOf(route: Route, final: FinalResult): PartnerError {
  const { result } = final;
  const facts = factsOf(route, final);
  if (result.kind === 'ended') return endedError(route, facts);
  if (result.kind === 'provider') return providerError(result.error, facts);
  if (result.status !== undefined && !isSuccess(result.status)) {
    return apiError(result, secretsOf(route), facts, adviceFor(route));
  }
  if (result.kind === 'too_large') {
    const message = `the answer is larger than maxResponseBytes (${route.settings.maxResponseBytes})`;
    return unreadable([{ path: '', message }], result, secretsOf(route), facts);
  }
  if (result.kind === 'too_slow') {
    const limit = `attemptTimeout (${route.call.attemptTimeout} ms)`;
    return new TimeoutError(`no whole answer within ${limit}${named(facts)}`, facts);
  }
  const error = redactError(result.error, secretsOf(route).all);
  return connectionError(error, result.sent, route, facts);
}

/** The error of a call that found no API key to be sent with. */
export function unplaced(route: Route, error: unknown): PartnerError {
  const { call } = route;
  const facts: CallFacts = { ...beforeSending(call.operation), idempotencyKey: call.idempotencyKey };
  if (error === ENDED) return endedError(route, facts);
  if (error instanceof ConfigurationError) return new ConfigurationError(error.message, facts);
  return new ProviderError(`${PROVIDERS['nonce']} failed${named(facts)}; see cause`, facts, { cause: error });
}

function endedError({ call, lifetime: { ending } }: Route, facts: CallFacts): PartnerError {
  if (ending?.kind !== 'aborted') {
    return new TimeoutError(`the call's timeout (${call.timeout} ms) passed${named(facts)}`, facts);
  }
  return new AbortedError(`the call was aborted by its signal${named(facts)}; see cause`, facts, {
    cause: ending.reason,
  });
}

function providerError(error: unknown, facts: CallFacts): PartnerError {
  const { provider, cause } = providerFailure(error);
  return new ProviderError(`${PROVIDERS[provider] ?? provider} failed${named(facts)}; see cause`, facts, { cause });
}

const PROVIDERS: Readonly<Record<string, string>> = {
  signer: 'the signer',
  nonce: 'the nonce source',
  apiSecret: 'the apiSecret function',
  otp: 'the OTP provider',
};

function connectionError(error: Error, sent: boolean, { settings }: Route, facts: CallFacts): PartnerError {
  const code = systemCode(error);
  const address = addressOf(settings.origin);
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
