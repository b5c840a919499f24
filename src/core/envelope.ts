import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import type { AttemptResult } from './attempt.js';
import { isRecord } from './checks.js';
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

/** How the success of one call is read. */
interface ReadingRules {
  /** `responseValidation: 'warn'`: the value is handed over as far as it could be read. */
  readonly lenient: boolean;
  /** Told the issues that were let pass. */
  readonly report: (issues: readonly Issue[]) => void;
  /** The error for issues that are not. */
  readonly fail: (issues: readonly Issue[]) => ResponseValidationError;
}

/** Takes the method's value out of a 2xx answer. Throws `ResponseValidationError`. */
export function readAnswer<T>(operation: Operation<T>, result: AttemptResult, rules: ReadingRules): T {
  const { answer } = operation;
  const text = decodeUtf8(result.body);
  if (answer.kind === 'nothing') {
    if (text !== '') parseJson(text, result, rules);
    return undefined as T;
  }
  if (answer.kind === 'any' && text === '') return undefined as T;
  const json = parseJson(text, result, rules);
  if (answer.kind === 'any') return (answer.unwrap && isRecord(json) && 'data' in json ? json['data'] : json) as T;
  const parsed = answer.schema().safeParse(json);
  if (parsed.success) return answer.select(parsed.data);
  const issues = issuesOf(parsed.error as z.ZodError);
  if (!rules.lenient) throw rules.fail(issues);
  rules.report(issues);
  try {
    return answer.select(readLeniently(answer.schema(), json));
  } catch {
    // Not even the envelope is there: nothing can be handed over.
    throw rules.fail(issues);
  }
}

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

function parseJson(text: string | undefined, result: AttemptResult, rules: ReadingRules): unknown {
  try {
    if (text !== undefined) return JSON.parse(text);
  } catch {
    // Reported below: the parser's own message would quote the body.
  }
  const type = result.headers['content-type'] ?? 'no content type';
  const message = text === '' ? 'the body is empty' : `the body is no JSON (${type})`;
  throw rules.fail([{ path: '', message }]);
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

/** The service's code of a refusal; undefined without an error envelope. */
export function errorCode(result: AttemptResult, redact: Redact): string | undefined {
  const code = textOf(errorEnvelope(bodyText(result.body))?.['code']);
  return code === undefined ? undefined : redact(code);
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
