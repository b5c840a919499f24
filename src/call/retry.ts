import { type Priority, priorityAfterRace } from '../lane/queued-attempt.js';
import type { AttemptResult } from '../response/attempt-result.js';
import { parseRetryAfter } from '../response/retry-after.js';
import { ownMember } from '../util/members.js';
import type { Deadline } from './deadline.js';
import type { RetryBudget } from './retry-budget.js';
import type { Verdict } from './retry-table.js';

/** Retries of `bystander` attempts besides `maxRetries`. Above, they count as failures. */
const MAX_BYSTANDER_RETRIES = 6;

/** Retries of `unprocessed` attempts without a wait. Above, each waits first. */
const MAX_UNPROCESSED_AT_ONCE = 3;

/** Retries of `unprocessed` attempts besides `maxRetries`. Above, they count as failures. */
const MAX_UNPROCESSED_RETRIES = 10;

/** The bound of the first back-off: about the time in which a restart or a failover is noticed. */
const FIRST_BACKOFF_MS = 200;

/** The bound of the longest back-off: four attempts fit into the default `timeout` of 30 s. */
const MAX_BACKOFF_MS = 8_000;

/** Exponential back-off with full jitter, in ms. */
function backoff(retries: number): number {
  return Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
}

export interface RetryLimits {
  readonly maxRetries: number;
  /** The longest `Retry-After` in ms that is waited for. */
  readonly maxRetryAfter: number;
  readonly deadline: Deadline;
  readonly budget: RetryBudget;
}

/** Decides about the retries of one call: if one follows, when, and its priority in the lane. */
export class Retry {
  /** The priority of the next attempt. */
  priority: Priority = 'queued';
  readonly #limits: RetryLimits;
  /** Retries that count against `maxRetries` and the budget. */
  #retries = 0;
  #bystanderRetries = 0;
  #races = 0;
  #unprocessed = 0;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  /** Time in ms until the next attempt; undefined when none follows. */
  next(verdict: Exclude<Verdict['next'], 'done'>, result: AttemptResult): number | undefined {
    const { priority } = this;
    this.priority = 'queued';
    switch (verdict) {
      case 'stop':
        return undefined;
      case 'race':
        return this.#afterRace(priority);
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

  /** A call that succeeds gives back what its retries took from the budget. */
  succeeded(): void {
    this.#limits.budget.giveBack(this.#retries);
  }

  /** A race shows no outage: it counts neither against `maxRetries` nor against the budget. */
  #afterRace(before: Priority): number | undefined {
    const priority = priorityAfterRace(before, ++this.#races);
    if (priority === undefined) return undefined;
    this.priority = priority;
    return 0;
  }

  /** Counts like a race. */
  #afterUnprocessed(result: AttemptResult): number | undefined {
    this.priority = 'head';
    return ++this.#unprocessed <= MAX_UNPROCESSED_AT_ONCE ? 0 : this.#wait(result);
  }

  /** Does not count either, but respects `maxRetries: 0`: it may have had its effect. */
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

  /** The service's `Retry-After`, else a back-off, in ms; undefined when it is too long. */
  #wait({ headers }: AttemptResult): number | undefined {
    const { maxRetryAfter, deadline } = this.#limits;
    const asked = parseRetryAfter(ownMember(headers, 'retry-after'), Date.now());
    if (asked !== undefined && asked > maxRetryAfter) return undefined;
    const delay = asked ?? backoff(this.#retries + this.#bystanderRetries + this.#unprocessed);
    return delay < deadline.remaining() ? delay : undefined;
  }
}
