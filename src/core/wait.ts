import type { CallOptions } from './call-options.js';
import { AbortedError, type CallFacts, ProviderError, RequestValidationError, TimeoutError } from './errors.js';
import { unforeseen } from './failure.js';
import { Lifetime } from './lifetime.js';
import { harmless } from './observe.js';
import type { Operation } from './operation.js';
import { isThenable } from './platform.js';
import { PollDelays } from './poll-delays.js';
import { beforeSending } from './prepare.js';
import { checkWaitOptions, type WaitOptions, type WaitUntil } from './wait-options.js';

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
type Poll<T> = (left: number, options: CallOptions) => Promise<T>;

/** Polls until the value is what is waited for. Rejects with the first error of a poll, as it is, or with the wait's own end. */
export async function waitUntil<T>(polling: Polling<T>, poll: Poll<T>, options: WaitOptions<T> = {}): Promise<T> {
  try {
    const issues = checkWaitOptions(options);
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
  readonly #callOptions: CallOptions;
  readonly #poll: Poll<T>;
  readonly #lifetime: Lifetime;
  readonly #delays = new PollDelays();
  readonly #begun = performance.now();
  #polls = 0;
  #lastStatus: string | undefined;

  constructor(polling: Polling<T>, poll: Poll<T>, options: WaitOptions<T>) {
    const { until, timeout = DEFAULT_TIMEOUT, onPoll, ...callOptions } = options;
    this.#polling = polling;
    this.#isReached = until === undefined ? polling.until : conditionOf(until, polling);
    this.#onPoll = onPoll;
    this.#timeout = timeout;
    this.#callOptions = callOptions;
    this.#poll = poll;
    this.#lifetime = new Lifetime(timeout, callOptions.signal === undefined ? [] : [callOptions.signal]);
  }

  async run(): Promise<T> {
    try {
      for (;;) {
        const asked = performance.now();
        const value = await this.#ask();
        const took = performance.now() - asked;
        const over = this.#polling.isTerminal(value) || this.#reached(value);
        const delay = over ? undefined : this.#delayAfter(value, took);
        this.#tell(value, delay);
        if (over) return value;
        await this.#lifetime.sleep(delay ?? this.#lifetime.remaining());
        if (delay === undefined || this.#hasEnded()) throw this.#endedError();
      }
    } finally {
      this.#lifetime.close();
    }
  }

  async #ask(): Promise<T> {
    this.#polls++;
    try {
      const left = Math.max(1, Math.ceil(this.#lifetime.remaining()));
      const value = await this.#poll(left, this.#callOptions);
      this.#lastStatus = this.#polling.statusOf(value);
      return value;
    } catch (error) {
      // The call ran into the limit that the wait had set it.
      if (error instanceof TimeoutError && this.#lifetime.remaining() < TIMER_SLACK) throw this.#timeoutError(error);
      throw error;
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
      throw new ProviderError('the until function failed; see cause', this.#facts(), { cause });
    }
  }

  /** Milliseconds until the next poll; undefined when it could not be answered in time. The last is begun as late as that allows. */
  #delayAfter(value: T, took: number): number | undefined {
    const delay = this.#delays.next(took, this.#polling.changesAt?.(value));
    const latest = this.#lifetime.remaining() - took - SPARE;
    return latest > 0 ? Math.min(delay, latest) : undefined;
  }

  #tell(value: T, nextDelay: number | undefined): void {
    const onPoll = this.#onPoll;
    if (onPoll === undefined) return;
    const facts = { polls: this.#polls, elapsed: performance.now() - this.#begun };
    harmless(() => onPoll(value, nextDelay === undefined ? facts : { ...facts, nextDelay }));
  }

  /** Also when a busy program keeps the timer of the deadline from firing. */
  #hasEnded(): boolean {
    return this.#lifetime.ending !== undefined || this.#lifetime.remaining() === 0;
  }

  #endedError(): AbortedError | TimeoutError {
    const { ending } = this.#lifetime;
    if (ending?.kind !== 'aborted') return this.#timeoutError();
    return new AbortedError('the wait was aborted by its signal', this.#facts(), { cause: ending.reason });
  }

  #timeoutError(cause?: TimeoutError): TimeoutError {
    const { name } = this.#polling.operation;
    const times = this.#polls === 1 ? 'once' : `${this.#polls} times`;
    const last =
      this.#lastStatus === undefined ? 'no status was seen' : `the last status was ${shown(this.#lastStatus)}`;
    const message = `the wait's timeout (${this.#timeout} ms) passed: ${name} was polled ${times}, ${last}`;
    return new TimeoutError(message, this.#facts(cause), cause && { cause });
  }

  /** Of the attempts only those of a poll that was cut off can have failed: any other failure is that poll's own error. */
  #facts(cut?: TimeoutError): CallFacts {
    const attempts = { count: this.#polls, failures: cut?.attempts.failures ?? [] };
    return { ...beforeSending(this.#polling.operation.name), attempts };
  }
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
