import {
  API_ERROR_CLASSES,
  ApiError,
  type ApiErrorCause,
  type CallFacts,
  MAX_ISSUES,
  type ResponseInfo,
} from '../errors.js';
import {
  BoundedRedaction,
  bodyText,
  MAX_CODE_LENGTH,
  MAX_TEXT_LENGTH,
  type Redact,
  redactHeaders,
} from '../redaction/redact.js';
import { errorBody, rejection } from '../schema/error-envelope.js';
import { readBySchema } from '../schema/reading.js';
import { exactly } from '../schema/scalars.js';
import { fastForm } from '../schema/validate/compile.js';
import * as z from '../schema/zod.js';
import { ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { clipped } from '../util/printable.js';
import { type AttemptResult, isReplayed } from './attempt-result.js';
import { NOT_JSON, parseBeginning, parseJson } from './parse-json.js';
import type { ParsedBody } from './read-answer.js';
import { readRetryAfter } from './retry-after.js';

/** Only the beginning of a longer body is read for an error. */
export const MAX_ERROR_BODY_BYTES = 65_536;

/** Causes, or issues, of one error are left out when they take more JSON than this. */
export const DETAILS_BUDGET_BYTES = 24_000;

/** Further secrets of a response are not looked for: thousands would hold the process up. */
const MAX_ANSWER_SECRETS = 20;

/** Longer strings such as `type` and `instance` are clipped. */
const MAX_NAME_LENGTH = 200;

/** Creates the typed error of a rejection. Its code is `''` for HTML, broken JSON and no body. */
export function apiError(
  result: AttemptResult,
  redact: Redact,
  facts: CallFacts,
  advice: (code: string, causes: readonly ApiErrorCause[]) => string | undefined,
): ApiError {
  const text = textOfBody(result);
  const envelope = errorEnvelope(result, text);
  const member = (name: string, length: number) =>
    clipped(redact(textOf(envelope && ownMember(envelope, name))), length);
  const ErrorClass = API_ERROR_CLASSES.get(result.status ?? 0) ?? ApiError;
  const code = member('code', MAX_CODE_LENGTH);
  const causes = keptCauses(causesOf(envelope), redact);
  const details = {
    response: shownHead(result, redact),
    type: member('type', MAX_NAME_LENGTH),
    code,
    instance: member('instance', MAX_NAME_LENGTH),
    docUrl: member('doc_url', MAX_TEXT_LENGTH) || undefined,
    causes,
    retryAfter: readRetryAfter(result.headers, Date.now()),
    body: (envelope === undefined || result.kind !== 'answer') && text !== '' ? redact(text) : undefined,
    advice: advice(code, causes),
  };
  return new ErrorClass(details, facts);
}

/**
 * Returns the service's code of a rejection: a non-empty string as `error.code` of a JSON body,
 * which may have been cut short behind it. Undefined for any other body: a proxy may have sent it.
 */
export function errorCode(result: AttemptResult): string | undefined {
  const { success, data } = z.safeParse(fastForm(rejection), arrivedBody(result));
  return success && isWholeCode(result, data.error.code) ? data.error.code : undefined;
}

/**
 * Returns the `error` member of a rejection's body. Numbers are read as strings where that is
 * exact. Other members that are not as specified stay unchanged: the error is needed anyway.
 */
function errorEnvelope(result: AttemptResult, text: string): Record<string, unknown> | undefined {
  const body = withFewCauses(arrivedBody(result, text));
  let read = readBySchema(errorBody, body, 'tolerant', text.length);
  if (!('value' in read)) read = readBySchema(errorBody, body, 'warn', text.length);
  const envelope = isRecord(read.value) ? read.value['error'] : undefined;
  if (!isRecord(envelope)) return undefined;
  return isWholeCode(result, envelope['code']) ? envelope : { ...envelope, code: undefined };
}

/**
 * Returns a body with no more causes than an error stores. Zod creates an issue for each that is
 * not an object: the 30,000 that fit into a body would hold the process up for 0.1 s.
 */
function withFewCauses(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const envelope = ownMember(body, 'error');
  if (!isRecord(envelope) || !Array.isArray(ownMember(envelope, 'causes'))) return body;
  return { ...body, error: { ...envelope, causes: causesOf(envelope).slice(0, MAX_ISSUES) } };
}

function causesOf(envelope: Record<string, unknown> | undefined): Record<string, unknown>[] {
  const causes = envelope && ownMember(envelope, 'causes');
  return Array.isArray(causes) ? causes.filter(isRecord) : [];
}

/** False for a code that broke off: its beginning would be another code. */
const isWholeCode = (result: AttemptResult, code: unknown): boolean =>
  result.kind === 'answer' || (typeof code === 'string' && textOfBody(result).includes(JSON.stringify(code)));

/** Returns the JSON of a rejection's body, as far as it arrived and is read. */
function arrivedBody(result: AttemptResult, text: string = textOfBody(result)): unknown {
  const size = result.body.reduce((sum, { length }) => sum + length, 0);
  const isWhole = result.kind === 'answer' && size <= MAX_ERROR_BODY_BYTES;
  return isWhole ? parseJson(text) : parseBeginning(text);
}

const textOfBody = ({ body }: AttemptResult): string => bodyText(body, MAX_ERROR_BODY_BYTES);

/**
 * Returns the strings of a response that no error and no log may show: those of `member`, at any
 * depth. If the body is not JSON, all of it is a secret.
 */
export function answerSecrets(member: string, result: AttemptResult): string[] {
  const value = arrivedBody(result);
  if (value === NOT_JSON) return [textOfBody(result)];
  const found: string[] = [];
  const left = [value];
  for (let next = left.pop(); next !== undefined && found.length < MAX_ANSWER_SECRETS; next = left.pop()) {
    if (Array.isArray(next)) left.push(...next);
    if (!isRecord(next)) continue;
    const secret = next[member];
    if (typeof secret === 'string' || typeof secret === 'number') found.push(String(secret));
    left.push(...Object.values(next));
  }
  return found;
}

/** Returns the causes that fit into the budget: an error must fit into a log. */
function keptCauses(causes: readonly Record<string, unknown>[], redact: Redact): ApiErrorCause[] {
  const bounded = new BoundedRedaction(redact, DETAILS_BUDGET_BYTES);
  const kept: ApiErrorCause[] = [];
  for (const cause of causes) {
    if (bounded.isUsedUp) break;
    kept.push(bounded.record(cause));
  }
  return kept;
}

/** Returns a string, or a number as one if that is exact: an id that lost digits is another id. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(exactly('string', value) ?? ''));

/** Returns the part of a `ResponseInfo` that the head of the response decides. */
export function shownHead(
  { status, headers }: Pick<AttemptResult, 'status' | 'headers'>,
  redact: Redact,
): Pick<ResponseInfo, 'status' | 'headers' | 'replayed'> {
  return { status: status ?? 0, headers: redactHeaders(headers, redact), replayed: isReplayed({ headers }) };
}

/**
 * True if a 2xx shows that the service itself has responded, and not a proxy or load balancer with
 * a page of its own. A body that was cut short counts by its beginning.
 *
 * @param declaresData True if the operation declares a member `data`: then only that member counts.
 *   Otherwise any JSON does, and an empty body.
 * @param body Undefined if the response is not complete.
 */
export function isSuccessOfService(
  declaresData: boolean,
  result: AttemptResult,
  body: ParsedBody | undefined,
): boolean {
  if (body?.kind === 'json' || body?.kind === 'nothing') return true;
  if (body?.kind === 'foreign') return false;
  const text = bodyText(result.body, MAX_ERROR_BODY_BYTES);
  if (/^\s*\{\s*"data"\s*:/.test(text)) return true;
  const value = parseBeginning(text);
  if (declaresData) return isRecord(value) && ownMember(value, 'data') !== undefined;
  // A bracket alone also begins strings such as "[error] …" and templates.
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The statuses with which a proxy rejects a request that it has not handed on. */
const REJECTIONS_OF_PROXIES: readonly number[] = [400, 404, 405, 406, 411, 413, 414, 415, 417, 426, 431];

/** True if a proxy that responds with this status has not handed the request on to the service. */
export const isRejectionOfProxy = (status: number): boolean => REJECTIONS_OF_PROXIES.includes(status);

/**
 * True if a rejection has the service's error envelope. One that was cut short must have come as
 * far as the code, because proxies also respond with an object `error`.
 */
export const isRejectionOfService = (result: AttemptResult): boolean =>
  z.safeParse(fastForm(rejection), arrivedBody(result)).success;
