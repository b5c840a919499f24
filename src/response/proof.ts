import { bodyText } from '../redaction/redact.js';
import { rejection } from '../schema/error-envelope.js';
import { fastForm } from '../schema/validate/compile.js';
import * as z from '../schema/zod.js';
import { ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { arrivedBody, MAX_ERROR_BODY_BYTES } from './api-error.js';
import type { AttemptResult } from './attempt-result.js';
import { parseBeginning } from './parse-json.js';
import type { ParsedBody } from './read-answer.js';

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
export const isRejectionOfService = (result: AttemptResult): boolean =>
  z.safeParse(fastForm(rejection), arrivedBody(result)).success;
