import type { Operation } from '../../schema/operation.js';
import { errorAnswer, refusalOf } from '../core/request/error-answer.js';
import { BODILESS, type ConnectionAction, type HttpAnswer } from '../core/request/messages.js';
import type { StrikingFault } from './effects.js';
import { FAULTS, retryAfterHeader } from './fault-table.js';

const EMPTY_SUCCESS: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"data":{}}',
};

/** Returns the effect of a fault on the client. `answer` is the real answer, if there is one. */
export function faultAction(
  striking: StrikingFault,
  operation: Operation | undefined,
  instance: string,
  answer: HttpAnswer = EMPTY_SUCCESS,
): ConnectionAction {
  const { fault } = striking;
  if (typeof fault === 'string') return FAULTS[fault].replace(answer, striking);
  const retryAfter = retryAfterHeader(striking);
  if (BODILESS.includes(fault)) return { kind: 'answer', answer: { status: fault, headers: retryAfter, body: '' } };
  const failed = errorAnswer(refusalOf(fault, operation, striking), operation, instance, striking);
  return { kind: 'answer', answer: { ...failed, headers: { ...failed.headers, ...retryAfter } } };
}
