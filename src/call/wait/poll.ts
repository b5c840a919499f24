import {
  AbortedError,
  ApiError,
  type CallFacts,
  ConnectionError,
  type Issue,
  type PartnerError,
  ProviderError,
  RequestValidationError,
  ResponseValidationError,
  TimeoutError,
} from '../../errors.js';
import { type RequestOptions, readOptionsBy } from '../../request/options.js';
import { beforeSending, type RequestSettings } from '../../request/prepare.js';
import { asPartnerError } from '../../response/to-error.js';
import type { Operation, PageBody } from '../../schema/operation.js';
import { ownMember } from '../../util/members.js';
import { isThenable } from '../../util/platform.js';
import { clipped, printable } from '../../util/printable.js';
import { runSafely } from '../../util/run-safely.js';
import { Deadline } from '../deadline.js';
import type { CallResult } from '../execute.js';
import { type AnyWaitOptions, WAIT_RULES } from './poll-options.js';

/** Default `timeout` of a wait: a quote is offered for about 30 s, and its execution follows. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Time for a poll beyond what the one before it took. With less left, no poll begins. */
const SPARE_MS = 100;

/** A timer may fire this much early. */
const TIMER_SLACK_MS = 2;

/** Bound of the first delay, because an execution takes a second or two. */
const FIRST_DELAY_MS = 250;

/** Each bound grows by this factor: the longest is reached after eight delays, about 10 s. */
const DELAY_GROWTH = 1.5;

/** Bound of the longest delay, which spares the rate limit. */
const MAX_DELAY_MS = 5_000;

/** The poll after a known moment of change begins this much later, as clocks differ by as much. */
const AFTER_CHANGE_MS = 50;

/** Minimum time in ms for one request of a poll, if that much is left of the wait. */
const MIN_REQUEST_MS = 1_000;

/** A request that hangs may use this share of the time left, so that others can follow it. */
const REQUEST_SHARE = 1 / 3;

/** A wait for a change of a value that one operation reads. */
export interface Polling<T, Body = T> {
  readonly operation: Operation<Body>;
  /** The method that waits, for messages. Default: `waitFor` of the resource that is polled. */
  readonly method?: string;
  /** Compared with an `until` that is a string, and shown by the error of a wait that times out. */
  readonly statusOf: (value: T) => string | undefined;
  /** True when nothing will change any more. That ends the wait, whatever `until` is. */
  readonly isTerminal: (value: T) => boolean;
  /** The default of `until`. */
  readonly until: (value: T) => boolean;
  /** When the value will change by itself, as `Date.now()`; undefined or NaN when not known. */
  readonly changesAt?: (value: T) => number | undefined;
  /** What is searched for in a list, for that error: `shownId('ref_id', refId)`. */
  readonly searched?: string;
  /** More about a value than its status, for the error of a wait that times out. */
  readonly detailOf?: (value: T) => string;
}

/**
 * A wait until a value with a `status` has one of these final statuses. With
 * `responseValidation: 'warn'` the value may be anything, and the wait continues.
 */
export function pollingOfStatus<T extends { readonly status?: string | undefined }, Body = T>(
  operation: Operation<Body>,
  terminal: readonly string[],
): Polling<T, Body> {
  return {
    operation,
    statusOf: (value) => value?.status,
    isTerminal: (value) => terminal.includes(value?.status ?? ''),
    until: () => false,
  };
}

/**
 * Makes one poll. Its value is undefined if the list that was read lacks the item.
 *
 * @param options Returns the options of a request that begins now.
 */
export type Poll<T> = (options: () => RequestOptions) => Promise<CallResult<T | undefined>>;

/** The result of one poll and its duration in ms, or a failure that the next poll may not meet. */
type Polled<T> =
  | { readonly result: CallResult<T | undefined>; readonly took: number; readonly failure?: undefined }
  | { readonly result?: undefined; readonly failure: PartnerError };

/**
 * Polls until the value is what the caller waits for, and returns the result of the last poll.
 * Polling continues after a poll without a response that can be parsed, or with a 5xx. Any other
 * error ends the wait.
 *
 * @param found Issues of the input that were found earlier.
 */
export async function waitUntil<T>(
  polling: Polling<T, unknown>,
  poll: Poll<T>,
  settings: Limits,
  given: AnyWaitOptions<T> = {},
  found: readonly Issue[] = [],
): Promise<CallResult<T>> {
  const { name } = polling.operation;
  try {
    const { options, issues } = readOptionsBy<AnyWaitOptions<T>>(given, WAIT_RULES, polling.operation);
    const all = [...found, ...issues];
    if (all.length > 0) throw new RequestValidationError(all, beforeSending(methodOf(polling)));
    return await new Poller(polling, poll, settings, options).run();
  } catch (error) {
    throw asPartnerError(error, beforeSending(name));
  }
}

const methodOf = <T>({ method, operation }: Polling<T, unknown>): string =>
  method ?? operation.name.replace(/\w+$/, 'waitFor');

/** The time limits in ms of a client's calls. */
type Limits = Pick<RequestSettings, 'timeout' | 'attemptTimeout'>;

/** The polls of one wait. */
class Poller<T> {
  readonly #polling: Polling<T, unknown>;
  readonly #isReached: (value: T) => boolean;
  readonly #onPoll: AnyWaitOptions<T>['onPoll'];
  readonly #timeout: number;
  readonly #requestOptions: RequestOptions;
  readonly #poll: Poll<T>;
  readonly #settings: Limits;
  readonly #deadline: Deadline;
  readonly #delays = new PollDelays();
  readonly #begun = performance.now();
  #polls = 0;
  /** As the last poll with a response showed it. */
  #lastSeen = 'no status was seen';
  #lastFailure: PartnerError | undefined;
  /** Duration in ms of the last poll with a response. */
  #lastTook = 0;

  constructor(polling: Polling<T, unknown>, poll: Poll<T>, settings: Limits, options: AnyWaitOptions<T>) {
    const { until, timeout = DEFAULT_TIMEOUT_MS, onPoll, ...requestOptions } = options;
    this.#polling = polling;
    this.#isReached = until === undefined ? polling.until : conditionOf(until, polling);
    this.#onPoll = onPoll;
    this.#timeout = timeout;
    this.#requestOptions = requestOptions;
    this.#poll = poll;
    this.#settings = settings;
    this.#deadline = new Deadline(timeout, options.signal);
  }

  async run(): Promise<CallResult<T>> {
    try {
      for (;;) {
        const polled = await this.#pollOnce();
        const { result } = polled;
        const over = result !== undefined && this.#isOver(result);
        const delay = over ? undefined : this.#delayAfter(polled);
        if (result !== undefined) this.#reportPoll(result.data, delay);
        if (over) return result;
        await this.#deadline.sleep(delay ?? this.#deadline.remaining());
        // A busy program may keep the timer of the deadline from firing.
        const hasEnded = this.#deadline.reason !== undefined || this.#deadline.remaining() === 0;
        if (delay === undefined || hasEnded) throw this.#endedError();
      }
    } finally {
      this.#deadline.close();
    }
  }

  async #pollOnce(): Promise<Polled<T>> {
    this.#polls++;
    const begun = performance.now();
    try {
      const result = await this.#poll(() => this.#optionsNow());
      this.#lastSeen = this.#seen(result.data);
      return { result, took: performance.now() - begun };
    } catch (error) {
      if (!mayPass(error)) throw error;
      this.#lastFailure = error;
      // The call reached the limit that the wait had set for it.
      if (error instanceof TimeoutError && this.#deadline.remaining() < TIMER_SLACK_MS) throw this.#timeoutError();
      return { failure: error };
    }
  }

  #optionsNow(): RequestOptions {
    const left = Math.max(1, Math.ceil(this.#deadline.remaining()));
    const part = Math.max(MIN_REQUEST_MS, Math.ceil(left * REQUEST_SHARE));
    const timeout = Math.min(left, this.#settings.timeout);
    const longest = ownMember(this.#requestOptions, 'attemptTimeout') ?? this.#settings.attemptTimeout;
    return { ...this.#requestOptions, timeout, attemptTimeout: Math.min(left, part, longest) };
  }

  #isOver(result: CallResult<T | undefined>): result is CallResult<T> {
    const { data } = result;
    return data !== undefined && (this.#polling.isTerminal(data) || this.#reached(data));
  }

  #reached(value: T): boolean {
    const isReached = this.#isReached;
    try {
      const reached: unknown = isReached(value);
      if (typeof reached === 'boolean') return reached;
      // Usually a promise, which is truthy in an `if`. Nothing else would handle its rejection.
      if (isThenable(reached)) reached.then(undefined, () => {});
      throw new TypeError('the until function must return true or false');
    } catch (cause) {
      const message = `the until function failed (${methodOf(this.#polling)}); see cause`;
      throw new ProviderError(message, this.#facts(), { cause });
    }
  }

  /** Time in ms until the next poll; undefined when too little time is left for one. */
  #delayAfter(polled: Polled<T>): number | undefined {
    // The duration of a failure says nothing about that of a response.
    if (polled.result !== undefined) this.#lastTook = polled.took;
    const latest = this.#deadline.remaining() - this.#lastTook - SPARE_MS;
    if (latest <= 0) return undefined;
    if (polled.result !== undefined) {
      const { data } = polled.result;
      const changesAt = data === undefined ? undefined : ownMember(this.#polling, 'changesAt')?.(data);
      return Math.min(latest, this.#delays.next(polled.took, changesAt));
    }
    const { failure } = polled;
    const asked = retryAfterOf(failure);
    // The next poll does not begin before the time that the service named.
    return asked > latest ? undefined : Math.min(latest, Math.max(asked, this.#delays.next(0, undefined)));
  }

  #reportPoll(value: T | undefined, nextDelay: number | undefined): void {
    const onPoll = this.#onPoll;
    if (onPoll === undefined) return;
    const facts = { polls: this.#polls, elapsed: performance.now() - this.#begun };
    const poll = nextDelay === undefined ? facts : { ...facts, nextDelay };
    runSafely(() => onPoll(value as never, poll), 'the function onPoll');
  }

  #endedError(): AbortedError | TimeoutError {
    const { reason } = this.#deadline;
    if (reason?.kind !== 'aborted') return this.#timeoutError();
    const message = `the wait was aborted by its signal (${methodOf(this.#polling)}); see cause`;
    return new AbortedError(message, this.#facts(), { cause: reason.error });
  }

  /** Describes what a poll showed. */
  #seen(value: T | undefined): string {
    if (value === undefined) return `${this.#polling.searched ?? 'it'} was not in the list`;
    const status = this.#polling.statusOf(value);
    if (status === undefined) return 'no status was seen';
    const detail = ownMember(this.#polling, 'detailOf')?.(value);
    return `the last status was ${shown(status)}${detail === undefined ? '' : `, ${detail}`}`;
  }

  #timeoutError(): TimeoutError {
    const { name } = this.#polling.operation;
    const times = this.#polls === 1 ? 'once' : `${this.#polls} times`;
    const cause = this.#lastFailure;
    const failed = cause === undefined ? '' : '; see cause for the last failure of a poll';
    const message = `${methodOf(this.#polling)} reached its timeout (${this.#timeout} ms): ${name} was polled ${times}, ${this.#lastSeen}${failed}`;
    return new TimeoutError(message, this.#facts(cause), cause && { cause });
  }

  /** A wait has many attempts, so its error stores only those of the last failed poll. */
  #facts(lastFailure?: PartnerError): CallFacts {
    const attempts = { count: this.#polls, failures: lastFailure?.attempts.failures ?? [] };
    return { ...beforeSending(this.#polling.operation.name), attempts };
  }
}

/**
 * The delays between the polls of one wait. They grow, and each is drawn from the upper half of its
 * bound, so that waits that began together drift apart and no delay is too short.
 */
class PollDelays {
  #bound = FIRST_DELAY_MS;
  #lookedAfterChange = false;

  /**
   * Time in ms until the next poll.
   *
   * @param took Duration in ms of the last poll.
   * @param change When the value will change by itself, as in `Polling.changesAt`.
   */
  next(took: number, change: number | undefined): number {
    const delay = this.#bound * (0.5 + Math.random() / 2);
    this.#bound = Math.min(MAX_DELAY_MS, this.#bound * DELAY_GROWTH);
    return this.#untilChange(took, change, delay) ?? delay;
  }

  /**
   * The delay until right after the change, when the ordinary one would end later. Used only once
   * in a wait, which must not spin when the clocks differ. Short delays follow, in case they do.
   */
  #untilChange(took: number, change: number | undefined, ordinary: number): number | undefined {
    if (change === undefined || this.#lookedAfterChange) return undefined;
    const left = change - Date.now();
    const delay = Math.max(left, 0) + AFTER_CHANGE_MS;
    // If the moment had passed before the poll began, the clocks differ.
    if (!(left >= -took && delay < ordinary)) return undefined;
    this.#lookedAfterChange = true;
    this.#bound = FIRST_DELAY_MS;
    return delay;
  }
}

/** True for a failure that the next poll may not meet: no readable response, or a 5xx. */
function mayPass(error: unknown): error is PartnerError {
  if (error instanceof ApiError) return error.response.status >= 500;
  if (error instanceof ResponseValidationError) return error.notJson;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function conditionOf<T>(
  until: NonNullable<AnyWaitOptions<T>['until']>,
  { statusOf }: Polling<T, unknown>,
): (value: T) => boolean {
  if (typeof until === 'function') return until;
  const statuses: ReadonlySet<string | undefined> = new Set(typeof until === 'string' ? [until] : until);
  return (value) => statuses.has(statusOf(value));
}

/** The form of a status. Any other string stays out of messages, as it may echo what was sent. */
const STATUS = /^[a-z][a-z_-]{0,63}$/i;

/** Shows a string of the service if it has the form of a status. */
export function shown(status: unknown): string {
  return typeof status === 'string' && STATUS.test(status) ? `"${status}"` : 'no plain word';
}

/** Names an item of a list. The id is the caller's, so it may be anything. */
export const shownId = (member: string, id: unknown): string =>
  `${member} "${printable(clipped(String(id), MAX_SHOWN_ID))}"`;

/** Maximum number of characters of an id that a message shows. */
const MAX_SHOWN_ID = 64;

/** Maximum number of pages that one poll reads. */
const MAX_PAGES = 5;

/** A wait for a change of one item of a list. It continues while the list lacks the item. */
export interface ItemPolling<T, Body> extends Polling<T, Body> {
  /** Returns the item, if the list or page has it. */
  readonly find: (body: Body) => T | undefined;
}

/**
 * The search for one item, over all polls of a wait. A poll reads the first page and then continues
 * where the poll before it stopped, so it finds the item in a list of any order and length.
 */
export class ItemSearch<T, Body> {
  readonly #polling: ItemPolling<T, Body>;
  /** Token of the page that the next poll reads after the first. Undefined: the second page. */
  #resumeAt: string | undefined;

  constructor(polling: ItemPolling<T, Body>) {
    this.#polling = polling;
  }

  /** @param call Calls for a page: without a token for the first, or for a list without pages. */
  async poll(call: (token: string | undefined) => Promise<CallResult<Body>>): Promise<CallResult<T | undefined>> {
    let token: string | undefined;
    for (let pages = 1; ; pages++) {
      const result = await call(token);
      const body = result.data;
      const data = this.#polling.find(body);
      if (data !== undefined) return { ...result, data };
      const following = this.#polling.operation.cursor && (body as PageBody<unknown>).token;
      if (pages > 1) this.#resumeAt = following;
      if (following === undefined || pages === MAX_PAGES) return { ...result, data };
      token = pages === 1 ? (this.#resumeAt ?? following) : following;
      this.#resumeAt = token;
    }
  }
}

/** Returns the time in ms that the service asks to wait after a failure; 0 if it does not ask. */
export const retryAfterOf = (failure: unknown): number => (failure instanceof ApiError ? (failure.retryAfter ?? 0) : 0);
