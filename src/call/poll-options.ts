import {
  REQUEST_RULES,
  type ReadRequestOptions,
  readOptionsBy,
  type UnkeyedRequestOptions,
} from '../request/options.js';
import type { Operation } from '../schema/operation.js';
import { FUNCTION, isFunction, type Rules, rule } from '../util/options.js';

/** What one poll of a wait was like. */
export interface PollInfo {
  /** How many polls were made, this one included: 1 for the first. */
  readonly polls: number;
  /** Milliseconds since the wait began. */
  readonly elapsed: number;
  /** Milliseconds until the next poll; absent when none follows: the wait is over, or too little of its time is left. */
  readonly nextDelay?: number | undefined;
}

/**
 * Options of a `waitFor()`. An unknown or wrong one is a `RequestValidationError` before anything is sent. What is not named here
 * holds for each poll's call.
 */
export interface WaitOptions<Value, Until = string | readonly string[] | ((value: Value) => boolean)>
  extends UnkeyedRequestOptions {
  /**
   * What is waited for. Default: see the method. A function must give true or false, at once; when it throws, the wait ends with a
   * `ProviderError` whose `cause` is what it threw.
   */
  readonly until?: Until | undefined;
  /**
   * Total milliseconds of the wait, over all polls and delays. Default 60,000. At the limit a `TimeoutError`, `not_applied`, that
   * says how often was polled and what the last status was. Its `cause` is the error of the last poll that failed, if one did. A poll's
   * call is bounded by what is left, and by the client's `timeout`.
   */
  readonly timeout?: number | undefined;
  /** Ends the wait with an `AbortedError` whose `cause` is the signal's reason: at once, in a delay as well as in a poll. */
  readonly signal?: UnkeyedRequestOptions['signal'];
  /**
   * Called after each poll that was answered, with the value. What it gives back is ignored; what it throws never changes the wait
   * and is reported once as a process warning, like that of the client's `hooks`.
   */
  readonly onPoll?: ((value: Value, poll: PollInfo) => unknown) | undefined;
}

const WAIT_RULES = {
  ...REQUEST_RULES,
  until: rule(isUntil, 'must be a status, a non-empty array of statuses, or a function', copyList),
  onPoll: FUNCTION,
} satisfies Rules<WaitOptions<unknown>>;

function copyList(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

function isUntil(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isStatus);
  return isStatus(value) || isFunction(value);
}

const isStatus = (value: unknown) => typeof value === 'string' && value !== '';

/** Reads the options of a wait. The issues have paths like `options.until`. */
export function readWaitOptions<T>(given: unknown, operation: Operation): ReadRequestOptions<WaitOptions<T>> {
  return readOptionsBy(given, WAIT_RULES, operation);
}
