import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import type { AttemptResult } from './attempt.js';
import { isRecord } from './checks.js';
import { readBy } from './compiled.js';
import {
  API_ERROR_CLASSES,
  ApiError,
  type ApiErrorCause,
  type CallFacts,
  type Issue,
  ResponseValidationError,
} from './errors.js';
import { issuesOf } from './issues.js';
import { readLeniently } from './lenient.js';
import type { Operation } from './operation.js';
import { bodyText, type Redact, redactDeep, type Secrets } from './redact.js';
import { parseRetryAfter } from './retry-after.js';

/** What a 2xx answer gave: the value, with what is wrong with it; or only that, when there is nothing to hand over. */
type Reading<T> =
  | { readonly usable: true; readonly value: T; readonly issues: readonly Issue[] }
  | { readonly usable: false; readonly issues: readonly Issue[] };

const NO_ISSUES: readonly Issue[] = [];

/**
 * Takes the method's value out of a 2xx answer. With `lenient` (`responseValidation: 'warn'`) a value that does not fit is read as far as
 * it goes.
 */
export function readAnswer<T>({ answer }: Operation<T>, result: AttemptResult, lenient: boolean): Reading<T> {
  const text = decodeUtf8(result.body);
  if (text === '' && answer.kind !== 'value') return whole(undefined as T);
  const json = text === undefined ? NO_JSON : parseJson(text);
  if (json === NO_JSON) return { usable: false, issues: [notJson(text, result)] };
  if (answer.kind === 'nothing') return whole(undefined as T);
  if (answer.kind === 'any')
    return whole((answer.unwrap && isRecord(json) && 'data' in json ? json['data'] : json) as T);
  const parsed = readBy(answer.schema, json);
  if (parsed.success) return whole(answer.select(parsed.data));
  const issues = issuesOf(parsed.error as z.ZodError);
  if (!lenient) return { usable: false, issues };
  try {
    return { usable: true, value: answer.select(readLeniently(answer.schema(), json)), issues };
  } catch {
    // Not even the envelope is there: nothing can be handed over.
    return { usable: false, issues };
  }
}

const whole = <T>(value: T): Reading<T> => ({ usable: true, value, issues: NO_ISSUES });

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

const NO_JSON: unique symbol = Symbol('no JSON');

/** The parser's own message is not kept: it would quote the body. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}

function notJson(text: string | undefined, { headers }: AttemptResult): Issue {
  const type = headers['content-type'] ?? 'no content type';
  return { path: '', message: text === '' ? 'the body is empty' : `the body is no JSON (${type})` };
}

/** The error of a 2xx whose body cannot be used. */
export function unreadable(
  issues: readonly Issue[],
  result: AttemptResult,
  secrets: Secrets,
  facts: CallFacts,
): ResponseValidationError {
  const shown = issues.map(({ path, message }) => ({ path, message: secrets.all(message) }));
  return new ResponseValidationError(shown, { status: result.status, body: secrets.all(bodyText(result.body)) }, facts);
}

/** The typed error of a refusal. HTML, an empty body or broken JSON keep their status and have code `''`. */
export function apiError(result: AttemptResult, secrets: Secrets, facts: CallFacts): ApiError {
  const status = result.status ?? 0;
  const text = bodyText(result.body);
  const envelope = errorEnvelope(text);
  const member = (name: string) => secrets.credentials(textOf(envelope?.[name]) ?? '');
  const ErrorClass = API_ERROR_CLASSES.get(status) ?? ApiError;
  const details = {
    status,
    type: member('type'),
    code: member('code'),
    instance: member('instance'),
    docUrl: member('doc_url') || undefined,
    causes: causesOf(redactDeep(envelope?.['causes'], secrets.all)),
    retryAfter: parseRetryAfter(result.headers['retry-after'], Date.now()),
    headers: redactDeep(result.headers, secrets.all) as Record<string, string>,
    body: envelope === undefined && text !== '' ? secrets.all(text) : undefined,
  };
  return new ErrorClass(details, facts);
}

/**
 * The service's code of a refusal. A body is the service's error envelope when it is JSON whose `error` has a non-empty text as `code`;
 * undefined for any other: a gateway answered, or the envelope was cut.
 */
export function errorCode(result: AttemptResult, redact: Redact): string | undefined {
  const code = textOf(errorEnvelope(bodyText(result.body))?.['code']);
  return code === undefined || code === '' ? undefined : redact(code);
}

function errorEnvelope(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const envelope = isRecord(body) ? body['error'] : undefined;
    return isRecord(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
}

/** More tell nobody more, and an error must fit into a log. */
const MAX_CAUSES = 100;

function causesOf(causes: unknown): ApiErrorCause[] {
  return Array.isArray(causes) ? causes.filter(isRecord).slice(0, MAX_CAUSES) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
