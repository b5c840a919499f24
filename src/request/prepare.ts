import { type CallFacts, type Issue, RequestValidationError } from '../errors.js';
import { type Echoes, expectedEchoes } from '../schema/correlation.js';
import type { Operation, OperationInput } from '../schema/operation.js';
import type { StandardSchema } from '../schema/standard-schema.js';
import { isInsecure } from '../util/loopback.js';
import { Bare } from '../util/members.js';
import { isRecord } from '../util/options.js';
import type { Signal } from '../util/platform.js';
import { bodyBytes } from './body.js';
import { type LikelyTypo, likelyTypos, readInput } from './input.js';
import {
  type ListOptions,
  lowerCaseNames,
  type OtpProvider,
  type RequestOptions,
  readRequestOptions,
} from './options.js';
import { encodeQuery, fillTemplate } from './url.js';

/** The settings with which a client prepares its calls. */
export interface RequestSettings {
  /** Path of `baseUrl` without the trailing slash. */
  readonly pathPrefix: string;
  /** True if the service may be on a private network, as a sandbox is. */
  readonly isPrivate: boolean;
  /** Headers of all requests, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly otp: string | OtpProvider | undefined;
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly maxRetries: number;
}

/** A call before it is prepared. `callRequest` creates it. */
export interface CallRequest<T> {
  readonly operation: Operation<T>;
  readonly options: RequestOptions | ListOptions | undefined;
  /** Issues that were found earlier. */
  readonly issues?: readonly Issue[];
  /** Ends the call of a page that the program no longer needs. */
  readonly abandon?: Signal | undefined;
  /** True for a poll of a wait: an attempt that was too slow is not retried, but polled again. */
  readonly isPoll?: boolean;
  /** Issues because of which the value must not be returned, whatever `responseValidation` says. */
  validate?(value: T): readonly Issue[];
  /** The user-supplied schema of the value. */
  readonly schema?: StandardSchema<T> | undefined;
}

/** Creates a request that inherits nothing. */
export function callRequest<T>(
  operation: Operation<T>,
  options: CallRequest<T>['options'],
  others?: Omit<CallRequest<T>, 'operation' | 'options'>,
): CallRequest<T> {
  return Object.assign(new Bare(), { operation, options }, others);
}

/** A call that is ready to be sent: what stays the same for all its attempts. */
export interface PreparedCall {
  readonly operation: Operation;
  /** Path with query, exactly as signed and sent, with the prefix of `baseUrl`. */
  readonly path: string;
  readonly body: Uint8Array | undefined;
  /** Values of the call that its response should echo. */
  readonly expected: Echoes;
  /** Headers of client and call, without those of a body and of one attempt. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The caller's own until the API key of the call is chosen. Then one is added if the caller
   * passed none, which may depend on the API keys that this process holds.
   */
  idempotencyKey: string | undefined;
  readonly write: boolean;
  /** True if an attempt that was too slow may be retried. */
  readonly retriesSlow: boolean;
  readonly otp: string | OtpProvider | undefined;
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly maxRetries: number;
  readonly signal: Signal | undefined;
}

/**
 * Checks a call by the rules of its operation and fixes its path, body and idempotency key.
 *
 * @param onTypo Called for each part of the input that is sent although it looks misspelt.
 * @throws RequestValidationError for invalid options or input.
 */
export function prepare(
  settings: RequestSettings,
  request: CallRequest<unknown>,
  given: OperationInput,
  onTypo?: (typo: LikelyTypo) => void,
): PreparedCall {
  const { operation } = request;
  const issues: Issue[] = request.issues?.slice() ?? [];
  const options = readRequestOptions(request.options, operation, issues);
  throwIfAny(issues, operation);

  const input = readInput(operation, given, issues);
  const otp = options.otp ?? otpOfClient(settings, operation);
  if (operation.otp && otp === undefined) issues.push({ path: 'options.otp', message: OTP_MISSING });
  if (!settings.isPrivate) addUnreachable(issues, operation, input.body);
  throwIfAny(issues, operation);

  // A path without parameters is complete. `client.request()` passes such paths.
  const path = operation.params === undefined ? operation.path : fillTemplate(operation.path, input.params, issues);
  const query = encodeQuery(input.query, issues);
  const body = bodyBytes(input.body, issues);
  throwIfAny(issues, operation);
  if (onTypo !== undefined) {
    for (const typo of likelyTypos(operation, operation.query, input.query)) onTypo(typo);
    for (const typo of likelyTypos(operation, operation.body, input.body)) onTypo(typo);
  }

  return {
    operation,
    path: settings.pathPrefix + path + query,
    body,
    expected: expectedEchoes(operation.correlation, input.params, input.body),
    // Most calls share the object of the client, because each waiting call would hold a copy.
    headers:
      options.headers === undefined ? settings.headers : { ...settings.headers, ...lowerCaseNames(options.headers) },
    idempotencyKey: options.idempotencyKey,
    write: operation.method !== 'GET',
    retriesSlow: request.isPoll !== true,
    otp,
    timeout: options.timeout ?? settings.timeout,
    attemptTimeout: options.attemptTimeout ?? settings.attemptTimeout,
    maxRetries: options.maxRetries ?? settings.maxRetries,
    signal: options.signal,
  };
}

const OTP_MISSING =
  'is missing: this operation needs a one-time password, from the options of the call or of the client';

/** Adds an issue if the service would have to send over plain http to a private network. */
function addUnreachable(issues: Issue[], { receiver }: Operation, body: unknown): void {
  if (receiver === undefined || issues.length > 0 || !isRecord(body)) return;
  if (isInsecure(new URL(String(body[receiver])))) issues.push({ path: receiver, message: UNREACHABLE });
}

const UNREACHABLE =
  'must be https: http to a private network is for a sandbox, that is for a client with a baseUrl on loopback or with allowInsecureHttp';

function throwIfAny(issues: readonly Issue[], { name }: Operation): void {
  if (issues.length > 0) throw new RequestValidationError(issues, beforeSending(name));
}

/**
 * Returns the client's OTP. A string is for operations that require one. A function is called for
 * every write, because it knows which of them need one.
 */
function otpOfClient({ otp }: RequestSettings, operation: Operation): string | OtpProvider | undefined {
  const isAsked = operation.otp || (typeof otp === 'function' && operation.method !== 'GET');
  return isAsked ? otp : undefined;
}

/** The facts about a call of which nothing was sent. */
export const beforeSending = (operation: string): CallFacts => ({
  outcome: 'not_applied',
  operation,
  attempts: { count: 0, failures: [] },
  idempotencyKey: undefined,
});
