import type { AttemptFailure, Outcome } from '../errors.js';
import { MAX_CODE_LENGTH, redactor } from '../redaction/redact.js';
import type { PreparedCall } from '../request/prepare.js';
import { errorCode } from '../response/decode.js';
import { clipped, printable } from '../util/printable.js';
import { systemCode } from '../util/system-error.js';
import type { AttemptResult } from './attempt.js';
import type { Route } from './route.js';

/** What one attempt means for its call. */
export interface Verdict {
  /**
   * What follows:
   *
   * - `done`: nothing, it is a success to read.
   * - `again`: a repeat after a wait.
   * - `race`: a repeat at once. It was overtaken by a later nonce, and had no effect.
   * - `unprocessed`: a repeat at once. The service has not begun with it.
   * - `bystander`: a repeat. Another one's failure broke its connection.
   * - `stop`: nothing, it has failed.
   */
  readonly next: 'done' | 'again' | 'race' | 'unprocessed' | 'bystander' | 'stop';
  /** Whether this attempt had its effect at the service. */
  readonly effect: Outcome;
  /** Why it did not end the call; undefined when it is done. */
  readonly failure: AttemptFailure | undefined;
}

/** Judges one attempt by the table of README's section "Repeating". */
export function classify(route: Route, result: AttemptResult): Verdict {
  const { call } = route;
  const { status } = result;
  // A refusal whose body broke off is still that refusal.
  const refused = status !== undefined && !isSuccess(status);
  const code = refused ? errorCode(result, redactor(route.secrets())) : undefined;
  const effect = effectOf(call, result, code);
  if (refused && result.kind !== 'ended') {
    const next = afterRefusal(call, result, status, code);
    return { next, effect, failure: { reason: reasonOf(result), status, code } };
  }
  if (result.kind === 'answer' && status !== undefined) return { next: 'done', effect, failure: undefined };
  const failure: AttemptFailure = { reason: reasonOf(result), status, code: shownCode(systemCode(result.error)) };
  return { next: afterBreak(call, result), effect, failure };
}

/** The system's code as errors and log show it: a transport of the caller's may put any text there. */
function shownCode(code: string | undefined): string | undefined {
  return code && printable(clipped(code, MAX_CODE_LENGTH));
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** @param code The service's code of the refusal; undefined when something else answered, for example a gateway. */
function afterRefusal(
  call: PreparedCall,
  result: AttemptResult,
  status: number,
  code: string | undefined,
): Verdict['next'] {
  if (status === 401 && result.overtaken) return 'race';
  if (status === 429) return 'again';
  const temporary = (status >= 502 && status <= 504) || (status >= 500 && code === undefined);
  return temporary && call.retrySafety !== 'unkeyed' ? 'again' : 'stop';
}

function afterBreak(call: PreparedCall, { kind }: AttemptResult): Verdict['next'] {
  if (kind === 'not_sent') return 'again';
  if (kind === 'unprocessed') return 'unprocessed';
  if (call.retrySafety === 'unkeyed') return 'stop';
  if (kind === 'bystander') return 'bystander';
  return kind === 'lost' || kind === 'too_slow' ? 'again' : 'stop';
}

const REASONS: Record<AttemptResult['kind'], AttemptFailure['reason']> = {
  answer: 'status',
  not_sent: 'not_sent',
  unprocessed: 'not_sent',
  lost: 'lost',
  bystander: 'lost',
  too_slow: 'too_slow',
  too_large: 'unreadable',
  provider: 'provider',
  ended: 'ended',
};

function reasonOf(result: AttemptResult): AttemptFailure['reason'] {
  if (result.kind !== 'ended' && result.status !== undefined && !isSuccess(result.status)) {
    return result.status === 401 && result.overtaken ? 'race' : 'status';
  }
  return REASONS[result.kind];
}

/** Says what one attempt of a write may have done. */
function effectOf(call: PreparedCall, { sent, status }: AttemptResult, code: string | undefined): Outcome {
  if (!call.write) return 'not_applied';
  if (status === undefined) return sent ? 'unknown' : 'not_applied';
  if (isSuccess(status)) return 'applied';
  // A gateway may answer 501 after the service has had the request.
  const refused = (status >= 400 && status < 500 && status !== 408) || (status === 501 && code !== undefined);
  return refused ? 'not_applied' : 'unknown';
}

const DOUBT: readonly Outcome[] = ['not_applied', 'unknown', 'applied'];

/** The outcome of a call with one more attempt: no later refusal takes a doubt back. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return DOUBT.indexOf(other) > DOUBT.indexOf(one) ? other : one;
}
