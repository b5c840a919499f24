import {
  AbortedError,
  ApiError,
  type CallFacts,
  ConnectionError,
  type PartnerError,
  ProviderError,
  RequestValidationError,
  TimeoutError,
} from '../errors.js';
import type { RequestOptions } from '../request/options.js';
import { beforeSending } from '../request/prepare.js';
import { unforeseen } from '../response/failure.js';
import type { Operation } from '../schema/operation.js';
import { ownMember } from '../util/members.js';
import { isThenable } from '../util/platform.js';
import { runSafely } from '../util/run-safely.js';
import { Lifetime } from './deadline.js';
import { PollDelays } from './poll-delays.js';
import { readWaitOptions, type WaitOptions, type WaitUntil } from './poll-options.js';

/** What `timeout` is when it is not given, in milliseconds: a quote is offered for about 30 s, and its execution takes its time after. */
const DEFAULT_TIMEOUT = 60_000;

/**
 * Time that is kept for the last poll beyond what the one before it took, in milliseconds. With less than that left no poll is begun:
 * it would be cut off.
 */
const SPARE = 100;

/** A timer may fire so many milliseconds before its moment. */
const TIMER_SLACK = 2;

/** How to wait on what one operation reads. */
export interface Polling<T> {
  readonly operation: Operation<T>;
  /** What a textual `until` is compared with, and what a wait that runs out of time shows. */
  readonly statusOf: (value: T) => string | undefined;
  /** True when nothing will change any more: it ends the wait, whatever is waited for. */
  readonly isTerminal: (value: T) => boolean;
  /** What is waited for when the caller does not say. */
  readonly until: (value: T) => boolean;
  /** When the value is going to change by itself, on the scale of `Date.now()`; undefined or NaN when that is not known. */
  readonly changesAt?: (value: T) => number | undefined;
}

/** Makes one poll, in at most `left` milliseconds. */
type Poll<T> = (left: number, options: RequestOptions) => Promise<T>;

/** What one poll gave: its value, or a failure that the next poll may not meet. */
type PollResult<T> =
  | { readonly answered: true; readonly value: T; readonly took: number }
  | { readonly answered: false; readonly failure: PartnerError };

/**
 * Polls until the value is what is waited for. A poll without a usable answer, or with a 5xx, is followed by another until the wait's
 * time is over. Any other error of a poll ends the wait, as it is.
 */
export async function waitUntil<T>(polling: Polling<T>, poll: Poll<T>, given: WaitOptions<T> = {}): Promise<T> {
  try {
    const { options, issues } = readWaitOptions<T>(given, polling.operation);
    if (issues.length > 0) throw new RequestValidationError(issues, beforeSending(polling.operation.name));
    return await new Wait(polling, poll, options).run();
  } catch (error) {
    throw unforeseen(error, beforeSending(polling.operation.name));
  }
}

class Wait<T> {
  readonly #polling: Polling<T>;
  readonly #isReached: (value: T) => boolean;
  readonly #onPoll: WaitOptions<T>['onPoll'];
  readonly #timeout: number;
  readonly #callOptions: RequestOptions;
  readonly #poll: Poll<T>;
  readonly #lifetime: Lifetime;
  readonly #delays = new PollDelays();
  readonly #begun = performance.now();
  #polls = 0;
  #lastStatus: string | undefined;
  #lastFailure: PartnerError | undefined;
  /** How long the last answered poll took, in milliseconds. */
  #lastTook = 0;

  constructor(polling: Polling<T>, poll: Poll<T>, options: WaitOptions<T>) {
    const { until, timeout = DEFAULT_TIMEOUT, onPoll, ...callOptions } = options;
    this.#polling = polling;
    this.#isReached = until === undefined ? polling.until : conditionOf(until, polling);
    this.#onPoll = onPoll;
    this.#timeout = timeout;
    this.#callOptions = callOptions;
    this.#poll = poll;
    this.#lifetime = new Lifetime(timeout, options.signal === undefined ? [] : [options.signal]);
  }

  async run(): Promise<T> {
    try {
      for (;;) {
        const polled = await this.#ask();
        const over = polled.answered && (this.#polling.isTerminal(polled.value) || this.#reached(polled.value));
        const delay = over ? undefined : this.#delayAfter(polled);
        if (polled.answered) this.#tell(polled.value, delay);
        if (over) return polled.value;
        await this.#lifetime.sleep(delay ?? this.#lifetime.remaining());
        if (delay === undefined || this.#hasEnded()) throw this.#endedError();
      }
    } finally {
      this.#lifetime.close();
    }
  }

  async #ask(): Promise<PollResult<T>> {
    this.#polls++;
    const asked = performance.now();
    try {
      const left = Math.max(1, Math.ceil(this.#lifetime.remaining()));
      const value = await this.#poll(left, this.#callOptions);
      this.#lastStatus = this.#polling.statusOf(value);
      return { answered: true, value, took: performance.now() - asked };
    } catch (error) {
      if (!mayPass(error)) throw error;
      this.#lastFailure = error;
      // The call ran into the limit that the wait had set it.
      if (error instanceof TimeoutError && this.#lifetime.remaining() < TIMER_SLACK) throw this.#timeoutError();
      return { answered: false, failure: error };
    }
  }

  #reached(value: T): boolean {
    const isReached = this.#isReached;
    try {
      const reached: unknown = isReached(value);
      if (typeof reached === 'boolean') return reached;
      // Above all a promise, which would be true to an `if`; nobody else would hear of its failure.
      if (isThenable(reached)) reached.then(undefined, () => {});
      throw new TypeError('the until function must give true or false');
    } catch (cause) {
      throw new ProviderError(`the until function failed (${this.#polling.operation.name}); see cause`, this.#facts(), {
        cause,
      });
    }
  }

  /** Milliseconds until the next poll; undefined when it could not be answered in time. The last is begun as late as that allows. */
  #delayAfter(polled: PollResult<T>): number | undefined {
    // How long a failure took does not say how long an answer takes.
    if (polled.answered) this.#lastTook = polled.took;
    const latest = this.#lifetime.remaining() - this.#lastTook - SPARE;
    if (latest <= 0) return undefined;
    if (polled.answered) {
      return Math.min(latest, this.#delays.next(polled.took, ownMember(this.#polling, 'changesAt')?.(polled.value)));
    }
    const { failure } = polled;
    const asked = failure instanceof ApiError ? (failure.retryAfter ?? 0) : 0;
    // The service is not asked again before the time that it named.
    return asked > latest ? undefined : Math.min(latest, Math.max(asked, this.#delays.next(0, undefined)));
  }

  #tell(value: T, nextDelay: number | undefined): void {
    const onPoll = this.#onPoll;
    if (onPoll === undefined) return;
    const facts = { polls: this.#polls, elapsed: performance.now() - this.#begun };
    runSafely(() => onPoll(value, nextDelay === undefined ? facts : { ...facts, nextDelay }), 'the function onPoll');
  }

  /** Also when a busy program keeps the timer of the deadline from firing. */
  #hasEnded(): boolean {
    return this.#lifetime.ending !== undefined || this.#lifetime.remaining() === 0;
  }

  #endedError(): AbortedError | TimeoutError {
    const { ending } = this.#lifetime;
    if (ending?.kind !== 'aborted') return this.#timeoutError();
    return new AbortedError(
      `the wait was aborted by its signal (${this.#polling.operation.name}); see cause`,
      this.#facts(),
      {
        cause: ending.reason,
      },
    );
  }

  #timeoutError(): TimeoutError {
    const { name } = this.#polling.operation;
    const times = this.#polls === 1 ? 'once' : `${this.#polls} times`;
    const last =
      this.#lastStatus === undefined ? 'no status was seen' : `the last status was ${shown(this.#lastStatus)}`;
    const cause = this.#lastFailure;
    const failed = cause === undefined ? '' : '; see cause for the last failure of a poll';
    const message = `the wait's timeout (${this.#timeout} ms) passed: ${name} was polled ${times}, ${last}${failed}`;
    return new TimeoutError(message, this.#facts(cause), cause && { cause });
  }

  /** Of a wait's many attempts only those of its last failed poll are told. */
  #facts(lastFailure?: PartnerError): CallFacts {
    const attempts = { count: this.#polls, failures: lastFailure?.attempts.failures ?? [] };
    return { ...beforeSending(this.#polling.operation.name), attempts };
  }
}

/** True for a failure that the next poll may not meet: no usable answer, or a 5xx. */
function mayPass(error: unknown): error is PartnerError {
  if (error instanceof ApiError) return error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function conditionOf<T>(until: WaitUntil<T>, { statusOf }: Polling<T>): (value: T) => boolean {
  if (typeof until === 'function') return until;
  const statuses: ReadonlySet<string | undefined> = new Set(typeof until === 'string' ? [until] : until);
  return (value) => statuses.has(statusOf(value));
}

/** What a status looks like. Any other text stays out of messages: a service may put there what it was sent. */
const STATUS = /^[a-z][a-z_-]{0,63}$/i;

function shown(status: unknown): string {
  return typeof status === 'string' && STATUS.test(status) ? `"${status}"` : 'no plain word';
}
