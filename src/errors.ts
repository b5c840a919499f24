import { brand, type CallFacts, NO_CALL, PartnerError } from './partner-error.js';
import { define } from './util/members.js';
import { clipped } from './util/printable.js';

export {
  type AttemptFailure,
  type Attempts,
  type CallFacts,
  ConfigurationError,
  isPartnerError,
  type Outcome,
  PartnerError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './partner-error.js';

/** One broken rule. */
export interface Issue {
  /** Dotted path of the member, for example `from.amount`, `account_id`, `data.0.rate.price`. */
  readonly path: string;
  /** The rule, for example `must be text, not a number`. It never holds a value of the caller. */
  readonly message: string;
}

/** An error keeps the first 100 issues, or causes: it must fit into a log. */
export const MAX_ISSUES = 100;

/** The input breaks a rule of the service. Nothing was sent. */
export class RequestValidationError extends PartnerError {
  /** Each wrong member with its rule, at most 100. */
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[], facts?: CallFacts) {
    const { operation } = facts ?? NO_CALL;
    super(
      operation === undefined
        ? `The input is wrong: ${listIssues(issues, sentenceOf)}`
        : `Nothing was sent, the input of ${operation} is wrong: ${listIssues(issues)}`,
      facts,
    );
    this.issues = issues.slice(0, MAX_ISSUES);
  }
}

/** The members of an `ApiError`. */
export interface ApiErrorDetails
  extends Pick<
    ApiError,
    'status' | 'type' | 'code' | 'instance' | 'docUrl' | 'causes' | 'retryAfter' | 'headers' | 'body'
  > {
  /** The part of the message that says what to check. */
  readonly advice?: string | undefined;
}

/** The codes that the service documents. The service may send others. */
export type ApiErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'gateway'
  | 'not_found'
  | 'user_not_found'
  | 'bank_link_not_found'
  | 'conflict'
  | 'resource_exhausted'
  | 'internal'
  | 'unimplemented'
  | 'unavailable'
  | 'deadline_exceeded'
  | ''
  | (string & {});

/** One element of `causes`: `{ field, message }` for validation failures, any members otherwise. */
export interface ApiErrorCause {
  readonly field?: string | undefined;
  readonly message?: string | undefined;
  readonly [member: string]: unknown;
}

/** The service refused the request. The subclass follows from the status. */
export class ApiError extends PartnerError {
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable class, for example `request_error`; `''` without an error envelope. */
  readonly type: string;
  /** Stable machine-readable code; `''` without an error envelope. */
  readonly code: ApiErrorCode;
  /** The service's identifier of this refusal, for its support; `''` without an error envelope. */
  readonly instance: string;
  /** The service's documentation of the code. */
  readonly docUrl: string | undefined;
  /** Details from the service, at most 100. */
  readonly causes: readonly ApiErrorCause[];
  /** Time in ms that the service asked to wait (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** Headers of the answer, names in lower case. Not enumerable: they stay out of logs. */
  declare readonly headers: Readonly<Record<string, string>>;
  /** Text of an answer without error envelope, at most 1,000 characters. Not enumerable. */
  declare readonly body: string | undefined;

  constructor(details: ApiErrorDetails, facts?: CallFacts) {
    super(messageOf(details, facts?.operation), facts);
    this.status = details.status;
    this.type = details.type;
    this.code = details.code;
    this.instance = details.instance;
    this.docUrl = details.docUrl;
    this.causes = details.causes;
    this.retryAfter = details.retryAfter;
    define(this, 'headers', { value: details.headers });
    define(this, 'body', { value: details.body });
  }
}

/** The message clips the texts of a cause to this many characters; `causes` has the whole. */
const MAX_SHOWN_LENGTH = 200;

function messageOf(
  { status, code, causes, retryAfter, advice }: ApiErrorDetails,
  operation: string | undefined,
): string {
  const fields = causes.flatMap(({ field, message }) =>
    typeof field === 'string' ? [{ path: shortened(field), message: shortened(textOr(message, 'is wrong')) }] : [],
  );
  const said = [
    fields.length === 0 ? undefined : listIssues(fields),
    retryAfter ? `the service asked to wait ${Math.ceil(retryAfter / 1000)} s` : undefined,
    advice,
  ].filter((part) => part !== undefined);
  const what = `${status} ${code === '' ? 'no error envelope' : code}${operation === undefined ? '' : ` (${operation})`}`;
  return said.length === 0 ? what : `${what}: ${said.join('; ')}`;
}

/** Returns a text that the service sent. Other values may not even be converted to text. */
const textOr = (member: unknown, otherwise: string): string => (typeof member === 'string' ? member : otherwise);

const shortened = (text: string): string => clipped(text, MAX_SHOWN_LENGTH);

/** 400: the service found the request wrong; `causes` lists the fields. */
export class BadRequestError extends ApiError {}
/** 401: the service did not accept the API key, signature, nonce or one-time password. */
export class UnauthenticatedError extends ApiError {}
/** 403: the API key may not do this, or a gateway in front of the service refused. */
export class ForbiddenError extends ApiError {
  /** True when a gateway refused (`type` `service_error`, `code` `gateway`). */
  get gateway(): boolean {
    return this.code === 'gateway';
  }
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), gateway: this.gateway };
  }
}
/** 404: the resource does not exist, or belongs to another account or user. */
export class NotFoundError extends ApiError {}
/** 409: the resource's state conflicts, or the idempotency key was used for another request. */
export class ConflictError extends ApiError {}
/** 410: the resource is gone, for example an expired quote. */
export class GoneError extends ApiError {}
/** 429: rate limit or quota exceeded. `retryAfter` is set when the service sent `Retry-After`. */
export class ResourceExhaustedError extends ApiError {}
/** 500: unexpected error of the service. */
export class InternalError extends ApiError {}
/** 501: the service does not implement this operation. */
export class UnimplementedError extends ApiError {}
/** 503: temporarily unavailable. */
export class UnavailableError extends ApiError {}
/** 504: something behind the service did not finish in time. */
export class DeadlineExceededError extends ApiError {}

/** The class of each status; any other status is a plain `ApiError`. */
export const API_ERROR_CLASSES: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>([
  [400, BadRequestError],
  [401, UnauthenticatedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, GoneError],
  [429, ResourceExhaustedError],
  [500, InternalError],
  [501, UnimplementedError],
  [503, UnavailableError],
  [504, DeadlineExceededError],
]);

/** No usable answer: the connection was refused, reset, or closed before the answer was whole. */
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

/** `timeout` (of a call, or of a `waitFor`) or `attemptTimeout` (of the last attempt) passed. */
export class TimeoutError extends PartnerError {}

/** The caller's signal ended the call. `cause` is the signal's reason. */
export class AbortedError extends PartnerError {}

/** A signer, secret function, nonce source, OTP provider, schema or `until` failed: see `cause`. */
export class ProviderError extends PartnerError {}

/** The answer is not of the promised shape, too large, not JSON, or it belongs to another call. */
export class ResponseValidationError extends PartnerError {
  /** Each wrong member of the answer, at most 100. */
  readonly issues: readonly Issue[];
  /** HTTP status, when an answer arrived. */
  readonly status: number | undefined;
  /**
   * True if the body is no JSON: another text, cut short, or empty. Mostly a gateway spoiled the
   * answer, and a later read may succeed. Reads are retried after it.
   */
  readonly notJson: boolean;
  /** Text of the answer, at most 1,000 characters, without credentials. Not enumerable. */
  declare readonly body: string;
  constructor(
    issues: readonly Issue[],
    answer: { status?: number | undefined; body: string; notJson?: boolean | undefined },
    facts?: CallFacts,
  ) {
    const whose = facts?.operation === undefined ? '' : ` of ${facts.operation}`;
    super(`The answer${whose} does not have the promised shape: ${listIssues(issues)}`, facts);
    this.issues = issues;
    this.status = answer.status;
    this.notJson = answer.notJson ?? false;
    define(this, 'body', { value: answer.body });
  }
}

// Bases first: a class inherits brands. Not inside the classes: bundlers rename a class that
// names itself.
for (const [name, errorClass] of Object.entries({
  RequestValidationError,
  ApiError,
  BadRequestError,
  UnauthenticatedError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  GoneError,
  ResourceExhaustedError,
  InternalError,
  UnimplementedError,
  UnavailableError,
  DeadlineExceededError,
  ConnectionError,
  TimeoutError,
  AbortedError,
  ProviderError,
  ResponseValidationError,
})) {
  brand(errorClass, name);
}

/** True for a refusal of the service. With `code`: only for a refusal with that code. */
export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** A message lists no more issues than this. */
const MAX_SHOWN_ISSUES = 5;

function listIssues(issues: readonly Issue[], say: (issue: Issue) => string = entryOf): string {
  const more = issues.length - MAX_SHOWN_ISSUES;
  return issues.slice(0, MAX_SHOWN_ISSUES).map(say).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const entryOf = ({ path, message }: Issue): string => (path === '' ? message : `${path}: ${message}`);

/** Returns a sentence about a function's own parameter, for example `parts.0 must be text`. */
const sentenceOf = (issue: Issue): string =>
  /^must /.test(issue.message) ? `${issue.path} ${issue.message}` : entryOf(issue);
