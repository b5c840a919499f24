import type { ResponseInfo } from '../errors.js';
import { type Redact, redactHeaders, redactor } from '../redaction/redact.js';
import { type AttemptResult, isReplayed } from './attempt-result.js';

type Head = Pick<AttemptResult, 'status' | 'headers'>;

/** @param secrets Texts that must not show: a service may echo them in a success, too. */
export function responseInfo(
  head: Head,
  idempotencyKey: string | undefined,
  attempts: number,
  secrets: readonly string[],
): ResponseInfo {
  return { ...shownHead(head, redactor(secrets)), attempts, idempotencyKey };
}

/** Returns the part of a `ResponseInfo` that the head of the response decides. */
export function shownHead(
  { status, headers }: Head,
  redact: Redact,
): Pick<ResponseInfo, 'status' | 'headers' | 'replayed'> {
  return { status: status ?? 0, headers: redactHeaders(headers, redact), replayed: isReplayed({ headers }) };
}
