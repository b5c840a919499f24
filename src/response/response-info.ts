import type { ResponseInfo } from '../errors.js';
import { type Redact, redactHeaders } from '../redaction/redact.js';
import { type AttemptResult, isReplayed } from './attempt-result.js';

/** Returns the part of a `ResponseInfo` that the head of the response decides. */
export function shownHead(
  { status, headers }: Pick<AttemptResult, 'status' | 'headers'>,
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
