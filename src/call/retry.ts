import { type Turn, turnAfterRace } from '../lane/turn.js';
import { parseRetryAfter } from '../response/retry-after.js';
import type { AttemptResult } from './attempt.js';
import { backoff } from './backoff.js';
import type { Verdict } from './classify.js';
import type { Lifetime } from './deadline.js';
import type { RetryBudget } from './retry-budget.js';

/** How often an attempt that another one's failure broke is repeated besides `maxRetries`. */
const MAX_BYSTANDER_REPEATS = 6;

/** How often a call is repeated at once, besides `maxRetries`, since the service had not begun with it; then only after a wait. */
const MAX_UNPROCESSED_AT_ONCE = 3;

/** How often it is repeated besides `maxRetries` in all. */
const MAX_UNPROCESSED = 10;

/** What bounds the repeats of one call. */
export interface RetryLimits {
  readonly maxRetries: number;
  /** The longest `Retry-After` in ms that is waited for. */
  readonly maxRetryAfter: number;
  readonly lifetime: Lifetime;
  readonly budget: RetryBudget;
}

/** The repeats of one call: whether another attempt follows, after how long, and where it stands in the lane's queue. */
export class Retry {
  turn: Turn = 'queued';
  readonly #limits: RetryLimits;
  /** Those that count against `maxRetries` and the budget. */
  #retries = 0;
  #bystanderRepeats = 0;
  #races = 0;
  #unprocessed = 0;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  /** Time in ms until the next attempt; undefined when there is none. */
  delayBefore(next: Exclude<Verdict['next'], 'done'>, result: AttemptResult): number | undefined {
    const { turn } = this;
    this.turn = 'queued';
    switch (next) {
      case 'stop':
        return undefined;
      case 'race':
        return this.#afterRace(turn);
      case 'unprocessed':
        return this.#unprocessed < MAX_UNPROCESSED ? this.#afterUnprocessed(result) : this.#afterFailure(result);
      case 'bystander':
        return this.#bystanderRepeats < MAX_BYSTANDER_REPEATS ? this.#asBystander(result) : this.#afterFailure(result);
      case 'again':
        return this.#afterFailure(result);
    }
  }

  /** The call succeeds in the end: it gives back what its repeats took. Only an outage uses the budget up. */
  succeeded(): void {
    this.#limits.budget.giveBack(this.#retries);
  }

  /** A race had no effect and shows no outage: it counts neither against `maxRetries` nor against the budget. */
  #afterRace(before: Turn): number | undefined {
    const turn = turnAfterRace(before, ++this.#races);
    if (turn === undefined) return undefined;
    this.turn = turn;
    return 0;
  }

  /** Nor does what the service has not begun with. */
  #afterUnprocessed(result: AttemptResult): number | undefined {
    this.turn = 'head';
    return ++this.#unprocessed <= MAX_UNPROCESSED_AT_ONCE ? 0 : this.#wait(result);
  }

  /** That another one's failure broke its connection is no sign of an outage. */
  #asBystander(result: AttemptResult): number | undefined {
    if (this.#limits.maxRetries === 0) return undefined;
    const delay = this.#wait(result);
    if (delay !== undefined) this.#bystanderRepeats++;
    return delay;
  }

  #afterFailure(result: AttemptResult): number | undefined {
    if (this.#retries >= this.#limits.maxRetries) return undefined;
    const delay = this.#wait(result);
    if (delay === undefined || !this.#limits.budget.take()) return undefined;
    this.#retries++;
    return delay;
  }

  /** The service's `Retry-After`, else back-off, in ms; undefined when it is too long to wait for. */
  #wait({ headers }: AttemptResult): number | undefined {
    const { maxRetryAfter, lifetime } = this.#limits;
    const asked = parseRetryAfter(headers['retry-after'], Date.now());
    if (asked !== undefined && asked > maxRetryAfter) return undefined;
    const delay = asked ?? backoff(this.#retries + this.#bystanderRepeats + this.#unprocessed);
    return delay < lifetime.remaining() ? delay : undefined;
  }
}
