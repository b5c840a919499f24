import { REQUEST_RULES, type UnkeyedRequestOptions } from '../../request/options.js';
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

/** The named strings of an open set: `'a' | 'b' | (string & {})` becomes `'a' | 'b'`. */
type Named<Text> = Text extends string ? (string extends Text ? never : Text) : never;

/** The `status` of a value, or its state if it is an object. */
type StatusOf<Value> = Value extends { readonly status?: infer Status }
  ? Status extends { readonly state: infer State }
    ? State
    : Status
  : never;

/** The known statuses of a value; any string if none is known. Responses may have others. */
export type KnownStatus<Value> = [Named<StatusOf<Value>>] extends [never] ? string : Named<StatusOf<Value>>;

/** The condition that ends a wait: a known status, several, or a function. */
type Condition<Value, Status> = Status | readonly Status[] | ((value: Value) => boolean);

/**
 * Options of a `waitFor()`. An unknown or invalid one throws a `RequestValidationError` before
 * anything is sent. The options of `RequestOptions` apply to the call of each poll.
 *
 * `Polled` is the value that `onPoll` receives.
 */
export interface WaitOptions<Value, Until = Condition<Value, KnownStatus<Value>>, Polled = Value>
  extends UnkeyedRequestOptions {
  /**
   * The status, or one of the statuses, that ends the wait. The compiler accepts known ones; use a
   * function to wait for any other. A function must return true or false; if it throws, the wait
   * fails with a `ProviderError` whose `cause` is that error. Default: see the method.
   *
   * @example
   * await client.accounts.quotes.execute(accountId, quoteId);
   * await client.accounts.quotes.waitFor(accountId, quoteId, { until: ['executing', 'executed'] });
   * // Or by a function:
   * const until = (quote: Quote) => quote.status !== 'executing';
   * await client.accounts.quotes.waitFor(accountId, quoteId, { until });
   */
  readonly until?: Until | undefined;
  /**
   * Total milliseconds of the wait, over all polls and delays. Default 60,000. At the limit, the
   * wait fails with a `TimeoutError` that names the last status; its `cause` is the last failed
   * poll. A poll's call is limited by the time that is left and by the client's `timeout`.
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of one request of a poll in ms, as in `RequestOptions`. A request that hangs gets at
   * most a third of the remaining time of the wait, and at least 1 s. The next poll follows it.
   */
  readonly attemptTimeout?: number | undefined;
  /**
   * Ends the wait at once with an `AbortedError` whose `cause` is the signal's reason.
   *
   * @example
   * const { signal } = request; // of the incoming request
   * const end = await client.conversions.waitFor(conversionId, { signal, timeout: 600_000 });
   */
  readonly signal?: UnkeyedRequestOptions['signal'];
  /**
   * Called after each poll that got a response. Its return value is ignored. An error that it
   * throws does not change the wait and is reported once as a process warning, as for the client's
   * `hooks`.
   *
   * @example
   * await client.accounts.quotes.execute(accountId, quoteId);
   * await client.accounts.quotes.waitFor(accountId, quoteId, {
   *   onPoll: ({ status }, { polls, elapsed }) => console.log(polls, elapsed, status),
   * });
   */
  readonly onPoll?: ((value: Polled, poll: PollInfo) => unknown) | undefined;
}

/** Options of a wait for a list item. `onPoll` gets undefined while the list lacks that item. */
export type ItemWaitOptions<Value, Until = Condition<Value, KnownStatus<Value>>> = WaitOptions<
  Value,
  Until,
  Value | undefined
>;

/** The options of every `waitFor`. Each method determines what its `onPoll` receives. */
export type AnyWaitOptions<Value> = WaitOptions<Value, Condition<Value, string>, never>;

export const WAIT_RULES = {
  ...REQUEST_RULES,
  until: rule(isUntil, 'must be a status, a non-empty array of statuses, or a function', copyList),
  onPoll: FUNCTION,
} satisfies Rules<AnyWaitOptions<unknown>>;

function isUntil(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isStatus);
  return isStatus(value) || isFunction(value);
}

const isStatus = (value: unknown) => typeof value === 'string' && value !== '';
