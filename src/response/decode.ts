import { Buffer } from 'node:buffer';
import {
  API_ERROR_CLASSES,
  ApiError,
  type ApiErrorCause,
  type CallFacts,
  type Issue,
  ResponseValidationError,
} from '../errors.js';
import {
  BoundedRedaction,
  bodyText,
  MAX_CODE_LENGTH,
  MAX_TEXT_LENGTH,
  type Redact,
  redactHeaders,
  type Secrets,
} from '../redaction/redact.js';
import type { Answer, Operation } from '../schema/operation.js';
import { readBySchema } from '../schema/read.js';
import { Reading, type ResponseValidation, TOO_DEEP } from '../schema/reading.js';
import { hidePollution } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { clipped } from '../util/printable.js';
import type { Advice } from './advice.js';
import type { AttemptResult } from './attempt-result.js';
import { hasTooManyValues, MAX_VALUES, NO_JSON, parseJson } from './parse-json.js';
import { parseBeginning } from './partial-json.js';
import { parseRetryAfter } from './retry-after.js';

/** What a 2xx answer gave: the value, with what is wrong and what is missing in it; or what is wrong, when the value is not handed over. */
export type AnswerReading<T> =
  | {
      readonly usable: true;
      readonly value: T;
      readonly issues: readonly Issue[];
      /** Paths of members that are missing, with `[]` for indices. */
      readonly missing: readonly string[];
    }
  | { readonly usable: false; readonly issues: readonly Issue[] };

const NONE: readonly never[] = [];

/** Takes the method's value out of a 2xx answer. */
export function readAnswer<T>(
  { answer }: Operation<T>,
  result: AttemptResult,
  mode: ResponseValidation,
): AnswerReading<T> {
  if (answer.kind === 'nothing') return whole(undefined as T);
  const text = decodeUtf8(result.body);
  if (text === '' && answer.kind === 'any') return whole(undefined as T);
  if (text !== undefined && hasTooManyValues(text)) return { usable: false, issues: [TOO_MANY_VALUES] };
  const json = text === undefined ? NO_JSON : parseJson(text);
  if (json === NO_JSON) return { usable: false, issues: [notJson(text, result)] };
  if (answer.kind === 'value') return readValue(answer, json, mode);
  return whole((answer.unwrap && isRecord(json) && 'data' in json ? json['data'] : json) as T);
}

const TOO_MANY_VALUES: Issue = { path: '', message: `the answer has more than ${MAX_VALUES} values` };

function readValue<T>(
  { schema, select }: Extract<Answer<T>, { kind: 'value' }>,
  json: unknown,
  mode: ResponseValidation,
): AnswerReading<T> {
  const reading = new Reading(mode);
  const { issues, missing } = reading;
  // A member that is missing would be read from there.
  const putBack = hidePollution();
  try {
    const value = readBySchema(schema, json, reading);
    if (reading.isRefused || (issues.length > 0 && mode !== 'warn')) return { usable: false, issues };
    return { usable: true, value: select(value), issues, missing };
  } catch (error) {
    // Otherwise not even the envelope is there, and nothing can be handed over.
    if (error instanceof RangeError) reading.issue('', TOO_DEEP);
    return { usable: false, issues };
  } finally {
    putBack?.();
  }
}

const whole = <T>(value: T): AnswerReading<T> => ({ usable: true, value, issues: NONE, missing: NONE });

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The body's text; undefined when it is no UTF-8, and then no JSON either. */
function decodeUtf8(body: readonly Uint8Array[]): string | undefined {
  const [first] = body;
  if (first === undefined) return '';
  try {
    return utf8.decode(body.length === 1 ? first : Buffer.concat(body));
  } catch {
    return undefined;
  }
}

function notJson(text: string | undefined, { headers }: AttemptResult): Issue {
  const type = headers['content-type'] ?? 'no content type';
  return { path: '', message: text === '' ? 'the body is empty' : `the body is no JSON (${type})` };
}

/** How much of the body of a refusal, or of an answer that cannot be used, is read for its error, in bytes. */
const MAX_ERROR_BODY_BYTES = 65_536;

/** How much of one error is the service's causes, or issues that name its members, in bytes of JSON. */
const DETAILS_BUDGET_BYTES = 24_000;

/** An error keeps so many causes or issues: more tell nobody more. */
const MAX_DETAILS = 100;

/** How much of `type` and `instance` an error keeps, in characters. */
const MAX_NAME_LENGTH = 200;

/** The error of a 2xx whose body cannot be used. */
export function unreadable(
  issues: readonly Issue[],
  result: AttemptResult,
  secrets: Secrets,
  facts: CallFacts,
): ResponseValidationError {
  const body = secrets.all(bodyText(result.body, MAX_ERROR_BODY_BYTES));
  return new ResponseValidationError(shownIssues(issues, secrets.all), { status: result.status, body }, facts);
}

/** Issues as errors and log show them: a path may have names, and a message (of the caller's schema) texts, of the answer. */
export function shownIssues(issues: readonly Issue[], redact: Redact): Issue[] {
  const bounded = new BoundedRedaction(redact, DETAILS_BUDGET_BYTES);
  const shown: Issue[] = [];
  for (const { path, message } of issues) {
    if (bounded.isUsedUp || shown.length === MAX_DETAILS) break;
    shown.push({ path: bounded.text(path), message: bounded.text(message) });
  }
  return shown;
}

/** The typed error of a refusal. HTML, an empty body or broken JSON keep their status and have code `''`. */
export function apiError(result: AttemptResult, secrets: Secrets, facts: CallFacts, advice: Advice): ApiError {
  const status = result.status ?? 0;
  const text = bodyText(result.body, MAX_ERROR_BODY_BYTES);
  const envelope = errorEnvelope(result);
  const member = (name: string, length: number) => clipped(secrets.credentials(textOf(envelope?.[name]) ?? ''), length);
  const ErrorClass = API_ERROR_CLASSES.get(status) ?? ApiError;
  const code = member('code', MAX_CODE_LENGTH);
  const details = {
    status,
    type: member('type', MAX_NAME_LENGTH),
    code,
    instance: member('instance', MAX_NAME_LENGTH),
    docUrl: member('doc_url', MAX_TEXT_LENGTH) || undefined,
    causes: causesOf(envelope?.['causes'], secrets.all),
    retryAfter: parseRetryAfter(result.headers['retry-after'], Date.now()),
    headers: redactHeaders(result.headers, secrets.all),
    body: envelope === undefined && text !== '' ? secrets.all(text) : undefined,
    advice: advice(status, code),
  };
  return new ErrorClass(details, facts);
}

/**
 * The service's code of a refusal. A body is the service's error envelope when it is JSON whose `error` has a non-empty text as `code`;
 * undefined for any other: a gateway answered, or the envelope was cut.
 */
export function errorCode(result: AttemptResult): string | undefined {
  return textOf(errorEnvelope(result)?.['code']) || undefined;
}

/** The `error` member of a refusal, as far as it is read. */
function errorEnvelope({ body: chunks }: AttemptResult): Record<string, unknown> | undefined {
  const text = bodyText(chunks, MAX_ERROR_BODY_BYTES);
  const isCut = chunks.reduce((size, { length }) => size + length, 0) > MAX_ERROR_BODY_BYTES;
  try {
    const body: unknown = isCut ? parseBeginning(text) : JSON.parse(text);
    const envelope = isRecord(body) ? body['error'] : undefined;
    return isRecord(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** The causes that are kept, and of them what fits into the budget: an error must fit into a log. */
function causesOf(causes: unknown, redact: Redact): ApiErrorCause[] {
  const bounded = new BoundedRedaction(redact, DETAILS_BUDGET_BYTES);
  const kept: ApiErrorCause[] = [];
  for (const cause of Array.isArray(causes) ? causes : []) {
    if (bounded.isUsedUp || kept.length === MAX_DETAILS) break;
    if (isRecord(cause)) kept.push(bounded.record(cause));
  }
  return kept;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
