import { type Priority, priorityAfterRace } from '../lane/queued-attempt.js';
import type { SharedKey } from '../lane/shared-key.js';
import type { AttemptResult } from '../response/attempt-result.js';
import { readRetryAfter } from '../response/retry-after.js';
import type { Deadline } from './deadline.js';
import type { Verdict } from './retry-table.js';

/** Retries of `bystander` attempts on top of `maxRetries`. Further ones count as failures. */
const MAX_BYSTANDER_RETRIES = 6;

/** Retries of `unprocessed` attempts without a wait. Each further one waits first. */
const MAX_UNPROCESSED_AT_ONCE = 3;

/** Retries of `unprocessed` attempts on top of `maxRetries`. Further ones count as failures. */
const MAX_UNPROCESSED_RETRIES = 10;

/** The bound of the first back-off: about the time in which a restart or a failover is noticed. */
const FIRST_BACKOFF_MS = 200;

/** The bound of the longest back-off: four attempts fit into the default `timeout` of 30 s. */
const MAX_BACKOFF_MS = 8_000;

export interface RetryLimits {
  readonly maxRetries: number;
  /** The longest `Retry-After` in ms that is waited for. */
  readonly maxRetryAfter: number;
  readonly deadline: Deadline;
  readonly budget: RetryBudget;
  /** Undefined: no other process uses the API key. */
  readonly sharedKey: SharedKey | undefined;
  /** The call's one-time password, or the function that returns one. */
  readonly otp: unknown;
}

/** Decides about the retries of one call: whether one follows, when, and its lane priority. */
export class Retry {
  priority: Priority = 'queued';
  /** The 401 before the next attempt. The call ends with it if that attempt cannot start. */
  refusal: AttemptResult | undefined;
  readonly #limits: RetryLimits;
  /** Retries that count against `maxRetries` and the budget. */
  #retries = 0;
  #bystanderRetries = 0;
  #attempts = 0;
  /** Attempts that got a 401 and were sent again, or would be. */
  #refusals = 0;
  /** True once an attempt got a 401 that no later nonce explains. */
  #wasRefused = false;
  #unprocessed = 0;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  /** Retries so far after a 401. 0 if no other process uses the API key. */
  get retriesOfRefusals(): number {
    return this.#limits.sharedKey === undefined ? 0 : this.#refusals;
  }

  /** Time in ms until the next attempt; undefined when none follows. */
  next(verdict: Exclude<Verdict['next'], 'done'>, result: AttemptResult): number | undefined {
    const { priority } = this;
    this.priority = 'queued';
    this.refusal = undefined;
    this.#attempts++;
    switch (verdict) {
      case 'stop':
        return undefined;
      case 'race':
        return this.#afterRace(priority);
      case 'refused':
        return this.#afterRefusal(result, priority);
      case 'unprocessed':
        return this.#unprocessed < MAX_UNPROCESSED_RETRIES
          ? this.#afterUnprocessed(result)
          : this.#afterFailure(result);
      case 'bystander':
        return this.#bystanderRetries < MAX_BYSTANDER_RETRIES ? this.#asBystander(result) : this.#afterFailure(result);
      case 'retry':
        return this.#afterFailure(result);
    }
  }

  /** A call that succeeds returns to the budget what its retries took from it. */
  succeeded(): void {
    this.#limits.budget.giveBack(this.#retries);
  }

  /** A race indicates no outage, so it counts neither against `maxRetries` nor the budget. */
  #afterRace(before: Priority): number | undefined {
    const priority = priorityAfterRace(before, ++this.#refusals);
    if (priority === undefined || this.#waitOfShared() === undefined) return undefined;
    this.priority = priority;
    return 0;
  }

  /** Counts like a race, and together with the races of the call. */
  #afterRefusal(result: AttemptResult, before: Priority): number | undefined {
    // An attempt that was never sent shares the result of the one that tried the API key.
    if (!result.begun) return undefined;
    this.#refusals++;
    // No other process has caused it. A copy of the request may have; a second 401 is final.
    if (this.#limits.sharedKey === undefined && (this.#wasRefused || before === 'exclusive')) return undefined;
    this.#wasRefused = true;
    const wait = this.#waitOfShared();
    if (wait === undefined) return undefined;
    this.priority = 'head';
    this.refusal = result;
    return wait;
  }

  /** See `SharedKey.waitOf`. 0 if no other process uses the API key. */
  #waitOfShared(): number | undefined {
    const { sharedKey, otp, deadline } = this.#limits;
    if (sharedKey === undefined) return 0;
    return sharedKey.waitOf(this.#refusals, this.#attempts, otp, deadline.remaining());
  }

  /** Counts like a race. */
  #afterUnprocessed(result: AttemptResult): number | undefined {
    this.priority = 'head';
    return ++this.#unprocessed <= MAX_UNPROCESSED_AT_ONCE ? 0 : this.#wait(result);
  }

  /** Does not count either, but respects `maxRetries: 0`, because it may have had its effect. */
  #asBystander(result: AttemptResult): number | undefined {
    if (this.#limits.maxRetries === 0) return undefined;
    const delay = this.#wait(result);
    if (delay !== undefined) this.#bystanderRetries++;
    return delay;
  }

  #afterFailure(result: AttemptResult): number | undefined {
    if (this.#retries >= this.#limits.maxRetries) return undefined;
    const delay = this.#wait(result);
    if (delay === undefined || !this.#limits.budget.take()) return undefined;
    this.#retries++;
    return delay;
  }

  /**
   * The service's `Retry-After`, otherwise an exponential back-off with full jitter, in ms;
   * undefined when it is too long.
   */
  #wait({ headers }: AttemptResult): number | undefined {
    const { maxRetryAfter, deadline } = this.#limits;
    const asked = readRetryAfter(headers, Date.now());
    if (asked !== undefined && asked > maxRetryAfter) return undefined;
    const retries = this.#retries + this.#bystanderRetries + this.#unprocessed;
    const delay = asked ?? Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
    return delay < deadline.remaining() ? delay : undefined;
  }
}

/** Maximum number of tokens: a few retries for each of the calls that a lane carries. */
const CAPACITY = 500;

/** After an outage, the client can retry again; during it, this adds next to nothing. */
const REFILL_PER_SECOND = 5;

/**
 * The retry budget of one client, a token bucket. Each retry takes a token, and a call that
 * succeeds returns its tokens. Only calls that fail use it up, so retries do not multiply an
 * outage.
 */
export class RetryBudget {
  readonly capacity: number = CAPACITY;
  #tokens: number = CAPACITY;
  #refilledAt = performance.now();

  /** The current number of whole tokens. */
  available(): number {
    const now = performance.now();
    const gained = ((now - this.#refilledAt) / 1000) * REFILL_PER_SECOND;
    this.#tokens = Math.min(CAPACITY, this.#tokens + gained);
    this.#refilledAt = now;
    return Math.floor(this.#tokens);
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    if (this.available() < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  giveBack(tokens: number): void {
    this.#tokens = Math.min(CAPACITY, this.#tokens + tokens);
  }
}
