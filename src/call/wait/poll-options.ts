import {
  REQUEST_RULES,
  type ReadRequestOptions,
  readOptionsBy,
  type UnkeyedRequestOptions,
} from '../../request/options.js';
import type { Operation } from '../../schema/operation.js';
import { copyList, FUNCTION, isFunction, type Rules, rule } from '../../util/options.js';

/** Facts about one poll of a wait. */
export interface PollInfo {
  /** Number of polls, this one included: 1 for the first. */
  readonly polls: number;
  /** Milliseconds since the wait began. */
  readonly elapsed: number;
  /** Milliseconds until the next poll; absent when none follows. */
  readonly nextDelay?: number | undefined;
}

/**
 * Options of a `waitFor()`. An unknown or wrong one is a `RequestValidationError` before anything
 * is sent. The options of `RequestOptions` apply to the call of each poll.
 */
export interface WaitOptions<Value, Until = string | readonly string[] | ((value: Value) => boolean)>
  extends UnkeyedRequestOptions {
  /**
   * The status, or one of the statuses, that ends the wait. A function must return true or false;
   * if it throws, the wait fails with a `ProviderError` whose `cause` is that. Default: see the
   * method.
   */
  readonly until?: Until | undefined;
  /**
   * Total milliseconds of the wait, over all polls and delays. Default 60,000. At the limit the
   * wait fails with a `TimeoutError` that names the last status; its `cause` is the last failed
   * poll. A poll's call is limited by the time that is left and by the client's `timeout`.
   */
  readonly timeout?: number | undefined;
  /** Ends the wait at once with an `AbortedError` whose `cause` is the signal's reason. */
  readonly signal?: UnkeyedRequestOptions['signal'];
  /**
   * Called after each poll that was answered. Its return value is ignored. An error that it throws
   * does not change the wait and is reported once as a process warning, as for the client's
   * `hooks`.
   */
  readonly onPoll?: ((value: Value, poll: PollInfo) => unknown) | undefined;
}

const WAIT_RULES = {
  ...REQUEST_RULES,
  until: rule(isUntil, 'must be a status, a non-empty array of statuses, or a function', copyList),
  onPoll: FUNCTION,
} satisfies Rules<WaitOptions<unknown>>;

function isUntil(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isStatus);
  return isStatus(value) || isFunction(value);
}

const isStatus = (value: unknown) => typeof value === 'string' && value !== '';

/** Reads the options of a wait. The issues have paths like `options.until`. */
export function readWaitOptions<T>(given: unknown, operation: Operation): ReadRequestOptions<WaitOptions<T>> {
  return readOptionsBy(given, WAIT_RULES, operation);
}
