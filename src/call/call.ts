import type { AttemptFailure, Outcome } from '../errors.js';
import type { Lane } from '../lane/lane.js';
import type { Credentials, LaneAssignment } from '../lane/lanes.js';
import type { Turn } from '../lane/turn.js';
import type { ClientSettings } from '../options.js';
import type { PreparedCall } from '../request/prepare.js';
import type { Signal } from '../util/platform.js';
import type { AttemptResult } from './attempt.js';
import type { CallWatch } from './call-events.js';
import { classify, type Verdict, worse } from './classify.js';
import { Lifetime } from './deadline.js';
import { Retry } from './retry.js';
import type { RetryBudget } from './retry-budget.js';
import type { Route } from './route.js';

/** An error tells the failures of the first attempts, and of the last one: all of thousands would not fit into a log. */
const MAX_FAILURES = 50;

/** What is left when no attempt follows: the last result, and the facts of all attempts. */
export interface FinalResult {
  readonly result: AttemptResult;
  /** The last attempt is a success to read. */
  readonly done: boolean;
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly failures: readonly AttemptFailure[];
}

/** What repeating needs besides the call. */
interface CourseContext {
  readonly settings: ClientSettings;
  readonly budget: RetryBudget;
}

const NO_FAILURES: readonly AttemptFailure[] = Object.freeze([]);
const NO_SECRETS: readonly string[] = Object.freeze([]);
const NO_REASON: AttemptFailure = { reason: 'lost' };

/** The state of one call from its start to its end: where it is sent, what each attempt meant, whether another follows, and when. */
export class Course implements Route {
  readonly call: PreparedCall;
  readonly lifetime: Lifetime;
  readonly watch: CallWatch | undefined;
  /** What is left when no attempt follows. */
  final: FinalResult | undefined;
  readonly #context: CourseContext;
  #assignment: LaneAssignment | undefined;
  #secrets = NO_SECRETS;
  #givenSecrets = NO_SECRETS;
  #failures = NO_FAILURES;
  #outcome: Outcome = 'not_applied';
  #attempts = 0;
  /** Made after the first attempt: thousands of calls may wait for theirs. */
  #retry: Retry | undefined;
  #delay = 0;

  /**
   * @param begun When the call began.
   * @param abandon Ends the call besides the caller's signal.
   */
  constructor(
    call: PreparedCall,
    context: CourseContext,
    begun: number,
    abandon: Signal | undefined,
    watch: CallWatch | undefined,
  ) {
    this.call = call;
    this.watch = watch;
    this.#context = context;
    this.lifetime = new Lifetime(
      call.timeout,
      abandon === undefined ? call.signals : [...call.signals, abandon],
      begun,
    );
  }

  // ---- where it is sent ----

  get settings(): ClientSettings {
    return this.#context.settings;
  }

  get lane(): Lane {
    return this.#taken().lane;
  }

  get credentials(): Credentials {
    return this.#taken().credentials;
  }

  /** All attempts go there. */
  take(assignment: LaneAssignment): void {
    this.#assignment = assignment;
    assignment.lane.calls++;
  }

  /** The call is over: nothing of it is left behind, nor kept by its promise. */
  close(): void {
    this.final = undefined;
    this.#givenSecrets = NO_SECRETS;
    if (this.#assignment !== undefined) this.#assignment.lane.calls--;
    this.lifetime.close();
  }

  keepApiSecret(text: string): void {
    this.#givenSecrets = [...this.#givenSecrets, text];
  }

  keepSecret(text: string): void {
    this.#secrets = [...this.#secrets, text];
  }

  secrets(): readonly string[] {
    const { apiSecret } = this.credentials;
    const given = typeof apiSecret === 'string' ? [apiSecret] : this.#givenSecrets;
    return [...given, ...this.#secrets];
  }

  #taken(): LaneAssignment {
    if (this.#assignment === undefined) throw new Error('no lane has been chosen');
    return this.#assignment;
  }

  // ---- its attempts ----

  get turn(): Turn {
    return this.#retry?.turn ?? 'queued';
  }

  /** An attempt begins; gives its number, 1 for the first. */
  begin(): number {
    return ++this.#attempts;
  }

  /** Judges an attempt that is over: `final` is set when none follows. */
  judge(result: AttemptResult): void {
    const verdict = classify(this, result);
    this.#count(result, verdict);
    if (verdict.next === 'done') {
      this.#retry?.succeeded();
      this.#end(result, true);
      return;
    }
    this.#retry ??= this.#retries();
    const delay = this.#retry.delayBefore(verdict.next, result);
    if (delay === undefined) {
      this.#end(result, false);
      return;
    }
    this.watch?.repeats(verdict.failure ?? NO_REASON, delay);
    this.#delay = delay;
  }

  /** Waits for the time of the next attempt; the call may end first. */
  async pause(last: AttemptResult): Promise<void> {
    if (this.#delay > 0) await this.lifetime.sleep(this.#delay);
    if (this.lifetime.ending !== undefined) this.#end({ ...last, kind: 'ended' }, false);
  }

  #count(result: AttemptResult, verdict: Verdict): void {
    this.watch?.attemptOver();
    if (!result.begun) {
      this.#attempts--;
      return;
    }
    this.#outcome = worse(this.#outcome, verdict.effect);
    if (verdict.failure !== undefined) this.#failures = [...this.#failures.slice(0, MAX_FAILURES - 1), verdict.failure];
    if (result.kind !== 'answer' || result.status === undefined) return;
    this.watch?.answered(result.status, isReplayed(result));
  }

  #retries(): Retry {
    const { call, lifetime, settings } = this;
    const { maxRetryAfter } = settings;
    return new Retry({ maxRetries: call.maxRetries, maxRetryAfter, lifetime, budget: this.#context.budget });
  }

  #end(result: AttemptResult, done: boolean): void {
    this.final = { result, done, outcome: this.#outcome, attempts: this.#attempts, failures: this.#failures };
  }
}

/** True when the service replayed an earlier answer to the same key. */
export function isReplayed({ headers }: AttemptResult): boolean {
  return headers['idempotent-replayed']?.toLowerCase() === 'true';
}
