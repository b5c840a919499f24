import type { AttemptFailure, CallFacts, Outcome } from '../errors.js';
import type { ApiKeyChoice } from '../lane/api-key-choice.js';
import type { Lane } from '../lane/lane.js';
import type { Priority } from '../lane/queued-attempt.js';
import type { ClientSettings } from '../options.js';
import { MAX_CODE_LENGTH, redactor } from '../redaction/redact.js';
import type { PreparedCall } from '../request/prepare.js';
import { type AttemptResult, isReplayed } from '../response/attempt-result.js';
import { isRejectionOfService } from '../response/proof.js';
import type { ParsedBody } from '../response/read-answer.js';
import type { Credentials } from '../signing/credentials.js';
import type { Signal } from '../util/platform.js';
import { clipped } from '../util/printable.js';
import type { CallEvents } from './call-events.js';
import { Deadline } from './deadline.js';
import { Retry, type RetryBudget } from './retry.js';
import { classify, type Verdict, worse } from './retry-table.js';

/** An error keeps the failures of the first 49 attempts and of the last: it must fit into a log. */
const MAX_FAILURES = 50;

interface ClientContext {
  readonly settings: ClientSettings;
  readonly budget: RetryBudget;
}

const NONE: readonly never[] = [];

/** Returns the signals of a call: mostly none, so those calls share one list. */
function signalsOf(callers: Signal | undefined, abandon: Signal | undefined): readonly Signal[] {
  if (callers === undefined && abandon === undefined) return NONE;
  return [callers, abandon].filter((signal) => signal !== undefined);
}

/** The state of one call: its lane, its deadline, and the outcome of its attempts. */
export class Call {
  readonly prepared: PreparedCall;
  readonly deadline: Deadline;
  /** Undefined for a client without hooks and logger. */
  readonly events: CallEvents | undefined;
  /** The worst of what its attempts may have done. */
  outcome: Outcome = 'not_applied';
  attempts = 0;
  readonly #client: ClientContext;
  #choice: ApiKeyChoice | undefined;
  #secrets: readonly string[] = NONE;
  #apiSecrets: readonly string[] = NONE;
  #failures: readonly AttemptFailure[] = NONE;
  /** True after a 401, which may be about the API key. */
  #wasDenied = false;
  /** Made after the first attempt: thousands of calls may wait for theirs. */
  #retry: Retry | undefined;

  /**
   * @param begun When the call began, on the scale of `performance.now()`.
   * @param abandon Ends the call, as the caller's signal does.
   */
  constructor(
    prepared: PreparedCall,
    client: ClientContext,
    begun: number,
    abandon: Signal | undefined,
    events: CallEvents | undefined,
  ) {
    this.prepared = prepared;
    this.events = events;
    this.#client = client;
    this.deadline = new Deadline(prepared.timeout, signalsOf(prepared.signal, abandon), begun);
  }

  get settings(): ClientSettings {
    return this.#client.settings;
  }

  get lane(): Lane {
    return this.#assigned().lane;
  }

  /** True if no connection has been opened in the lane of the call. */
  get neverConnected(): boolean {
    return this.#choice !== undefined && this.#choice.assignment.lane.stats().way === undefined;
  }

  get credentials(): Credentials {
    return this.#assigned().credentials;
  }

  /** All attempts use this lane, API key and idempotency key. */
  assign(choice: ApiKeyChoice): void {
    this.#choice = choice;
    this.prepared.idempotencyKey = choice.idempotencyKey;
    choice.assignment.lane.calls++;
  }

  /** The call is over. Its promise keeps neither a timer nor a secret. */
  close(): void {
    this.#apiSecrets = NONE;
    if (this.#choice !== undefined) this.#choice.assignment.lane.calls--;
    this.#choice?.giveBack?.();
    this.deadline.close();
  }

  #assigned(): ApiKeyChoice['assignment'] {
    if (this.#choice === undefined) throw new Error('no lane has been chosen');
    return this.#choice.assignment;
  }

  /** Adds a signature, a one-time password, or a secret of an answer. */
  addSecret(text: string): void {
    this.#secrets = [...this.#secrets, text];
  }

  /** Adds an API secret that a function gave. It is not kept longer than the call. */
  addApiSecret(text: string): void {
    this.#apiSecrets = [...this.#apiSecrets, text];
  }

  secrets(): readonly string[] {
    const apiSecret = this.#choice?.assignment.credentials.apiSecret;
    const apiSecrets = typeof apiSecret === 'string' ? [apiSecret] : this.#apiSecrets;
    return [...apiSecrets, ...this.#secrets];
  }

  /** The priority of the next attempt in the lane. */
  get priority(): Priority {
    return this.#retry?.priority ?? 'queued';
  }

  /** See `QueuedAttempt.retriesOfRefusals`. */
  get retriesOfRefusals(): number {
    return this.#retry?.retriesOfRefusals ?? 0;
  }

  /** The 401 that the next attempt follows: the answer if that attempt cannot start in time. */
  get refusal(): AttemptResult | undefined {
    return this.#retry?.refusal;
  }

  get facts(): CallFacts {
    const { operation, idempotencyKey } = this.prepared;
    const attempts = { count: this.attempts, failures: this.#failures };
    return { outcome: this.outcome, operation, attempts, idempotencyKey };
  }

  /** Counts an attempt that begins; gives its number, 1 for the first. */
  beginAttempt(): number {
    return ++this.attempts;
  }

  /**
   * Judges an attempt that is over. Gives the ms until the next; undefined when none follows.
   *
   * @param body As for `classify`.
   */
  judge(result: AttemptResult, body: ParsedBody | undefined): number | undefined {
    const verdict = classify(this.prepared, result, body, this.#isKeyAccepted());
    const failure = this.#withoutSecrets(verdict.failure);
    this.#record(result, verdict.effect, failure);
    if (verdict.next === 'done') {
      this.#retry?.succeeded();
      return undefined;
    }
    this.#retry ??= this.#newRetry();
    const delay = this.#retry.next(verdict.next, result);
    // Most likely, the request of another process came first.
    if (delay !== undefined && verdict.next === 'refused' && this.settings.keyIsShared) this.lane.countRace();
    if (delay !== undefined && failure !== undefined) this.events?.retries(failure, delay);
    return delay;
  }

  /** Other processes may have had the API key accepted. Only a single attempt relies on that. */
  #isKeyAccepted(): boolean {
    const { lane, settings, prepared } = this;
    return lane.sharedKey.isProven || (settings.keyIsShared && prepared.retrySafety === 'unkeyed');
  }

  /**
   * True if an earlier attempt got a 401 although the service accepts the API key, as this attempt
   * shows: then that 401 may have been the one of a copy, and its original may have been applied.
   */
  #hadOddDenial(result: AttemptResult): boolean {
    const { write, needsOtp } = this.prepared;
    if (!this.#wasDenied || !write || needsOtp) return false;
    return this.lane.sharedKey.isProven || (result.status !== 401 && isRejectionOfService(result));
  }

  #record(result: AttemptResult, effect: Verdict['effect'], failure: AttemptFailure | undefined): void {
    if (result.begun) {
      this.outcome = worse(this.outcome, this.#hadOddDenial(result) ? worse(effect, 'unknown') : effect);
      if (result.status === 401) this.#wasDenied = true;
      if (failure !== undefined) this.#failures = [...this.#failures.slice(0, MAX_FAILURES - 1), failure];
      const answered = result.kind === 'answer' ? result.status : undefined;
      if (answered !== undefined) this.events?.answered(answered, isReplayed(result));
    } else {
      this.attempts--;
    }
    this.events?.attemptOver(result, failure);
  }

  /** The code may be any text of the service or of a user-supplied dispatcher. */
  #withoutSecrets(failure: AttemptFailure | undefined): AttemptFailure | undefined {
    if (failure?.code === undefined) return failure;
    return { ...failure, code: clipped(redactor(this.secrets())(failure.code), MAX_CODE_LENGTH) };
  }

  #newRetry(): Retry {
    const { settings, budget } = this.#client;
    const { maxRetryAfter, keyIsShared } = settings;
    const { maxRetries, otp } = this.prepared;
    const sharedKey = keyIsShared ? this.lane.sharedKey : undefined;
    return new Retry({ maxRetries, maxRetryAfter, deadline: this.deadline, budget, sharedKey, otp });
  }
}
