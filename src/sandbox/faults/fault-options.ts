import { checkGiven, isCount, oneOf, type Rules, rule } from '../../util/options.js';

type FaultName = 'reset' | 'timeout' | 'html' | 'truncate' | 'garbage' | 'content_type' | 'slow';

/**
 * A kind of fault:
 *
 * - A status from 200 to 599 is answered in the service's error form. 204, 205 and 304 have no
 *   body.
 * - `reset` breaks the connection without an answer. `timeout` never answers.
 * - `html` is a gateway's 502 page.
 * - `truncate` breaks the connection in the middle of a good answer's body.
 * - `garbage` replaces the body of a good answer by text that is not JSON.
 * - `content_type` labels a good answer `text/html`.
 * - `slow` sends the head of a good answer at once and its body byte by byte.
 */
export type FaultKind = number | FaultName;

/** When a fault strikes: before the effect took place, or after it. */
export type When = 'before' | 'after';

/** A fault to come: see `Sandbox.fail`. */
export interface FaultOptions {
  /** Operation that it strikes: `accounts.quotes.get` or `Get quote`. Default: every request. */
  readonly operation?: string | undefined;
  readonly fault: FaultKind;
  /**
   * The error's `code`, 1 to 100 characters, with a status of 400 or more. Default: the code that
   * the operation declares for the status, for example `user_not_found` for a 404 of `users.get`. A
   * 403 is by default that of a gateway (`gateway`, type `service_error`); `forbidden` is the
   * service's own.
   */
  readonly code?: string | undefined;
  /**
   * - `before`: nothing happens and the nonce is not consumed, as when a gateway fails. A fault
   *   that spoils a good answer then spoils a 200 with empty `data`.
   * - `after`: the request succeeds, its effect is remembered under its key, then the answer fails.
   *   Requests that are refused anyway do not count.
   *
   * Default: `after` for faults that spoil a good answer and for a status below 300, since both say
   * that the effect took place; `before` for the others.
   */
  readonly when?: When | undefined;
  /** Number of requests that fail: a whole number of 1 or more, or `Infinity`. Default 1. */
  readonly times?: number | undefined;
  /** Probability that it strikes a request, above 0 to 1, drawn by the seed. Default 1. */
  readonly probability?: number | undefined;
  /** Sent as `Retry-After` with a status or `html`: seconds, 0 or more. Default: not sent. */
  readonly retryAfterSeconds?: number | undefined;
  /** @deprecated The old name of `retryAfterSeconds`, until 1.0. */
  readonly retryAfter?: number | undefined;
  /** Pace of the body of a `slow` answer: bytes per second, above 0. Default 10. */
  readonly bytesPerSecond?: number | undefined;
}

export interface CheckedFault extends Omit<FaultOptions, 'retryAfter' | 'when'> {
  readonly when: When;
}

const DEFAULT_WHEN: Readonly<Record<FaultName, When>> = {
  reset: 'before',
  timeout: 'before',
  html: 'before',
  truncate: 'after',
  garbage: 'after',
  content_type: 'after',
  slow: 'after',
};

/** Longest `code`, in characters; a longer one is refused. */
const MAX_CODE_LENGTH = 100;

const SECONDS = rule((value) => Number.isFinite(value) && Number(value) >= 0, 'must be 0 or more seconds');

const FAULT = `must be a status from 200 to 599 or one of ${Object.keys(DEFAULT_WHEN).join(', ')}`;

const RULES = {
  operation: rule((value) => typeof value === 'string', 'must be text'),
  fault: { ...rule(isFaultKind, FAULT), required: true },
  code: rule(
    (value) => typeof value === 'string' && value !== '' && value.length <= MAX_CODE_LENGTH,
    `must be text of 1 to ${MAX_CODE_LENGTH} characters`,
  ),
  when: oneOf('before', 'after'),
  times: rule(
    (value) => isCount(value, 1) || value === Number.POSITIVE_INFINITY,
    'must be a whole number of 1 or more, or Infinity',
  ),
  probability: rule(isProbability, 'must be above 0, at most 1'),
  retryAfterSeconds: SECONDS,
  retryAfter: SECONDS,
  bytesPerSecond: rule((value) => Number.isFinite(value) && Number(value) > 0, 'must be above 0'),
} satisfies Rules<FaultOptions>;

function isFaultKind(value: unknown): value is FaultKind {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 200 && value <= 599;
  return typeof value === 'string' && Object.hasOwn(DEFAULT_WHEN, value);
}

export function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

/**
 * Reads and checks the options of a fault.
 *
 * @param method Begins each message, for example `fail`.
 * @throws TypeError for an unknown or wrong option.
 */
export function readFault(method: string, given: FaultOptions): CheckedFault {
  const options = checkGiven(method, given, RULES, TypeError);
  const { operation, fault, code, times, probability, retryAfterSeconds, retryAfter, bytesPerSecond } = options;
  if (code !== undefined && !(typeof fault === 'number' && fault >= 400)) {
    throw new TypeError(`${method}: code is for a status of 400 or more`);
  }
  if (retryAfter !== undefined && retryAfterSeconds !== undefined) {
    throw new TypeError(`${method}: retryAfter is the old name of retryAfterSeconds: give only one of them`);
  }
  const when = options.when ?? defaultWhen(fault);
  const seconds = retryAfterSeconds ?? retryAfter;
  return { operation, fault, code, when, times, probability, retryAfterSeconds: seconds, bytesPerSecond };
}

function defaultWhen(fault: FaultKind): When {
  if (typeof fault === 'number') return fault < 300 ? 'after' : 'before';
  return DEFAULT_WHEN[fault];
}
