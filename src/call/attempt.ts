import type { Answer, AttemptEnd, Flight, QueuedAttempt } from '../lane/queued-attempt.js';
import type { Turn } from '../lane/turn.js';
import type { PreparedCall } from '../request/prepare.js';
import type { AttemptResult } from '../response/attempt-result.js';
import { needsResolving, ProviderFailure, type ResolvedCredentials, resolve } from '../signing/credentials.js';
import { drawNonce, wasOvertaken } from '../signing/nonce.js';
import type { Exchange, ExchangeListener, Loss, Slot } from '../transport/connections.js';
import { Linked } from '../util/linked-list.js';
import { isThenable } from '../util/platform.js';
import { runSafely } from '../util/run-safely.js';
import { startTimer, type Timer, type TimerListener } from '../util/timers.js';
import type { Call } from './call.js';
import type { Scope } from './call-events.js';
import { CallEnded, type CancelListener, type CancelReason } from './deadline.js';

/** Sends the call once: OTP and secret → lane → nonce → sign → send → read body. Never rejects. */
export function attemptOnce(call: Call): Promise<AttemptResult> {
  const attempt = new Attempt(call);
  const result = needsResolving(call.prepared, call.credentials) ? attempt.resolveAndRun() : attempt.run();
  const { overtaken } = call.settings.nonces;
  return overtaken === undefined ? result : result.then((refusal) => attempt.askSource(refusal));
}

/** A nonce source or signer that takes its time. */
interface Asking {
  /** Frees the lane for the next attempt. */
  readonly over: () => void;
  /** Set while the time is limited. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** What an attempt has while nothing has arrived: thousands may wait. */
const NOTHING: Uint8Array[] = [];
const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** So many times an attempt is started again at once when its connection was gone; then it counts as one that found no connection. */
const MAX_STARTS_AGAIN = 3;

class Attempt extends Linked<QueuedAttempt> implements QueuedAttempt, CancelListener, TimerListener, ExchangeListener {
  readonly turn: Turn;
  queuedAt = 0;
  flight: Flight | undefined;
  readonly #call: Call;
  /** The context that the application's functions are called in; undefined: whatever is current. */
  readonly #scope: Scope | undefined;
  #resolved: ResolvedCredentials | undefined;
  /** Undefined until it is drawn. */
  #nonce: bigint | undefined;
  #exchange: Exchange | undefined;
  #settle: ((result: AttemptResult) => void) | undefined;
  /** The provider that is asked in the lane. */
  #asked: ProviderFailure['provider'] = 'nonce';
  /** While it takes its time. */
  #asking: Asking | undefined;
  #hadTurn = false;
  #startsAgain = 0;
  #departed = false;
  #sent = false;
  #dueAt: number | undefined;
  #timer: Timer | undefined;
  #overtaken = false;
  #status: number | undefined;
  #headers = NO_HEADERS;
  #body = NOTHING;
  #size = 0;

  constructor(call: Call) {
    super();
    this.#call = call;
    this.#scope = call.events?.scope();
    this.turn = call.turn;
  }

  get #prepared(): PreparedCall {
    return this.#call.prepared;
  }

  /** When it takes too long: its time runs from when its bytes leave. */
  get dueAt(): number {
    return this.#dueAt ?? Number.POSITIVE_INFINITY;
  }

  get notRepeatable(): boolean {
    return this.#prepared.write && (this.#prepared.retrySafety === 'unkeyed' || this.#prepared.maxRetries === 0);
  }

  get withBody(): boolean {
    return this.#prepared.body !== undefined;
  }

  get answer(): Answer {
    return { status: this.#status, headers: this.#headers, body: this.#body };
  }

  get otherReasons(): number {
    return (this.#prepared.write ? 1 : 0) + (this.#resolved?.otp === undefined ? 0 : 1);
  }

  run(): Promise<AttemptResult> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#call.deadline.onCancel(this);
      if (this.#settle !== undefined) this.#call.lane.enter(this);
    });
  }

  async resolveAndRun(): Promise<AttemptResult> {
    try {
      const { prepared, credentials, settings, deadline } = this.#call;
      this.#resolved = await resolve(prepared, credentials, settings.signer, deadline);
    } catch (error) {
      if (error instanceof CallEnded) return this.#result(error.reason.kind, error.reason.error);
      return this.#result('provider', error);
    }
    const { apiSecret, otp } = this.#resolved;
    if (apiSecret !== undefined) this.#call.addApiSecret(apiSecret);
    if (otp !== undefined) this.#call.addSecret(otp);
    return this.run();
  }

  /** A refusal that this process cannot explain: a source that others share may know of a later nonce. */
  async askSource(result: AttemptResult): Promise<AttemptResult> {
    const { settings, credentials, deadline, lane } = this.#call;
    if (result.status !== 401 || result.overtaken || this.#nonce === undefined) return result;
    try {
      const asked = Promise.resolve(settings.nonces.overtaken?.(credentials.apiKey, this.#nonce));
      if ((await deadline.wait(asked)) !== true) return result;
    } catch {
      return result;
    }
    lane.countRace();
    return { ...result, overtaken: true };
  }

  // ---- the lane's side: nonce → sign → send ----

  begin(slot: Slot): void | Promise<void> {
    const scope = this.#scope;
    return scope === undefined ? this.#begin(slot) : scope.runInAsyncScope(this.#begin, this, slot);
  }

  #begin(slot: Slot): void | Promise<void> {
    this.#hadTurn = true;
    try {
      const nonce = this.#drawNonce();
      if (isThenable(nonce)) return this.#beginLater(() => this.#drawSlowly(slot, nonce));
      this.#nonce = nonce;
      const signature = this.#sign(nonce);
      if (isThenable(signature)) return this.#beginLater(() => this.#signSlowly(slot, signature));
      this.#send(slot, signature);
    } catch (error) {
      this.#failBeforeSending(error);
    }
  }

  /** Until the bytes have left, or the attempt has ended. */
  #beginLater(send: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#asking = { over: resolve, timer: undefined };
      send()
        .catch((error: unknown) => this.#failBeforeSending(error))
        .then(resolve);
    });
  }

  async #drawSlowly(slot: Slot, drawing: PromiseLike<bigint>): Promise<void> {
    // A source that lets processes send in turn knows how long a turn may be waited for.
    if (this.#call.settings.nonces.done === undefined) this.#limitProviders();
    this.#nonce = await drawing;
    // The call ended while the source took its time.
    if (this.#departed) return this.#giveUpNonce();
    const signature = this.#sign(this.#nonce);
    return isThenable(signature) ? this.#signSlowly(slot, signature) : this.#send(slot, signature);
  }

  async #signSlowly(slot: Slot, signing: PromiseLike<string>): Promise<void> {
    if (this.#asking?.timer === undefined) this.#limitProviders();
    this.#send(slot, await signing);
  }

  /** Everybody else on the lane waits for nonce source and signer. */
  #limitProviders(): void {
    const { attemptTimeout: milliseconds } = this.#prepared;
    const hung = new Error(`no answer within attemptTimeout (${milliseconds} ms)`);
    if (this.#asking !== undefined) this.#asking.timer = setTimeout(() => this.#failBeforeSending(hung), milliseconds);
  }

  #drawNonce(): bigint | PromiseLike<bigint> {
    this.#asked = 'nonce';
    return drawNonce(this.#call.settings.nonces, this.#call.credentials.apiKey);
  }

  #sign(nonce: bigint): string | PromiseLike<string> {
    this.#asked = 'signer';
    const { settings, credentials } = this.#call;
    const { method, path, body } = this.#prepared;
    const { apiKey, apiSecret } = credentials;
    const secret = typeof apiSecret === 'function' ? this.#resolved?.apiSecret : apiSecret;
    return settings.signer.sign({ method, path, nonce: String(nonce), body, apiKey, apiSecret: secret });
  }

  #send(slot: Slot, signature: string): void {
    clearTimeout(this.#asking?.timer);
    if (this.#settle === undefined) return;
    if (typeof signature !== 'string' || !/^[\x21-\x7e]+$/.test(signature)) {
      throw new TypeError('the signer must give non-empty printable text');
    }
    this.#call.addSecret(signature);
    const { method, path, body } = this.#prepared;
    const headers = this.#headersWith(signature);
    this.#call.lane.starts(this);
    try {
      this.#exchange = slot.send({ method, path, headers, body }, this);
    } catch (error) {
      // A transport of the caller's that breaks its promise never to throw.
      this.onError(error, this.#sent ? 'lost' : 'not_sent');
    }
  }

  #headersWith(signature: string): Record<string, string> {
    const { headers: given, idempotencyKey } = this.#prepared;
    const { apiKey } = this.#call.credentials;
    const otp = this.#resolved?.otp;
    // What is spread comes last: a member added to a copy costs V8 a new hidden class. None of the given has a name of these (headers.ts).
    let headers: Record<string, string>;
    headers = { 'api-key': apiKey, 'api-nonce': String(this.#nonce), 'api-sign': signature, ...given };
    if (this.#prepared.body !== undefined) headers = { 'content-type': 'application/json', ...headers };
    if (idempotencyKey !== undefined) headers = { 'idempotency-key': idempotencyKey, ...headers };
    return otp === undefined ? headers : { 'api-otp': otp, ...headers };
  }

  #failBeforeSending(error: unknown): void {
    this.#finish('provider', new ProviderFailure(this.#asked, error));
    this.#depart('unsent');
    this.#asking?.over();
  }

  failUnreachable(error: unknown): void {
    this.#hadTurn = true;
    this.#finish('not_sent', error);
  }

  failRefused({ status, headers, body }: Answer): void {
    this.#status = status;
    this.#headers = headers;
    this.#body = [...body];
    this.#finish('answer', undefined);
  }

  // ---- the connection's side: send → read body ----

  onSent(): void {
    // A transport of the caller's may say it twice.
    if (this.#sent) return;
    this.#tellSent();
    this.#sent = true;
    if (this.#settle === undefined) return;
    const { attemptTimeout } = this.#prepared;
    this.#dueAt = performance.now() + attemptTimeout;
    this.#timer = startTimer(attemptTimeout, this);
  }

  /** A call that is over has told its end already. */
  #tellSent(): void {
    const { events } = this.#call;
    if (events === undefined || this.#settle === undefined) return;
    if (this.#scope === undefined) events.sent();
    else this.#scope.runInAsyncScope(events.sent, events);
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
    const { settings, credentials } = this.#call;
    if (status === 401 && this.#nonce !== undefined) {
      this.#overtaken = wasOvertaken(settings.nonces, credentials.apiKey, this.#nonce);
    }
    if (Number(headers['content-length']) > settings.maxResponseBytes) this.#tooLarge();
  }

  onData(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    // Also an answer that is only drained must not go on for ever.
    if (this.#size > this.#call.settings.maxResponseBytes) this.#tooLarge();
    else if (this.#settle === undefined) return;
    else if (this.#body === NOTHING) this.#body = [chunk];
    else this.#body.push(chunk);
  }

  onEnd(): void {
    this.#finish('answer', undefined);
    this.#depart(this.#status !== 401 ? 'accepted' : this.#overtaken ? 'race' : 'refused');
  }

  onError(error: unknown, loss: Loss): void {
    if (loss === 'not_started' && this.#settle !== undefined && this.#startsAgain++ < MAX_STARTS_AGAIN) {
      this.#startAgain();
      return;
    }
    // With fetch only the failure tells whether there was a connection at all.
    const mayHaveArrived = loss === 'lost' || loss === 'bystander';
    if (!mayHaveArrived) this.#sent = false;
    this.#finish(loss === 'not_started' ? 'not_sent' : loss, error);
    this.#depart(mayHaveArrived ? 'lost' : 'unsent');
  }

  /** The nonce was not used: the next start takes another one. */
  #startAgain(): void {
    this.#giveUpNonce();
    this.#nonce = undefined;
    this.#exchange = undefined;
    this.#call.lane.startAgain(this);
  }

  onTimer(): void {
    this.#finish('too_slow', undefined);
    this.#exchange?.abandon();
  }

  #tooLarge(): void {
    this.#finish('too_large', undefined);
    this.#exchange?.abandon();
  }

  /** Abort or deadline: the call settles at once, whatever is still on the wire leaves the lane in its own time. */
  onCancelled({ kind, error }: CancelReason): void {
    this.#finish(kind, error);
    if (this.#call.lane.withdraw(this)) return;
    if (this.#exchange !== undefined) this.#exchange.abandon();
    else this.#depart('unsent');
    this.#asking?.over();
  }

  #finish(kind: AttemptResult['kind'], error: unknown): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    clearTimeout(this.#asking?.timer);
    this.#timer?.cancel();
    this.#call.deadline.onCancel(undefined);
    settle(this.#result(kind, error));
  }

  #depart(end: AttemptEnd): void {
    if (this.#departed) return;
    this.#departed = true;
    this.#giveUpNonce();
    this.#call.lane.depart(this, end);
  }

  /** A source that lets one process send at a time waits for this. */
  #giveUpNonce(): void {
    const { settings, credentials } = this.#call;
    const nonce = this.#nonce;
    if (nonce === undefined || settings.nonces.done === undefined) return;
    const done = () => settings.nonces.done?.(credentials.apiKey, nonce);
    const inScope = () => (this.#scope === undefined ? done() : this.#scope.runInAsyncScope(done));
    runSafely(inScope, "the nonce source's done()", settings.nonces);
  }

  #result(kind: AttemptResult['kind'], error: unknown): AttemptResult {
    return {
      kind,
      begun: this.#hadTurn || kind === 'provider',
      sent: this.#sent,
      status: this.#status,
      headers: this.#headers,
      body: this.#body,
      overtaken: this.#overtaken,
      error,
      exchange: this.#exchange,
    };
  }
}
