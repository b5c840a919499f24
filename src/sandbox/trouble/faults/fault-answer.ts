import type { Operation } from '../../../schema/operation.js';
import { errorAnswer, refusalOf } from '../../core/request/error-answer.js';
import { BODILESS, type ConnectionAction, type HttpAnswer } from '../../core/request/messages.js';
import type { StrikingFault } from './fault-options.js';

/** Default pace of a slow answer: a client's time limit ends all but the shortest answers. */
const BYTES_PER_SECOND = 10;

const EMPTY_SUCCESS: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"data":{}}',
};

/** Returns what the client sees of a fault. `answer` is the true answer, if there is one. */
export function faultAction(
  striking: StrikingFault,
  operation: Operation | undefined,
  instance: string,
  answer: HttpAnswer = EMPTY_SUCCESS,
): ConnectionAction {
  const { fault, retryAfterSeconds, bytesPerSecond = BYTES_PER_SECOND } = striking;
  const extra: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  switch (fault) {
    case 'reset':
      return { kind: 'reset' };
    case 'timeout':
      return { kind: 'silence' };
    case 'truncate':
      return { kind: 'cut', answer };
    case 'html': {
      const body = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
      return { kind: 'answer', answer: { status: 502, headers: { 'content-type': 'text/html', ...extra }, body } };
    }
    case 'garbage':
      return { kind: 'answer', answer: { ...answer, body: '{"data": {"id": ' } };
    case 'content_type':
      return { kind: 'answer', answer: { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } } };
    case 'slow':
      return { kind: 'slow', answer, bytesPerSecond };
    default: {
      if (BODILESS.includes(fault)) return { kind: 'answer', answer: { status: fault, headers: extra, body: '' } };
      const failed = errorAnswer(refusalOf(fault, operation, striking), operation, instance, striking);
      return { kind: 'answer', answer: { ...failed, headers: { ...failed.headers, ...extra } } };
    }
  }
}
