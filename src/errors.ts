import { type ApiErrorDetails, errorResponse, type ResponseInfo } from './api-errors.js';
import { entryOf, type Issue, listIssues, MAX_ISSUES } from './issues.js';
import { brand, type CallFacts, NO_CALL, PartnerError } from './partner-error.js';

export * from './api-errors.js';
export * from './issues.js';
export * from './partner-error.js';

/**
 * The input breaks a rule of the service. Nothing was sent.
 *
 * @example
 * try {
 *   await client.accounts.transfers.list(accountId, { page_size: 0 });
 * } catch (error) {
 *   if (!(error instanceof RequestValidationError)) throw error;
 *   for (const { path, message } of error.issues) console.log(path, message);
 * }
 */
export class RequestValidationError extends PartnerError {
  /** Each invalid member with the rule that it breaks, at most 100. */
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[], facts?: CallFacts) {
    const { operation } = facts ?? NO_CALL;
    super(
      operation === undefined
        ? `The input is wrong: ${listIssues(issues, sentenceOf)}`
        : `Nothing was sent, because the input of ${operation} is wrong: ${listIssues(issues, sentenceOf)}`,
      facts,
    );
    this.issues = issues.slice(0, MAX_ISSUES);
  }
}

/**
 * No usable response: the connection was refused, reset, or closed before the response was whole.
 *
 * @example
 * try {
 *   await client.users.get(userId, { maxRetries: 0 });
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error;
 *   console.error(error.code, error.message); // for example ECONNREFUSED, with host and port
 * }
 */
export class ConnectionError extends PartnerError {
  /** Code of the system or of undici, for example `ECONNREFUSED`, `ENOTFOUND`, `UND_ERR_SOCKET`. */
  readonly code: string | undefined;

  constructor(message: string, facts?: CallFacts, options: { cause?: unknown; code?: string | undefined } = {}) {
    super(message, facts, options);
    this.code = options.code;
  }

  /** Adds name, code and message of each cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), cause: reasonOf(this.cause) };
  }
}

function reasonOf(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, cause } = error;
  return { name, code: Reflect.get(error, 'code'), message, cause: reasonOf(cause) };
}

/**
 * A call or a `waitFor` reached its `timeout`, or the last attempt its `attemptTimeout`.
 *
 * @example
 * try {
 *   await client.users.get(userId, { timeout: 100 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(error.outcome, error.attempts.failures);
 * }
 */
export class TimeoutError extends PartnerError {}

/**
 * The caller's signal ended the call. `cause` is the signal's reason.
 *
 * @example
 * const signal = AbortSignal.timeout(100); // or the signal of an incoming request
 * await client.users.get(userId, { signal }).catch((error: unknown) => {
 *   if (!(error instanceof AbortedError)) throw error;
 *   console.log(error.cause === signal.reason);
 * });
 */
export class AbortedError extends PartnerError {}

/**
 * A signer, secret function, nonce source, OTP provider, schema or `until` failed: see `cause`.
 *
 * @example
 * const otp = async () => Promise.reject(new Error('no device'));
 * const body = { via: 'bitcoin', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
 * await client.accounts.wallets.whitelist(accountId, body, { otp }).catch((error: unknown) => {
 *   if (!(error instanceof ProviderError)) throw error;
 *   console.error(error.cause);
 * });
 */
export class ProviderError extends PartnerError {}

/**
 * The response has an unexpected shape, is too large, is not JSON, or belongs to another call.
 *
 * @example
 * try {
 *   await client.users.get(userId, { maxRetries: 0 });
 * } catch (error) {
 *   if (!(error instanceof ResponseValidationError)) throw error;
 *   console.error(error.response?.status, error.notJson, error.issues);
 * }
 */
export class ResponseValidationError extends PartnerError {
  /** Each invalid member of the response, at most 100. */
  readonly issues: readonly Issue[];
  /**
   * The response, as `withResponse()` describes one; undefined if none arrived. Only its `status`
   * is enumerable, so that the headers stay out of logs.
   */
  readonly response: ResponseInfo | undefined;
  /**
   * True if the body is not JSON, but another format, cut short, or empty. Usually a gateway has
   * damaged the response, and a later read may succeed, so the client retries reads.
   */
  readonly notJson: boolean;
  /** The body of the response, at most 1,000 characters, without credentials. Not enumerable. */
  declare readonly body: string;
  constructor(
    issues: readonly Issue[],
    answer: { response?: ApiErrorDetails['response'] | undefined; body: string; notJson?: boolean | undefined },
    facts?: CallFacts,
  ) {
    const whose = facts?.operation === undefined ? '' : ` of ${facts.operation}`;
    super(`The response${whose} does not have the promised shape: ${listIssues(issues)}`, facts);
    this.issues = issues;
    this.response = answer.response && errorResponse(answer.response, facts);
    this.notJson = answer.notJson ?? false;
    Object.defineProperty(this, 'body', { value: answer.body });
  }
}

// Base classes first, because a class inherits brands. Not inside the classes, because bundlers
// rename a class that names itself.
for (const [name, errorClass] of Object.entries({
  RequestValidationError,
  ConnectionError,
  TimeoutError,
  AbortedError,
  ProviderError,
  ResponseValidationError,
})) {
  brand(errorClass, name);
}

/** For example `amount must be a decimal string`, or `to: exactly one of … must be set`. */
const sentenceOf = (issue: Issue): string =>
  /^(exactly|state|this)\b/.test(issue.message) ? entryOf(issue) : `${issue.path} ${issue.message}`.trim();
