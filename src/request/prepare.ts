import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type CallFacts, type Issue, RequestValidationError } from '../errors.js';
import type { ClientSettings } from '../options.js';
import { type Asked, askedFor } from '../schema/correlation.js';
import {
  type HttpMethod,
  type Operation,
  type OperationInput,
  type RetrySafety,
  templateOf,
} from '../schema/operation.js';
import { validate } from '../schema/validate.js';
import { Bare, hidePollution, ownMember } from '../util/members.js';
import type { Signal } from '../util/platform.js';
import type { CallRequest } from './call-request.js';
import { copyInput } from './input.js';
import { copyJson } from './json.js';
import { lowerCaseNames, type OtpProvider, type ReadRequestOptions, readRequestOptions } from './options.js';
import { fillTemplate } from './path.js';
import { encodeQuery } from './query.js';

/** A call ready to be sent: everything that stays the same over its attempts. */
export interface PreparedCall {
  readonly operation: string;
  readonly method: HttpMethod;
  /** Path template, for logs: without ids and query. */
  readonly template: string;
  /** Path with query, exactly as signed and sent, with the prefix of `baseUrl`. */
  readonly path: string;
  readonly body: Uint8Array | undefined;
  /** What the answer must repeat of the call; undefined for an operation whose answers repeat nothing. */
  readonly asked: Asked;
  /** Those of client and call: what describes the body, or names and signs the attempt, comes with the attempt. */
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  /** The key came from the caller: the API key that carries it must not change with the load. */
  readonly callersKey: boolean;
  readonly write: boolean;
  readonly retrySafety: RetrySafety;
  readonly otp: string | OtpProvider | undefined;
  /** It is not sent without an OTP. */
  readonly needsOtp: boolean;
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly maxRetries: number;
  readonly signals: readonly Signal[];
}

const NO_OPTIONS: ReadRequestOptions = { options: new Bare(), issues: [] };
const NO_SIGNALS: readonly Signal[] = [];

/** Checks the input against the operation's rules and fixes path, body bytes and key. Throws `RequestValidationError`. */
export function prepare(
  settings: ClientSettings,
  { operation, options: given, issues: earlier = [] }: Pick<CallRequest<unknown>, 'operation' | 'options' | 'issues'>,
  input: OperationInput,
): PreparedCall {
  const { options, issues: wrongOptions } = given === undefined ? NO_OPTIONS : readRequestOptions(given, operation);
  const issues: Issue[] = [...earlier, ...wrongOptions];
  if (issues.length > 0) throw new RequestValidationError(issues, beforeSending(operation.name));
  const params = ownMember(input, 'params') ?? {};
  const query = copyInput(operation.query, ownMember(input, 'query') ?? {}, operation, issues);
  const body = copyInput(operation.body, ownMember(input, 'body'), operation, issues);
  checkInput(operation, params, query, body, issues);
  const path =
    issues.length > 0 ? '' : pathOf(operation, params as Record<string, string>, issues) + encodeQuery(query, issues);
  const otp = options.otp ?? otpOfClient(settings, operation);
  if (operation.otp && otp === undefined) {
    issues.push({
      path: 'options.otp',
      message: 'this operation needs an OTP: give it with the call or with the client',
    });
  }
  const bytes = issues.length > 0 ? undefined : serialise(body, issues);
  if (issues.length > 0) throw new RequestValidationError(issues, beforeSending(operation.name));

  const idempotencyKey = operation.retrySafety === 'keyed' ? (options.idempotencyKey ?? randomKey()) : undefined;
  return {
    operation: operation.name,
    method: operation.method,
    template: templateOf(operation),
    path: settings.pathPrefix + path,
    body: bytes,
    asked: askedFor(operation.correlation, params, body),
    // A call that has none of its own shares those of the client.
    headers:
      options.headers === undefined ? settings.headers : { ...settings.headers, ...lowerCaseNames(options.headers) },
    idempotencyKey,
    callersKey: options.idempotencyKey !== undefined,
    write: operation.method !== 'GET',
    retrySafety: operation.retrySafety,
    otp,
    needsOtp: operation.otp === true,
    timeout: options.timeout ?? settings.timeout,
    attemptTimeout: options.attemptTimeout ?? settings.attemptTimeout,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signals: options.signal === undefined ? NO_SIGNALS : [options.signal],
  };
}

/** Node joins a UUID of a dozen texts, and V8 keeps them all until a character is read: 400 bytes for each call that waits. */
function randomKey(): string {
  const key = randomUUID();
  key.charCodeAt(0);
  return key;
}

/** A text of the client goes where an OTP is required. A function is asked for every write: it knows which of them need one. */
function otpOfClient({ otp }: ClientSettings, operation: Operation): string | OtpProvider | undefined {
  const isAsked = operation.otp || (typeof otp === 'function' && operation.method !== 'GET');
  return isAsked ? otp : undefined;
}

/** A path without parameters is complete, as `client.request()` takes it. */
function pathOf({ path, params }: Operation, values: Readonly<Record<string, string>>, issues: Issue[]): string {
  return params === undefined ? path : fillTemplate(path, values, issues);
}

/** The facts of a call of which nothing was sent. */
export const beforeSending = (operation: string): CallFacts => ({
  outcome: 'not_applied',
  operation,
  attempts: { count: 0, failures: [] },
  idempotencyKey: undefined,
});

function checkInput(operation: Operation, params: unknown, query: unknown, body: unknown, issues: Issue[]): void {
  const putBack = hidePollution();
  try {
    issues.push(
      ...validate(operation.params, params),
      ...validate(operation.query, query),
      ...validate(operation.body, body),
    );
  } finally {
    putBack?.();
  }
}

function serialise(body: unknown, issues: Issue[]): Uint8Array | undefined {
  if (body === undefined) return undefined;
  try {
    const json: string | undefined = JSON.stringify(copyJson(body));
    if (json !== undefined) return Buffer.from(json);
    issues.push({ path: 'body', message: 'must be a JSON value' });
  } catch (error) {
    issues.push({ path: 'body', message: `cannot be written as JSON: ${(error as Error).message}` });
  }
  return undefined;
}
