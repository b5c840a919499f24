import { type AttemptFailure, ConfigurationError, type Outcome } from '../errors.js';
import type { PreparedCall } from '../request/prepare.js';
import { errorCode } from '../response/api-error.js';
import { type AttemptResult, isSuccess } from '../response/attempt-result.js';
import type { ParsedBody } from '../response/read-answer.js';
import { systemCode } from '../util/system-error.js';

/** The meaning of one attempt for its call. */
export interface Verdict {
  /**
   * The next step:
   *
   * - `done`: nothing. The service has accepted the call.
   * - `retry`: another attempt after a wait.
   * - `race`: another attempt at once. This one was overtaken by a later nonce and had no effect.
   * - `refused`: another attempt after a wait, if other processes use the API key. They may have
   *   caused the 401 to this one, which had no effect.
   * - `unprocessed`: another attempt at once. The service says that it has not begun with this one.
   * - `bystander`: another attempt after a wait. Another request broke the connection.
   * - `stop`: nothing. It has failed.
   */
  readonly next: 'done' | 'retry' | 'race' | 'refused' | 'unprocessed' | 'bystander' | 'stop';
  /** Says if this attempt had its effect at the service. */
  readonly effect: Outcome;
  /** The reason why the attempt gave no value. Its `code` may be any text of the service. */
  readonly failure: AttemptFailure | undefined;
}

/**
 * Judges one attempt by the table in docs/calls/errors-and-retries.md.
 *
 * @param body The body of a success, parsed; undefined for any other attempt.
 */
export function classify(call: PreparedCall, result: AttemptResult, body: ParsedBody | undefined): Verdict {
  const { status } = result;
  // A refusal whose body broke off is still that refusal.
  const refused = status !== undefined && !isSuccess(status);
  const code = refused ? errorCode(result) : undefined;
  const effect = effectOf(call, result, code);
  if (refused && !wasCancelled(result)) {
    const next = afterRefusal(call, result, status, code);
    return { next, effect, failure: { reason: reasonOf(result), status, code } };
  }
  if (body?.kind === 'not_json') {
    // A proxy or gateway spoiled the answer: a read may be sent again.
    return { next: call.write ? 'done' : 'retry', effect, failure: { reason: 'unreadable', status } };
  }
  if (body !== undefined) return { next: 'done', effect, failure: undefined };
  const failure: AttemptFailure = { reason: reasonOf(result), status, code: systemCode(result.error) };
  return { next: afterBreak(call, result), effect, failure };
}

function wasCancelled({ kind }: AttemptResult): boolean {
  return kind === 'aborted' || kind === 'timed_out';
}

/** @param code Undefined when not the service refused, but for example a gateway. */
function afterRefusal(
  call: PreparedCall,
  result: AttemptResult,
  status: number,
  code: string | undefined,
): Verdict['next'] {
  if (status === 401) return result.overtaken ? 'race' : 'refused';
  if (status === 429) return 'retry';
  const temporary = (status >= 502 && status <= 504) || (status >= 500 && code === undefined);
  return temporary && call.retrySafety !== 'unkeyed' ? 'retry' : 'stop';
}

function afterBreak(call: PreparedCall, { kind, error }: AttemptResult): Verdict['next'] {
  if (error instanceof ConfigurationError) return 'stop';
  if (kind === 'not_sent') return 'retry';
  if (kind === 'unprocessed') return 'unprocessed';
  if (call.retrySafety === 'unkeyed') return 'stop';
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
function effectOf(call: PreparedCall, { sent, status }: AttemptResult, code: string | undefined): Outcome {
  if (!call.write) return 'not_applied';
  if (status === undefined) return sent ? 'unknown' : 'not_applied';
  if (isSuccess(status)) return 'applied';
  // A gateway may answer 501 after the service has had the request.
  const refused = (status >= 400 && status < 500 && status !== 408) || (status === 501 && code !== undefined);
  return refused ? 'not_applied' : 'unknown';
}

const DOUBT: readonly Outcome[] = ['not_applied', 'unknown', 'applied'];

/** Returns the outcome of a call after one more attempt. No later refusal removes a doubt. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return DOUBT.indexOf(other) > DOUBT.indexOf(one) ? other : one;
}
