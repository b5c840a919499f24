import { type AttemptResult, attemptOnce, type Route } from './attempt.js';
import { backoff } from './backoff.js';
import type { RetryBudget } from './budget.js';
import { classify, type Verdict, worse } from './classify.js';
import type { AttemptFailure, Outcome } from './errors.js';
import type { Observer } from './observe.js';
import type { PreparedCall } from './prepare.js';
import { redactor } from './redact.js';
import { parseRetryAfter } from './retry-after.js';

/** How often an attempt that another one's failure broke is repeated besides `maxRetries`: by then the lane's width is 1. */
const MAX_BYSTANDER_REPEATS = 6;

/** What is left when no attempt follows: the last result, and the facts of all attempts. */
export interface FinalResult {
  readonly result: AttemptResult;
  /** The last attempt is a success to read. */
  readonly done: boolean;
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly failures: readonly AttemptFailure[];
}

/** What repeating needs besides the call and its route. */
interface RepeatContext {
  readonly budget: RetryBudget;
  readonly observer: Observer;
}

/** Attempts the call until it is done, may not be repeated, or has ended. Never rejects. */
export async function repeat(call: PreparedCall, route: Route, context: RepeatContext): Promise<FinalResult> {
  const course = new Course(call, route, context);
  let alone = false;
  for (;;) {
    const { result, verdict } = await course.attempt(alone);
    const delay = course.delayBefore(verdict, result, alone);
    if (delay === undefined) return course.end(result, verdict);
    course.announce(verdict, delay);
    alone = verdict.next === 'alone';
    if (delay > 0) await route.lifetime.sleep(delay);
    if (route.lifetime.ending !== undefined) return course.endEarly(result);
  }
}

/** The state of one call over its attempts. */
class Course {
  readonly #call: PreparedCall;
  readonly #route: Route;
  readonly #context: RepeatContext;
  readonly #failures: AttemptFailure[] = [];
  #outcome: Outcome = 'not_applied';
  #attempts = 0;
  #retries = 0;
  #bystanderRepeats = 0;

  constructor(call: PreparedCall, route: Route, context: RepeatContext) {
    this.#call = call;
    this.#route = route;
    this.#context = context;
  }

  async attempt(alone: boolean): Promise<{ result: AttemptResult; verdict: Verdict }> {
    this.#attempts++;
    const begun = performance.now();
    this.#context.observer.tell('onRequest', this.#event());
    const result = await attemptOnce(this.#call, this.#route, alone);
    const verdict = classify(this.#call, result, (text) => redactor(this.#route.secrets)(text));
    if (!result.begun) {
      this.#attempts--;
      return { result, verdict };
    }
    this.#outcome = worse(this.#outcome, verdict.effect);
    if (verdict.failure !== undefined) this.#failures.push(verdict.failure);
    if (result.kind === 'answer' && result.status !== undefined) {
      const replayed = isReplayed(result);
      const durationMs = performance.now() - begun;
      this.#context.observer.tell('onResponse', { ...this.#event(), status: result.status, durationMs, replayed });
    }
    return { result, verdict };
  }

  /** Milliseconds until the next attempt; undefined when there is none. */
  delayBefore(verdict: Verdict, result: AttemptResult, alone: boolean): number | undefined {
    const { maxRetries } = this.#call;
    if (verdict.next === 'stop' || verdict.next === 'done' || maxRetries === 0) return undefined;
    // What was alone was not overtaken, nor is its answer another's. Any other attempt may be repeated so: they are counted themselves.
    if (verdict.next === 'alone') return alone ? undefined : 0;
    const bystander = verdict.next === 'bystander' && this.#bystanderRepeats < MAX_BYSTANDER_REPEATS;
    if (!bystander && this.#retries >= maxRetries) return undefined;
    const delay = this.#wait(result);
    if (delay === undefined) return undefined;
    // That another one's failure broke a shared connection is no sign of an outage; whose failure it was takes a token.
    if (!bystander && !this.#context.budget.take()) return undefined;
    if (bystander) this.#bystanderRepeats++;
    else this.#retries++;
    return delay;
  }

  /** The service's `Retry-After`, else back-off; undefined when it is too long to wait for. */
  #wait(result: AttemptResult): number | undefined {
    const asked = parseRetryAfter(result.headers['retry-after'], Date.now());
    if (asked !== undefined && asked > this.#route.settings.maxRetryAfter) return undefined;
    const delay = asked ?? backoff(this.#retries + this.#bystanderRepeats);
    return delay < this.#route.lifetime.remaining() ? delay : undefined;
  }

  announce(verdict: Verdict, delayMs: number): void {
    const { reason = 'lost', status, code } = verdict.failure ?? {};
    this.#context.observer.tell('onRetry', { ...this.#event(), reason, status, code, delayMs });
  }

  end(result: AttemptResult, verdict: Verdict): FinalResult {
    const done = verdict.next === 'done';
    // A call that succeeds in the end gives back what its repeats took: only an outage uses the budget up.
    if (done) this.#context.budget.giveBack(this.#retries);
    return this.#final(result, done);
  }

  /** The call ended in a wait between two attempts. */
  endEarly(last: AttemptResult): FinalResult {
    return this.#final({ ...last, kind: 'ended' }, false);
  }

  #final(result: AttemptResult, done: boolean): FinalResult {
    return { result, done, outcome: this.#outcome, attempts: this.#attempts, failures: this.#failures };
  }

  #event() {
    const { operation, method, template, idempotencyKey } = this.#call;
    return { operation, method, path: template, idempotencyKey, attempt: this.#attempts };
  }
}

/** True when the service replayed an earlier answer to the same key. */
export function isReplayed({ headers }: AttemptResult): boolean {
  return headers['idempotent-replayed']?.toLowerCase() === 'true';
}
