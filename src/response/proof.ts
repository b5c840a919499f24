import { bodyText } from '../redaction/redact.js';
import { ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { errorCode } from './api-error.js';
import type { AttemptResult } from './attempt-result.js';
import { NOT_JSON, parseBeginning } from './parse-json.js';
import type { ParsedBody } from './read-answer.js';

/** The beginning of a body shows who has sent it. */
const MAX_BEGINNING_BYTES = 65_536;

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
  const { text, value } = beginningOf(result);
  if (/^\s*\{\s*"data"\s*:/.test(text)) return true;
  if (declaresData) return memberOf(value, 'data') !== undefined;
  // A bracket alone also begins texts as "[error] …" and templates.
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
export function isRejectionOfService(result: AttemptResult): boolean {
  if (errorCode(result) !== undefined) return true;
  if (result.kind === 'answer') return false;
  const code = memberOf(memberOf(beginningOf(result).value, 'error'), 'code');
  return typeof code === 'string' && code !== '';
}

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? ownMember(value, name) : undefined);

function beginningOf({ body }: AttemptResult): { readonly text: string; readonly value: unknown } {
  const text = bodyText(body, MAX_BEGINNING_BYTES);
  return { text, value: text === '' ? NOT_JSON : parseBeginning(text) };
}
