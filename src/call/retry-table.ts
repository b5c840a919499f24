import { type AttemptFailure, ConfigurationError, type Outcome } from '../errors.js';
import type { PreparedCall } from '../request/prepare.js';
import { errorCode, isRejectionOfProxy, isRejectionOfService, isSuccessOfService } from '../response/api-error.js';
import { type AttemptResult, isSuccess } from '../response/attempt-result.js';
import type { ParsedBody } from '../response/read-answer.js';
import { declaresData } from '../schema/operation.js';
import { systemCode } from '../util/system-error.js';

/** What one attempt means for its call. */
export interface Verdict {
  /**
   * The next step:
   *
   * - `done`: nothing, because the service has accepted the call.
   * - `retry`: another attempt after a wait.
   * - `race`: another attempt at once. A later nonce had been issued when this one got its 401.
   * - `refused`: one more attempt, because a proxy may have sent this one twice; several after a
   *   wait, if other processes use the API key, which may have caused the 401.
   * - `unprocessed`: another attempt at once. The service says that it has not begun this one.
   * - `bystander`: another attempt after a wait. Another request broke the connection.
   * - `stop`: nothing, because the attempt has failed for good.
   */
  readonly next: 'done' | 'retry' | 'race' | 'refused' | 'unprocessed' | 'bystander' | 'stop';
  /** Whether this attempt had its effect at the service. */
  readonly effect: Outcome;
  /** Why the attempt returned no value. Its `code` may be any string of the service. */
  readonly failure: AttemptFailure | undefined;
}

/**
 * Judges one attempt by the table in docs/calls/errors-and-retries.md.
 *
 * @param body The body of a success, parsed; undefined for any other attempt.
 * @param isKeyAccepted True if the service has accepted the API key before: a 401 is then about the
 *   nonce, or the one-time password.
 */
export function classify(
  call: PreparedCall,
  result: AttemptResult,
  body: ParsedBody | undefined,
  isKeyAccepted: boolean,
): Verdict {
  const { status } = result;
  // A rejection whose body was cut off is still that rejection.
  const refused = status !== undefined && !isSuccess(status);
  const code = refused ? errorCode(result) : undefined;
  const effect = effectOf(call, result, body, isKeyAccepted);
  if (refused && !wasCancelled(result)) {
    const next = afterRefusal(call, result, status, code);
    return { next, effect, failure: { reason: reasonOf(result), status, code } };
  }
  const isSpoilt = body?.kind === 'not_json' || body?.kind === 'foreign';
  if (isSpoilt) {
    // A proxy has responded, or spoilt the response: what may be retried is, unless it has worked.
    const next = effect === 'applied' ? 'done' : call.operation.retrySafety === 'unkeyed' ? 'stop' : 'retry';
    return { next, effect, failure: { reason: 'unreadable', status } };
  }
  if (body !== undefined) return { next: 'done', effect, failure: undefined };
  const failure: AttemptFailure = { reason: reasonOf(result), status, code: systemCode(result.error) };
  return { next: afterBreak(call, result), effect, failure };
}

function wasCancelled({ kind }: AttemptResult): boolean {
  return kind === 'aborted' || kind === 'timed_out';
}

/** @param code Undefined if, for example, a gateway rejected the attempt instead of the service. */
function afterRefusal(
  call: PreparedCall,
  result: AttemptResult,
  status: number,
  code: string | undefined,
): Verdict['next'] {
  if (status === 401) return afterUnauthenticated(call, result);
  // The other calls of the API key continue: whose quota is exhausted is not documented.
  if (status === 429) return 'retry';
  const temporary = (status >= 502 && status <= 504) || (status >= 500 && code === undefined);
  return temporary && call.operation.retrySafety !== 'unkeyed' ? 'retry' : 'stop';
}

/**
 * A 401 does not prove that the request had no effect: if a proxy or runtime sends a request twice,
 * the copy gets a 401, as its nonce has been used. Retrying a read or a keyed write does no harm
 * and shows what happened; any other write is not sent again.
 */
function afterUnauthenticated({ operation }: PreparedCall, { overtaken, sent }: AttemptResult): Verdict['next'] {
  if (operation.retrySafety === 'unkeyed' && sent) return 'stop';
  return overtaken ? 'race' : 'refused';
}

function afterBreak(call: PreparedCall, { kind, error }: AttemptResult): Verdict['next'] {
  if (kind === 'not_sent') return error instanceof ConfigurationError ? 'stop' : 'retry';
  if (kind === 'unprocessed') return 'unprocessed';
  if (call.operation.retrySafety === 'unkeyed') return 'stop';
  if (kind === 'disowned') return 'unprocessed';
  if (kind === 'bystander') return 'bystander';
  if (kind === 'too_slow') return call.retriesSlow ? 'retry' : 'stop';
  return kind === 'lost' ? 'retry' : 'stop';
}

const REASONS: Record<AttemptResult['kind'], AttemptFailure['reason']> = {
  answer: 'status',
  not_sent: 'not_sent',
  unprocessed: 'not_sent',
  disowned: 'lost',
  lost: 'lost',
  bystander: 'lost',
  too_slow: 'too_slow',
  too_large: 'unreadable',
  provider: 'provider',
  aborted: 'ended',
  timed_out: 'ended',
};

function reasonOf(result: AttemptResult): AttemptFailure['reason'] {
  if (!wasCancelled(result) && result.status !== undefined && !isSuccess(result.status)) {
    return result.status === 401 && result.overtaken ? 'race' : 'status';
  }
  return REASONS[result.kind];
}

/** The possible effect of one attempt of a write. */
function effectOf(
  call: PreparedCall,
  result: AttemptResult,
  body: ParsedBody | undefined,
  isKeyAccepted: boolean,
): Outcome {
  const { sent, status } = result;
  if (!call.write) return 'not_applied';
  if (status === undefined) return sent ? 'unknown' : 'not_applied';
  if (isSuccess(status)) return isSuccessOfService(declaresData(call.operation), result, body) ? 'applied' : 'unknown';
  if (!isRejectionOfService(result)) return isRejectionOfProxy(status) ? 'not_applied' : 'unknown';
  if (status === 401) return isKeyAccepted && !call.operation.otp ? 'unknown' : 'not_applied';
  // 408 and 499 (cancelled) do not say how far the service has got.
  const isRejection = (status >= 400 && status < 500 && status !== 408 && status !== 499) || status === 501;
  return isRejection ? 'not_applied' : 'unknown';
}

const DOUBT: readonly Outcome[] = ['not_applied', 'unknown', 'applied'];

/** Returns the outcome of a call after one more attempt. No later rejection removes a doubt. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return DOUBT.indexOf(other) > DOUBT.indexOf(one) ? other : one;
}
