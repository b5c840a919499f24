import type { Answer, AttemptEnd, Flight, QueuedAttempt } from '../lane/queued-attempt.js';
import type { Turn } from '../lane/turn.js';
import type { PreparedCall } from '../request/prepare.js';
import { mustProvide, ProviderFailure, type Provisions, provide } from '../signing/credentials.js';
import { drawNonce, wasOvertaken } from '../signing/nonce.js';
import type { Exchange, ExchangeListener, Loss, Slot } from '../transport/connections.js';
import { Linked } from '../util/linked-list.js';
import { isThenable } from '../util/platform.js';
import { runSafely } from '../util/run-safely.js';
import { type Alarm, type Sleeper, setAlarm } from '../util/timers.js';
import type { Scope } from './call-events.js';
import { ENDED, type Wait } from './deadline.js';
import type { Route } from './route.js';

/** What came of one attempt: a whole answer, or how it broke off (then with what had arrived of an answer). */
export interface AttemptResult {
  readonly kind:
    | 'answer'
    | 'not_sent'
    | 'unprocessed'
    | 'lost'
    | 'bystander'
    | 'too_slow'
    | 'too_large'
    | 'provider'
    | 'ended';
  /** It had its turn in the lane, or failed before it: false for a call that ended, or was refused with others, while it waited. */
  readonly begun: boolean;
  /** Bytes had begun to leave, and the service may have begun with them. */
  readonly sent: boolean;
  /** Status of the answer's head, if one arrived. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as far as it arrived. */
  readonly body: readonly Uint8Array[];
  /** Refused with 401 when a later nonce of the same API key had been issued before the answer came. */
  readonly overtaken: boolean;
  readonly error: unknown;
  /** By which its connection can be distrusted; undefined when nothing was sent. */
  readonly exchange: Exchange | undefined;
}

/** Sends the call once: OTP and secret → lane → nonce → sign → send → read body. Never rejects. */
export function attemptOnce(route: Route): Promise<AttemptResult> {
  const attempt = new Attempt(route);
  const result = mustProvide(route) ? attempt.provideAndRun() : attempt.run();
  const { overtaken } = route.settings.nonces;
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

class Attempt extends Linked<QueuedAttempt> implements QueuedAttempt, Wait, Sleeper, ExchangeListener {
  readonly turn: Turn;
  queuedAt = 0;
  flight: Flight | undefined;
  readonly #route: Route;
  /** The context that the application's functions are called in; undefined: whatever is current. */
  readonly #scope: Scope | undefined;
  #provisions: Provisions | undefined;
  /** Undefined until it is drawn. */
  #nonce: bigint | undefined;
  #exchange: Exchange | undefined;
  #settle: ((result: AttemptResult) => void) | undefined;
  /** The provider that is asked in the lane. */
  #asked = '';
  /** While it takes its time. */
  #asking: Asking | undefined;
  #hadTurn = false;
  #startsAgain = 0;
  #departed = false;
  #sent = false;
  #dueAt: number | undefined;
  #alarm: Alarm | undefined;
  #overtaken = false;
  #status: number | undefined;
  #headers = NO_HEADERS;
  #body = NOTHING;
  #size = 0;

  constructor(route: Route) {
    super();
    this.#route = route;
    this.#scope = route.watch?.scope();
    this.turn = route.turn;
  }

  get #call(): PreparedCall {
    return this.#route.call;
  }

  /** When it takes too long: its time runs from when its bytes leave. */
  get dueAt(): number {
    return this.#dueAt ?? Number.POSITIVE_INFINITY;
  }

  get notRepeatable(): boolean {
    return this.#call.write && (this.#call.retrySafety === 'unkeyed' || this.#call.maxRetries === 0);
  }

  get withBody(): boolean {
    return this.#call.body !== undefined;
  }

  get answer(): Answer {
    return { status: this.#status, headers: this.#headers, body: this.#body };
  }

  get otherReasons(): number {
    return (this.#call.write ? 1 : 0) + (this.#provisions?.otp === undefined ? 0 : 1);
  }

  run(): Promise<AttemptResult> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#route.lifetime.during(this);
      if (this.#settle !== undefined) this.#route.lane.enter(this);
    });
  }

  async provideAndRun(): Promise<AttemptResult> {
    try {
      this.#provisions = await provide(this.#route);
    } catch (error) {
      return this.#result(error === ENDED ? 'ended' : 'provider', error);
    }
    return this.run();
  }

  /** A refusal that this process cannot explain: a source that others share may know of a later nonce. */
  async askSource(result: AttemptResult): Promise<AttemptResult> {
    const { settings, credentials, lifetime, lane } = this.#route;
    if (result.status !== 401 || result.overtaken || this.#nonce === undefined) return result;
    try {
      const asked = Promise.resolve(settings.nonces.overtaken?.(credentials.apiKey, this.#nonce));
      if ((await lifetime.wait(asked)) !== true) return result;
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
    if (this.#route.settings.nonces.done === undefined) this.#limitProviders();
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
    const { attemptTimeout: milliseconds } = this.#call;
    const hung = new Error(`no answer within attemptTimeout (${milliseconds} ms)`);
    if (this.#asking !== undefined) this.#asking.timer = setTimeout(() => this.#failBeforeSending(hung), milliseconds);
  }

  #drawNonce(): bigint | PromiseLike<bigint> {
    this.#asked = 'nonce';
    return drawNonce(this.#route.settings.nonces, this.#route.credentials.apiKey);
  }

  #sign(nonce: bigint): string | PromiseLike<string> {
    this.#asked = 'signer';
    const { settings, credentials } = this.#route;
    const { method, path, body } = this.#call;
    const { apiKey, apiSecret } = credentials;
    const secret = typeof apiSecret === 'function' ? this.#provisions?.secret : apiSecret;
    return settings.signer.sign({ method, path, nonce: String(nonce), body, apiKey, apiSecret: secret });
  }

  #send(slot: Slot, signature: string): void {
    clearTimeout(this.#asking?.timer);
    if (this.#settle === undefined) return;
    if (typeof signature !== 'string' || !/^[\x21-\x7e]+$/.test(signature)) {
      throw new TypeError('the signer must give non-empty printable text');
    }
    this.#route.keepSecret(signature);
    const { method, path, body } = this.#call;
    const headers = this.#headersWith(signature);
    this.#route.lane.starts(this);
    try {
      this.#exchange = slot.send({ method, path, headers, body }, this);
    } catch (error) {
      // A transport of the caller's that breaks its promise never to throw.
      this.onError(error, this.#sent ? 'lost' : 'not_sent');
    }
  }

  #headersWith(signature: string): Record<string, string> {
    const { headers: given, idempotencyKey } = this.#call;
    const { apiKey } = this.#route.credentials;
    const otp = this.#provisions?.otp;
    // What is spread comes last: a member added to a copy costs V8 a new hidden class. None of the given has a name of these (headers.ts).
    let headers: Record<string, string>;
    headers = { 'api-key': apiKey, 'api-nonce': String(this.#nonce), 'api-sign': signature, ...given };
    if (this.#call.body !== undefined) headers = { 'content-type': 'application/json', ...headers };
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
    const { attemptTimeout } = this.#call;
    this.#dueAt = performance.now() + attemptTimeout;
    this.#alarm = setAlarm(attemptTimeout, this);
  }

  /** A call that is over has told its end already. */
  #tellSent(): void {
    const { watch } = this.#route;
    if (watch === undefined || this.#settle === undefined) return;
    if (this.#scope === undefined) watch.sent();
    else this.#scope.runInAsyncScope(watch.sent, watch);
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#headers = headers;
    const { settings, credentials } = this.#route;
    if (status === 401 && this.#nonce !== undefined) {
      this.#overtaken = wasOvertaken(settings.nonces, credentials.apiKey, this.#nonce);
    }
    if (Number(headers['content-length']) > settings.maxResponseBytes) this.#tooLarge();
  }

  onData(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    // Also an answer that is only drained must not go on for ever.
    if (this.#size > this.#route.settings.maxResponseBytes) this.#tooLarge();
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
    this.#route.lane.startAgain(this);
  }

  onDue(): void {
    this.#finish('too_slow', undefined);
    this.#exchange?.abandon();
  }

  #tooLarge(): void {
    this.#finish('too_large', undefined);
    this.#exchange?.abandon();
  }

  /** Abort or deadline: the call settles at once, whatever is still on the wire leaves the lane in its own time. */
  onCallEnded(): void {
    this.#finish('ended', undefined);
    if (this.#route.lane.withdraw(this)) return;
    if (this.#exchange !== undefined) this.#exchange.abandon();
    else this.#depart('unsent');
    this.#asking?.over();
  }

  #finish(kind: AttemptResult['kind'], error: unknown): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    clearTimeout(this.#asking?.timer);
    this.#alarm?.off();
    this.#route.lifetime.during(undefined);
    settle(this.#result(kind, error));
  }

  #depart(end: AttemptEnd): void {
    if (this.#departed) return;
    this.#departed = true;
    this.#giveUpNonce();
    this.#route.lane.depart(this, end);
  }

  /** A source that lets one process send at a time waits for this. */
  #giveUpNonce(): void {
    const { settings, credentials } = this.#route;
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
