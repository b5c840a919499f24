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

/**
 * Returns `Retry-After` in ms from `now`. The header has seconds or an HTTP date
 * (RFC 9110 §10.2.3). Undefined if it has neither.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Each form of an HTTP date begins with a day. Date.parse() takes "1.5" and "2026", too.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // asctime, the one form that does not name its zone, is in UTC as well.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
