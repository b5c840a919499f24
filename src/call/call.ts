import type { AttemptFailure, CallFacts, Outcome } from '../errors.js';
import type { Lane } from '../lane/lane.js';
import type { ApiKeyChoice, LaneSet } from '../lane/lanes.js';
import type { Observer } from '../observer.js';
import type { ClientSettings } from '../options.js';
import { MAX_CODE_LENGTH, redactor } from '../redaction/redact.js';
import type { LikelyTypo } from '../request/input.js';
import type { CallRequest, PreparedCall } from '../request/prepare.js';
import { isRejectionOfService } from '../response/api-error.js';
import { type AttemptResult, isReplayed } from '../response/attempt-result.js';
import type { ParsedBody } from '../response/read-answer.js';
import { readRetryAfter } from '../response/retry-after.js';
import type { Notes } from '../schema/tolerant.js';
import type { Credentials } from '../signing/credentials.js';
import { ownMember } from '../util/members.js';
import { clipped } from '../util/printable.js';
import { emitWarning } from '../util/run-safely.js';
import type { CallEvents } from './call-events.js';
import { Deadline } from './deadline.js';
import { Retry, type RetryBudget } from './retry.js';
import { classify, type Verdict, worse } from './retry-table.js';
import type { UnknownWrites } from './unknown-writes.js';

/** An error stores the first 49 failures and the last one, so that it fits into a log. */
const MAX_FAILURES = 50;

/** The parts of a client that its calls share. */
export interface CallContext {
  readonly settings: ClientSettings;
  readonly lanes: LaneSet;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  readonly counts: CallCounts;
  /** As `unknownWrites`, shared by a client and those that `withOptions()` created from it. */
  warnings: MemberWarnings;
  unknownWrites: UnknownWrites;
  /** @throws ConfigurationError after the client has been closed. */
  readonly assertOpen: () => void;
}

/** Counts the calls of one client, and reports when none is running. */
export class CallCounts {
  running = 0;
  succeeded = 0;
  failed = 0;
  retries = 0;
  replays = 0;
  #onIdle: (() => void) | undefined;

  end(): void {
    if (--this.running === 0) this.#onIdle?.();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.running === 0) resolve();
    });
  }
}

/** Further paths are not logged. All operations together have some hundreds of members. */
const MAX_PATHS = 1_000;

/** Logs each doubtful member in responses and inputs of an operation once per client. */
export class MemberWarnings {
  readonly #logged = new Set<string>();

  /** Logs what a tolerant reading accepted. */
  accepted(observer: Observer, operation: string, { missing, accepted }: Notes): void {
    for (const path of missing) {
      if (this.#isNew('missing', operation, path))
        observer.log('warn', 'partner-sdk: a response lacks a member that its type has', { operation, path });
    }
    for (const [path, message] of accepted) {
      if (!this.#isNew('wrong', operation, path)) continue;
      const text = `partner-sdk: a member of a response ${message}: it is returned unchanged`;
      observer.log('warn', text, { operation, path });
    }
  }

  inexact(observer: Observer, operation: string, paths: Iterable<string>): void {
    for (const path of paths) {
      if (this.#isNew('inexact', operation, path)) observer.log('warn', INEXACT, { operation, path });
    }
  }

  /** @param paths Of members that the service need not return, and that it returned differently. */
  different(observer: Observer, operation: string, paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#isNew('different', operation, path)) observer.log('warn', DIFFERENT, { operation, path });
    }
  }

  typo(observer: Observer, operation: string, { kind, path, meant }: LikelyTypo): void {
    if (!this.#isNew(kind, operation, path)) return;
    const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
    const message = `partner-sdk: ${TYPOS[kind]}, and it is sent unchanged${hint}`;
    if (observer.hasLogger) observer.log('warn', message, { operation, path });
    // Such a string fails no call: a webhook without its events is noticed when money is missing.
    else if (kind === 'text') emitWarning(`${message} (${path} of ${operation})`, 'PARTNER_SDK_INPUT');
  }

  #isNew(kind: string, operation: string, path: string): boolean {
    const key = `${kind} ${operation} ${path}`;
    if (this.#logged.has(key) || this.#logged.size >= MAX_PATHS) return false;
    this.#logged.add(key);
    return true;
  }
}

const DIFFERENT =
  'partner-sdk: a response repeats a member of its request with another value, so it may belong to another call';

const INEXACT =
  'partner-sdk: a number in a response has more digits than a JavaScript number keeps, so the one handed over is rounded';

const TYPOS: Readonly<Record<LikelyTypo['kind'], string>> = {
  name: 'a member of the input is not a documented one',
  text: 'a string of the input is not a documented one',
};

const NONE: readonly never[] = [];

/** The state of one call: its lane, its deadline, and the outcome of its attempts. */
export class Call<T = unknown> {
  readonly client: CallContext;
  readonly request: CallRequest<T>;
  readonly prepared: PreparedCall;
  readonly deadline: Deadline;
  /** Undefined for a client without hooks and logger. */
  readonly events: CallEvents | undefined;
  /** The lane and the API key of all attempts, from `assign` on. */
  lane!: Lane;
  credentials!: Credentials;
  /** The worst effect that its attempts may have had. */
  outcome: Outcome = 'not_applied';
  attempts = 0;
  /** Created after the first attempt, because thousands of calls may wait for theirs. */
  retry: Retry | undefined;
  #secrets: string[] | undefined;
  #apiSecrets: string[] | undefined;
  #failures: readonly AttemptFailure[] = NONE;
  /** True after a 401, which may be about the API key. */
  #wasDenied = false;

  /** @param begun When the call began, on the scale of `performance.now()`. */
  constructor(
    client: CallContext,
    request: CallRequest<T>,
    prepared: PreparedCall,
    begun: number,
    events: CallEvents | undefined,
  ) {
    this.client = client;
    this.request = request;
    this.prepared = prepared;
    this.events = events;
    this.deadline = new Deadline(prepared.timeout, prepared.signal, begun, request.abandon);
  }

  /** True if no connection has been opened in the lane of the call. */
  get neverConnected(): boolean {
    const lane: Lane | undefined = this.lane;
    return lane !== undefined && lane.stats().way === undefined;
  }

  /** All attempts use this lane, API key and idempotency key. */
  assign({ assignment, idempotencyKey }: ApiKeyChoice): void {
    this.lane = assignment.lane;
    this.credentials = assignment.credentials;
    this.prepared.idempotencyKey = idempotencyKey;
    this.lane.calls++;
  }

  /** The call is over. Its promise holds neither a timer nor a secret. */
  close(): void {
    this.#apiSecrets = undefined;
    const lane: Lane | undefined = this.lane;
    if (lane !== undefined) lane.calls--;
    this.deadline.close();
  }

  /** Adds a signature, a one-time password, or a secret of a response. */
  addSecret(text: string): void {
    this.#secrets ??= [];
    this.#secrets.push(text);
  }

  /** Adds an API secret that a function returned. It is stored no longer than the call. */
  addApiSecret(text: string): void {
    this.#apiSecrets ??= [];
    this.#apiSecrets.push(text);
  }

  secrets(): readonly string[] {
    const credentials: Credentials | undefined = this.credentials;
    const apiSecret = credentials?.apiSecret;
    const apiSecrets = typeof apiSecret === 'string' ? [apiSecret] : (this.#apiSecrets ?? NONE);
    return [...apiSecrets, ...(this.#secrets ?? NONE)];
  }

  get facts(): CallFacts {
    const { operation, idempotencyKey } = this.prepared;
    const attempts = { count: this.attempts, failures: this.#failures };
    return { outcome: this.outcome, operation: operation.name, attempts, idempotencyKey };
  }

  /**
   * Judges an attempt that is over. Returns the ms until the next; undefined when none follows.
   *
   * @param body As for `classify`.
   */
  judge(result: AttemptResult, body: ParsedBody | undefined): number | undefined {
    const verdict = classify(this.prepared, result, body, this.#isKeyAccepted());
    const failure = this.#withoutSecrets(verdict.failure);
    this.#record(result, verdict.effect, failure);
    if (verdict.next === 'done') {
      this.retry?.succeeded();
      return undefined;
    }
    this.retry ??= this.#newRetry();
    const delay = this.retry.next(verdict.next, result);
    // Most likely, the request of another process came first.
    if (delay !== undefined && verdict.next === 'refused' && this.client.settings.keyIsShared) this.lane.races++;
    if (delay !== undefined && failure !== undefined) this.events?.retries(failure, delay);
    this.#logUnreadableWait(result);
    return delay;
  }

  #logUnreadableWait({ headers }: AttemptResult): void {
    const { observer } = this.client;
    const value = ownMember(headers, 'retry-after');
    if (value === undefined || !observer.hasLogger || readRetryAfter(headers, Date.now()) !== undefined) return;
    const retryAfter = clipped(redactor(this.secrets())(value), MAX_CODE_LENGTH);
    const { name: operation } = this.prepared.operation;
    observer.log('debug', 'partner-sdk: Retry-After is neither seconds nor a date', { operation, retryAfter });
  }

  /** Another process may have had the API key accepted. Only a single attempt relies on that. */
  #isKeyAccepted(): boolean {
    const { lane, client, prepared } = this;
    return lane.sharedKey.isProven || (client.settings.keyIsShared && prepared.operation.retrySafety === 'unkeyed');
  }

  /**
   * True if an earlier attempt got a 401 although the service accepts the API key, as this attempt
   * shows. That 401 may then have been for a copy, whose original may have been applied.
   */
  #hadOddDenial(result: AttemptResult): boolean {
    const { write, operation } = this.prepared;
    if (!this.#wasDenied || !write || operation.otp) return false;
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

  /** The code may be any string of the service or of a user-supplied dispatcher. */
  #withoutSecrets(failure: AttemptFailure | undefined): AttemptFailure | undefined {
    if (failure?.code === undefined) return failure;
    return { ...failure, code: clipped(redactor(this.secrets())(failure.code), MAX_CODE_LENGTH) };
  }

  #newRetry(): Retry {
    const { maxRetryAfter, keyIsShared } = this.client.settings;
    const { maxRetries, otp } = this.prepared;
    const sharedKey = keyIsShared ? this.lane.sharedKey : undefined;
    return new Retry({
      maxRetries,
      maxRetryAfter,
      deadline: this.deadline,
      budget: this.client.budget,
      sharedKey,
      otp,
    });
  }
}
