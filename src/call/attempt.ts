import type { Answer, AttemptEnd, InFlight, Priority, QueuedAttempt } from '../lane/queued-attempt.js';
import { AnswerCollector, type AnswerListener } from '../response/answer-collector.js';
import type { AttemptResult } from '../response/attempt-result.js';
import { type ResolvedCredentials, resolve } from '../signing/credentials.js';
import { type RequestHeaders, SignedHeaders } from '../signing/signed-headers.js';
import type { Loss, Slot } from '../transport/connections.js';
import { Linked } from '../util/linked-list.js';
import { isThenable } from '../util/platform.js';
import type { Call } from './call.js';
import type { AsyncScope } from './call-events.js';
import { CallEnded, type CancelListener, type CancelReason } from './deadline.js';

/** Restarts of an attempt whose connection was gone, after which it fails as `not_sent`. */
const MAX_RESTARTS = 3;

/** Sends the call once: secret and OTP → lane → nonce → sign → send → response. Never rejects. */
export function attemptOnce(call: Call): Promise<AttemptResult> {
  const mustAsk = call.prepared.otp !== undefined || typeof call.credentials.apiSecret === 'function';
  return mustAsk ? resolveAndRun(call) : new Attempt(call, undefined).run();
}

async function resolveAndRun(call: Call): Promise<AttemptResult> {
  const { prepared, credentials, client, deadline } = call;
  let resolved: ResolvedCredentials;
  try {
    resolved = await resolve(prepared, credentials, client.settings.signer, deadline);
  } catch (error) {
    return error instanceof CallEnded
      ? { ...NOT_BEGUN, ...error.reason }
      : { ...NOT_BEGUN, kind: 'provider', begun: true, error };
  }
  if (resolved.apiSecret !== undefined) call.addApiSecret(resolved.apiSecret);
  if (resolved.otp !== undefined) call.addSecret(resolved.otp);
  return new Attempt(call, resolved).run();
}

const NO_ANSWER: Answer = { status: undefined, headers: {}, body: [] };
const NOT_BEGUN = { ...NO_ANSWER, begun: false, sent: false, overtaken: false, error: undefined, exchange: undefined };

/** One attempt in its lane. Thousands may wait, so most parts are created when its turn comes. */
class Attempt extends Linked<QueuedAttempt> implements QueuedAttempt, CancelListener, AnswerListener {
  readonly priority: Priority;
  readonly notRetryable: boolean;
  readonly travelsAlone: boolean;
  readonly withBody: boolean;
  readonly otherReasons: number;
  queuedAt = 0;
  inFlight: InFlight | undefined;
  readonly #call: Call;
  /** The context in which functions of the application are called; undefined: the current one. */
  readonly #scope: AsyncScope | undefined;
  readonly #resolved: ResolvedCredentials | undefined;
  #settle: ((result: AttemptResult) => void) | undefined;
  #hadTurn = false;
  #restarts = 0;
  #signed: SignedHeaders | undefined;
  #collector: AnswerCollector | undefined;
  #overtaken = false;
  #departed = false;

  constructor(call: Call, resolved: ResolvedCredentials | undefined) {
    super();
    this.#call = call;
    this.#resolved = resolved;
    this.#scope = call.events?.scope();
    this.priority = call.retry?.priority ?? 'queued';
    const { write, operation, maxRetries, body } = call.prepared;
    this.travelsAlone = operation.retrySafety === 'unkeyed';
    this.notRetryable = write && (this.travelsAlone || maxRetries === 0);
    this.withBody = body !== undefined;
    this.otherReasons = (write ? 1 : 0) + (resolved?.otp === undefined ? 0 : 1);
  }

  get awaitsResponse(): boolean {
    return this.#collector?.sent === true;
  }

  get answer(): Answer {
    return this.#collector ?? NO_ANSWER;
  }

  get retriesOfRefusals(): number {
    return this.#call.retry?.retriesOfRefusals ?? 0;
  }

  run(): Promise<AttemptResult> {
    const result = new Promise<AttemptResult>((settle) => {
      this.#settle = settle;
      this.#call.deadline.onCancel(this);
      if (this.#settle === undefined) return;
      this.#call.events?.queued();
      this.#call.lane.enter(this);
    });
    const { overtaken } = this.#call.client.settings.nonces;
    return overtaken === undefined ? result : result.then((refusal) => this.#askSource(refusal));
  }

  /** Asks a source that other processes share whether it knows of a later nonce. */
  async #askSource(result: AttemptResult): Promise<AttemptResult> {
    if (result.status !== 401 || result.overtaken || this.#signed === undefined) return result;
    const { deadline, lane } = this.#call;
    const overtaken = await deadline.wait(this.#signed.wasOvertakenElsewhere()).catch(() => false);
    if (!overtaken) return result;
    lane.races++;
    return { ...result, overtaken };
  }

  begin(slot: Slot): void | Promise<void> {
    return this.#scope === undefined ? this.#begin(slot) : this.#scope.runInAsyncScope(() => this.#begin(slot));
  }

  #begin(slot: Slot): void | Promise<void> {
    const { prepared, client, credentials } = this.#call;
    this.#hadTurn = true;
    this.#call.events?.hasTurn();
    this.#signed = new SignedHeaders(prepared, client.settings, credentials, this.#resolved);
    try {
      const headers = this.#signed.make();
      if (!isThenable(headers)) return this.#send(slot, headers);
      return headers.then(
        (made) => this.#send(slot, made),
        (failure) => this.#failBeforeSending(failure),
      );
    } catch (failure) {
      this.#failBeforeSending(failure);
    }
  }

  #send(slot: Slot, headers: RequestHeaders): void {
    if (this.#settle === undefined) return;
    const { prepared, client, lane, events } = this.#call;
    const { operation, path, body, attemptTimeout } = prepared;
    this.#call.addSecret(headers['api-sign']);
    const collector = new AnswerCollector(this, attemptTimeout, client.settings.maxResponseBytes);
    this.#collector = collector;
    const all = events === undefined ? headers : events.withMore(headers);
    const request = { method: operation.method, path, headers: all, body };
    lane.starts(this);
    collector.exchange =
      events === undefined ? slot.send(request, collector) : events.send(() => slot.send(request, collector));
    // A hook may have aborted the call while the request was sent.
    if (this.#settle === undefined) collector.exchange.abandon();
  }

  #failBeforeSending(failure: unknown): void {
    this.#finish('provider', failure);
    this.#depart('unsent');
  }

  failUnreachable(error: unknown): void {
    this.#hadTurn = true;
    this.#finish('not_sent', error);
  }

  failRefused(answer: Answer): void {
    this.#finish('answer', undefined, answer);
  }

  onSent(): void {
    const { events } = this.#call;
    // The events of a call that is over have already been reported.
    if (events !== undefined && this.#settle !== undefined) this.#inScope(() => events.sent());
  }

  onHead(status: number): void {
    if (status === 401) this.#overtaken = this.#signed?.wasOvertaken === true && this.#overtookItself();
  }

  /** The later nonce that came first may be one of this process or of another. */
  #overtookItself(): boolean {
    const { client, lane } = this.#call;
    const startedAt = this.inFlight?.start?.at;
    return !client.settings.keyIsShared || (startedAt !== undefined && lane.sharedKey.hasAcceptedSince(startedAt));
  }

  onLimit(kind: 'too_slow' | 'too_large'): void {
    this.#finish(kind, undefined);
  }

  onAnswered(): void {
    this.#finish('answer', undefined);
    const refusal = this.#overtaken ? 'race' : 'refused';
    this.#depart(this.#collector?.status === 401 ? refusal : 'accepted');
  }

  onBroken(error: unknown, loss: Loss): void {
    if (loss === 'not_started' && this.#settle !== undefined && this.#restarts++ < MAX_RESTARTS) {
      this.#restart();
      return;
    }
    this.#finish(loss === 'not_started' ? 'not_sent' : loss, error);
    this.#depart(this.#collector?.sent === true ? 'lost' : 'unsent');
  }

  /** The nonce was not used. The next start draws a new one. */
  #restart(): void {
    this.#closeSigned();
    this.#signed = undefined;
    this.#collector = undefined;
    this.#inScope(() => this.#call.lane.startAgain(this));
  }

  /** The call settles at once. What is on the wire leaves the lane later. */
  onCancelled({ kind, error }: CancelReason): void {
    const { retry, lane } = this.#call;
    const refusal = retry?.refusal;
    if (kind === 'timed_out' && !this.#hadTurn && refusal !== undefined) this.#finish('answer', undefined, refusal);
    else this.#finish(kind, error);
    if (lane.withdraw(this)) return;
    if (this.#collector === undefined) this.#depart('unsent');
    else this.#collector.exchange?.abandon();
  }

  #finish(kind: AttemptResult['kind'], error: unknown, answer?: Answer): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#collector?.stop();
    this.#call.deadline.onCancel(undefined);
    settle(this.#result(kind, error, answer));
  }

  #depart(end: AttemptEnd): void {
    if (this.#departed) return;
    this.#departed = true;
    this.#closeSigned();
    const { lane } = this.#call;
    // The lane may begin an attempt of a client without hooks, which must not run inside this one.
    if (this.#scope === undefined) lane.depart(this, end);
    else this.#scope.runInAsyncScope(() => lane.depart(this, end));
  }

  #closeSigned(): void {
    const signed = this.#signed;
    // Only the source's `done` is a function of the application.
    if (this.#call.client.settings.nonces.done === undefined) signed?.close();
    else this.#inScope(() => signed?.close());
  }

  #inScope<T>(run: () => T): T {
    return this.#scope === undefined ? run() : this.#scope.runInAsyncScope(run);
  }

  #result(kind: AttemptResult['kind'], error: unknown, { status, headers, body } = this.answer): AttemptResult {
    return {
      kind,
      begun: this.#hadTurn,
      sent: this.#collector?.sent === true,
      status,
      headers,
      body,
      overtaken: this.#overtaken,
      error,
      exchange: this.#collector?.exchange,
    };
  }
}
