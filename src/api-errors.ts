import { listIssues } from './issues.js';
import { brand, type CallFacts, NO_CALL, PartnerError } from './partner-error.js';
import { clipped } from './util/printable.js';

/** The facts about a response besides its value, in `withResponse()`, a page, and an error. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Names are in lower case; the values of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of attempts of the call. */
  readonly attempts: number;
  /** The idempotency key that was sent, if there was one. */
  readonly idempotencyKey: string | undefined;
  /** True when the service replayed an earlier response (`Idempotent-Replayed: true`). */
  readonly replayed: boolean;
}

/**
 * The members of an `ApiError` that its constructor takes. Only the status is required, so that
 * your tests can construct an error briefly: `new ConflictError({ response: { status: 409 } })`.
 */
export interface ApiErrorDetails
  extends Partial<Pick<ApiError, 'type' | 'code' | 'instance' | 'docUrl' | 'causes' | 'retryAfter' | 'body'>> {
  /** The response that rejected the request. */
  readonly response: Pick<ResponseInfo, 'status'> & Partial<Pick<ResponseInfo, 'headers' | 'replayed'>>;
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

/**
 * Returns the `response` of an error. Loggers see only the status, because headers may contain
 * cookies and the error itself has the other members.
 */
export function errorResponse(
  { status, headers = {}, replayed = false }: ApiErrorDetails['response'],
  { attempts, idempotencyKey }: CallFacts = NO_CALL,
): ResponseInfo {
  const response: ResponseInfo = { status, headers, attempts: attempts.count, idempotencyKey, replayed };
  for (const name of Object.keys(response))
    if (name !== 'status') Object.defineProperty(response, name, { enumerable: false });
  return response;
}

/**
 * The service rejected the request. The subclass depends on the status.
 *
 * The error handlers of web frameworks respond with the `status` and the `headers` of the error
 * that they catch. An error of this package has neither, so that the service's 401 or its cookies
 * never reach your users. Read `response` instead.
 *
 * @example
 * try {
 *   await client.users.get(userId);
 * } catch (error) {
 *   if (!(error instanceof ApiError)) throw error;
 *   const { response, code, instance } = error;
 *   console.error(response.status, code, instance); // the service's support asks for `instance`
 * }
 */
export class ApiError extends PartnerError {
  /**
   * The response, as `withResponse()` describes one. Only its `status` is enumerable, so that the
   * headers stay out of logs.
   */
  readonly response: ResponseInfo;
  /** Machine-readable class, for example `request_error`; `''` without an error envelope. */
  readonly type: string;
  /** Stable machine-readable code; `''` without an error envelope. */
  readonly code: ApiErrorCode;
  /** Identifier of this rejection, for the service's support; `''` without an error envelope. */
  readonly instance: string;
  /** Address of the service's documentation of the code. */
  readonly docUrl: string | undefined;
  /** Details from the service, at most 100. */
  readonly causes: readonly ApiErrorCause[];
  /** Time in ms that the service asked to wait (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** True if the service replayed an earlier rejection of the same idempotency key. */
  readonly replayed: boolean;
  /**
   * The body of a response without an error envelope, or of one that was cut off, at most 1,000
   * characters. Not enumerable.
   */
  declare readonly body: string | undefined;

  constructor(details: ApiErrorDetails, facts?: CallFacts) {
    super(messageOf(details, facts?.operation), facts);
    this.response = errorResponse(details.response, facts);
    this.type = details.type ?? '';
    this.code = details.code ?? '';
    this.instance = details.instance ?? '';
    this.docUrl = details.docUrl;
    this.causes = details.causes ?? [];
    this.retryAfter = details.retryAfter;
    this.replayed = this.response.replayed;
    Object.defineProperty(this, 'body', { value: details.body });
  }
}

/** The message cuts each string of a cause to this many characters; `causes` has all of it. */
const MAX_SHOWN_LENGTH = 200;

function messageOf(
  { response: { status }, code = '', causes = [], retryAfter, advice }: ApiErrorDetails,
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

/** Returns a string that the service sent. Other values may not even convert to a string. */
const textOr = (member: unknown, otherwise: string): string => (typeof member === 'string' ? member : otherwise);

const shortened = (text: string): string => clipped(text, MAX_SHOWN_LENGTH);

/**
 * 400: the service considers the request invalid; `causes` lists the fields.
 *
 * @example
 * try {
 *   await client.users.update(userId, { phone: '+442071234568' });
 * } catch (error) {
 *   if (!(error instanceof BadRequestError)) throw error;
 *   for (const { field, message } of error.causes) console.log(field, message);
 * }
 */
export class BadRequestError extends ApiError {}
/**
 * 401: the service did not accept the API key, signature, nonce or one-time password.
 *
 * @example
 * try {
 *   await client.webhooks.list();
 * } catch (error) {
 *   if (!(error instanceof UnauthenticatedError)) throw error;
 *   console.error(error.message); // says what to check; `npx partner-sdk doctor` finds the mistake
 * }
 */
export class UnauthenticatedError extends ApiError {}
/**
 * 403: the API key is not allowed to do this, or a gateway in front of the service rejected it.
 *
 * @example
 * try {
 *   await client.accounts.portfolio.summary(accountId);
 * } catch (error) {
 *   if (!(error instanceof ForbiddenError)) throw error;
 *   console.error(error.gateway ? 'refused before the service' : 'not allowed for this API key');
 * }
 */
export class ForbiddenError extends ApiError {
  /** True when a gateway rejected the request (`type` `service_error`, `code` `gateway`). */
  get gateway(): boolean {
    return this.code === 'gateway';
  }
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), gateway: this.gateway };
  }
}
/**
 * 404: the resource does not exist, or belongs to another account or user.
 *
 * @example
 * const user = await client.users.get(userId).catch((error: unknown) => {
 *   if (error instanceof NotFoundError) return undefined;
 *   throw error;
 * });
 * if (user === undefined) console.log('no such user');
 */
export class NotFoundError extends ApiError {}
/**
 * 409: conflict with the resource's state, or the idempotency key was used for another request.
 *
 * @example
 * const body = { new_key: 'vault' };
 * try {
 *   await client.funds.withdrawalAddresses.update(accountId, addressKey, body);
 * } catch (error) {
 *   if (!(error instanceof ConflictError)) throw error;
 *   console.log('the name is taken', error.causes);
 * }
 */
export class ConflictError extends ApiError {}
/**
 * 410: the resource is gone, for example an expired quote.
 *
 * @example
 * try {
 *   await client.accounts.quotes.execute(accountId, quoteId);
 * } catch (error) {
 *   if (!(error instanceof GoneError)) throw error;
 *   console.log('the quote has expired: ask for a new one');
 * }
 */
export class GoneError extends ApiError {}
/**
 * 429: rate limit or quota exceeded. `retryAfter` is set when the service sent `Retry-After`.
 *
 * @example
 * try {
 *   await client.assets.list({}, { maxRetries: 0 });
 * } catch (error) {
 *   if (!(error instanceof ResourceExhaustedError)) throw error;
 *   console.log(`again in ${error.retryAfter ?? 1_000} ms`);
 * }
 */
export class ResourceExhaustedError extends ApiError {}
/**
 * 500: unexpected error of the service.
 *
 * @example
 * try {
 *   await client.accounts.quotes.execute(accountId, quoteId);
 * } catch (error) {
 *   if (!(error instanceof InternalError)) throw error;
 *   console.error(error.instance, error.outcome); // `unknown` for a write
 * }
 */
export class InternalError extends ApiError {}
/**
 * 501: the service does not implement this operation.
 *
 * @example
 * const currencies = await client.ramp.fiatCurrencies.list().catch((error: unknown) => {
 *   if (!(error instanceof UnimplementedError)) throw error;
 *   console.log('the service does not have this operation');
 * });
 */
export class UnimplementedError extends ApiError {}
/**
 * 503: temporarily unavailable.
 *
 * @example
 * try {
 *   await client.users.get(userId, { maxRetries: 0 });
 * } catch (error) {
 *   if (!(error instanceof UnavailableError)) throw error;
 *   console.log(`again in ${error.retryAfter ?? 5_000} ms`);
 * }
 */
export class UnavailableError extends ApiError {}
/**
 * 504: something behind the service did not finish in time.
 *
 * @example
 * try {
 *   await client.reports.settlement.get(reportId, { maxRetries: 0 });
 * } catch (error) {
 *   if (!(error instanceof DeadlineExceededError)) throw error;
 *   console.log(error.operation, 'took the service too long');
 * }
 */
export class DeadlineExceededError extends ApiError {}

const CLASSES = [
  [400, 'BadRequestError', BadRequestError],
  [401, 'UnauthenticatedError', UnauthenticatedError],
  [403, 'ForbiddenError', ForbiddenError],
  [404, 'NotFoundError', NotFoundError],
  [409, 'ConflictError', ConflictError],
  [410, 'GoneError', GoneError],
  [429, 'ResourceExhaustedError', ResourceExhaustedError],
  [500, 'InternalError', InternalError],
  [501, 'UnimplementedError', UnimplementedError],
  [503, 'UnavailableError', UnavailableError],
  [504, 'DeadlineExceededError', DeadlineExceededError],
] as const;

/** The class of each status; any other status is a plain `ApiError`. */
export const API_ERROR_CLASSES: ReadonlyMap<number, typeof ApiError> = new Map<number, typeof ApiError>(
  CLASSES.map(([status, , errorClass]) => [status, errorClass]),
);

// Base classes first, because a class inherits brands. Not inside the classes, because bundlers
// rename a class that names itself.
brand(ApiError, 'ApiError');
for (const [, name, errorClass] of CLASSES) brand(errorClass, name);

/**
 * True if the service rejected the request. With `code`: only if it did so with that code.
 *
 * @example
 * const user = await client.users.get(userId).catch((error: unknown) => {
 *   if (isApiError(error, 'user_not_found')) return undefined;
 *   throw error;
 * });
 */
export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
