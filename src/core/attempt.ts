import type { Connection, Exchange, ExchangeListener, Loss } from '../transport/transport.js';
import { isBase64 } from './base64.js';
import { isOtp } from './call-options.js';
import type { Departure, Lane, Ticket } from './lane.js';
import type { Credentials } from './lanes.js';
import { ENDED, type Lifetime } from './lifetime.js';
import { drawNonce, wasOvertaken } from './nonce.js';
import { harmless } from './observe.js';
import type { ClientSettings } from './options.js';
import { isThenable, whenReady } from './platform.js';
import type { PreparedCall } from './prepare.js';
import { hmacSigner } from './signer.js';

/** What came of one attempt: a whole answer, or how it broke off (then with what had arrived of an answer). */
export interface AttemptResult {
  readonly kind: 'answer' | 'not_sent' | 'lost' | 'bystander' | 'too_slow' | 'too_large' | 'provider' | 'ended';
  /** It had its turn in the lane, or failed before it: false for a call that ended while it waited. */
  readonly begun: boolean;
  /** Bytes had begun to leave. */
  readonly sent: boolean;
  /** Status of the answer's head, if one arrived. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as far as it arrived. */
  readonly body: readonly Uint8Array[];
  /** A later nonce of the same API key had been issued before the answer came. */
  readonly overtaken: boolean;
  /** A refusal that closes a connection which others share: it may be about another one's request. */
  readonly doubtful: boolean;
  readonly error: unknown;
}

/** Where and how the attempts of one call are sent. */
export interface Route {
  readonly settings: ClientSettings;
  readonly lane: Lane;
  readonly credentials: Credentials;
  readonly lifetime: Lifetime;
  /** Texts that must never show, filled as they come to be: secrets, signatures, passwords. */
  readonly secrets: Set<string>;
}

/** A signer, nonce source, secret function or OTP provider failed. */
class ProviderFailure {
  constructor(
    readonly provider: string,
    readonly cause: unknown,
  ) {}
}

/** Sends the call once: OTP and secret → lane → nonce → sign → send → read body. Never rejects. */
export async function attemptOnce(call: PreparedCall, route: Route, alone: boolean): Promise<AttemptResult> {
  const attempt = new Attempt(call, route, alone);
  try {
    await attempt.provide();
  } catch (error) {
    return attempt.unsent(error);
  }
  const result = await attempt.run();
  return result.status === 401 && !result.overtaken ? attempt.askSource(result) : result;
}

/** What a provider's failure is called in an error's message, and its cause. */
export function providerFailure(error: unknown): { provider: string; cause: unknown } {
  return error instanceof ProviderFailure ? error : { provider: 'provider', cause: error };
}

class Attempt implements Ticket, ExchangeListener {
  readonly alone: boolean;
  readonly fragile: boolean;
  readonly unrepeated: boolean;
  readonly #call: PreparedCall;
  readonly #route: Route;
  readonly #headers: Record<string, string>;
  readonly #body: Uint8Array[] = [];
  #secret: string | undefined;
  /** Undefined until it is drawn. */
  #nonce: bigint | undefined;
  #exchange: Exchange | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Runs while nonce source and signer are asked. */
  #hangTimer: ReturnType<typeof setTimeout> | undefined;
  #settle: ((result: AttemptResult) => void) | undefined;
  #begun: (() => void) | undefined;
  #hadTurn = false;
  #pipelined = false;
  #sentAt = 0;
  #departed = false;
  #asked = '';
  #sent = false;
  #status: number | undefined;
  #responseHeaders: Readonly<Record<string, string>> = {};
  #size = 0;
  #overtaken = false;

  constructor(call: PreparedCall, route: Route, alone: boolean) {
    this.#call = call;
    this.#route = route;
    this.alone = alone;
    this.unrepeated = call.maxRetries === 0;
    this.fragile = call.write && (call.repeats === 'unkeyed' || this.unrepeated);
    this.#headers = { ...call.headers, 'api-key': route.credentials.apiKey };
  }

  /** Asks for what may take a person or a vault to give, before the lane is entered: nobody else waits for it. */
  async provide(): Promise<void> {
    const { credentials, secrets, settings } = this.#route;
    const { apiSecret } = credentials;
    this.#secret = typeof apiSecret === 'function' ? await this.#ask('apiSecret', apiSecret) : apiSecret;
    if (this.#secret !== undefined) secrets.add(this.#secret);
    if (typeof apiSecret === 'function' && !usableSecret(this.#secret, settings)) {
      throw new ProviderFailure('apiSecret', new TypeError('the apiSecret function must give base64 text'));
    }
    const { otp, operation } = this.#call;
    if (otp === undefined) return;
    const password = typeof otp === 'function' ? await this.#ask('otp', () => otp(operation)) : otp;
    if (!isOtp(password))
      throw new ProviderFailure('otp', new TypeError('the OTP provider must give non-empty printable text'));
    secrets.add(password);
    this.#headers['api-otp'] = password;
  }

  run(): Promise<AttemptResult> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#route.lifetime.onEnd(() => this.#end());
      if (this.#settle !== undefined) this.#route.lane.enter(this);
    });
  }

  unsent(error: unknown): AttemptResult {
    return this.#result(error === ENDED ? 'ended' : 'provider', error);
  }

  /** A refusal that this process cannot explain: a source that others share may know of a later nonce. */
  async askSource(result: AttemptResult): Promise<AttemptResult> {
    const { settings, credentials, lifetime, lane } = this.#route;
    const { nonces } = settings;
    if (nonces.overtaken === undefined || this.#nonce === undefined) return result;
    try {
      const asked = Promise.resolve(nonces.overtaken(credentials.apiKey, this.#nonce));
      if ((await lifetime.wait(asked)) !== true) return result;
    } catch {
      return result;
    }
    lane.countRace();
    return { ...result, overtaken: true };
  }

  // ---- the lane's side: nonce → sign → send ----

  begin(connection: Connection): void | PromiseLike<void> {
    this.#hadTurn = true;
    this.#pipelined = connection.pipelined;
    const sending = this.#guard(() => this.#drawAndSign(connection));
    if (!isThenable(sending)) return;
    return new Promise((resolve) => {
      this.#begun = resolve;
      sending.then(resolve);
      // A source that lets processes send in turn knows how long a turn may be waited for.
      if (this.#nonce !== undefined || this.#route.settings.nonces.done === undefined) this.#limitProviders();
    });
  }

  /** Everybody else on the lane waits for nonce source and signer. */
  #limitProviders(): void {
    const { attemptTimeout: milliseconds } = this.#call;
    const hung = new Error(`no answer within attemptTimeout (${milliseconds} ms)`);
    this.#hangTimer = setTimeout(() => this.#failBeforeSending(new ProviderFailure(this.#asked, hung)), milliseconds);
  }

  #drawAndSign(connection: Connection): void | PromiseLike<void> {
    const { settings, credentials } = this.#route;
    return whenReady(
      this.#named('nonce', () => drawNonce(settings.nonces, credentials.apiKey)),
      (nonce) => {
        this.#nonce = nonce;
        // The call ended while the source took its time.
        if (this.#departed) return this.#giveUpNonce();
        const text = String(nonce);
        const signing = this.#named('signer', () => settings.signer.sign(this.#signInput(text)));
        if (this.#begun !== undefined && this.#hangTimer === undefined && isThenable(signing)) this.#limitProviders();
        return whenReady(signing, (signature) => this.#send(connection, text, signature));
      },
    );
  }

  #signInput(nonce: string) {
    const { method, path, body } = this.#call;
    return { method, path, nonce, body, apiKey: this.#route.credentials.apiKey, apiSecret: this.#secret };
  }

  #send(connection: Connection, nonce: string, signature: string): void {
    clearTimeout(this.#hangTimer);
    if (this.#settle === undefined) return;
    if (typeof signature !== 'string' || !/^[\x21-\x7e]+$/.test(signature)) {
      throw new ProviderFailure('signer', new TypeError('the signer must give non-empty printable text'));
    }
    this.#route.secrets.add(signature);
    this.#headers['api-nonce'] = nonce;
    this.#headers['api-sign'] = signature;
    const { method, path, body, attemptTimeout } = this.#call;
    const request = { method, path, headers: this.#headers, body, stallTimeout: attemptTimeout };
    try {
      this.#exchange = connection.send(request, this);
    } catch (error) {
      // A transport of the caller's that breaks its promise never to throw.
      this.onError(error, this.#sent ? 'lost' : 'not_sent');
    }
  }

  /** Runs a step; its failure, now or later, ends the attempt and frees the lane. */
  #guard(step: () => void | PromiseLike<void>): void | PromiseLike<void> {
    const failed = (error: unknown) => this.#failBeforeSending(error);
    try {
      const running = step();
      return isThenable(running) ? running.then(undefined, failed) : running;
    } catch (error) {
      return failed(error);
    }
  }

  #failBeforeSending(error: unknown): void {
    this.#finish('provider', error);
    this.#depart('other');
    this.#begun?.();
  }

  async #ask<T>(provider: string, ask: () => T | Promise<T>): Promise<T> {
    const answer = this.#named(provider, ask);
    return isThenable(answer) ? this.#route.lifetime.wait(answer as PromiseLike<T>) : answer;
  }

  /** The provider's answer; its failure carries the provider's name. */
  #named<T>(provider: string, ask: () => T | PromiseLike<T>): T | PromiseLike<T> {
    this.#asked = provider;
    try {
      const answer = ask();
      if (!isThenable(answer)) return answer;
      return answer.then(undefined, (cause: unknown) => {
        throw new ProviderFailure(provider, cause);
      }) as PromiseLike<T>;
    } catch (cause) {
      throw new ProviderFailure(provider, cause);
    }
  }

  // ---- the connection's side: send → read body ----

  onSent(): void {
    this.#sent = true;
    this.#sentAt = performance.now();
    if (!this.#pipelined) this.onTurn();
  }

  onTurn(): void {
    if (this.#settle !== undefined) this.#timer = setTimeout(() => this.#tooSlow(), this.#call.attemptTimeout);
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    this.#responseHeaders = headers;
    const { settings, credentials } = this.#route;
    this.#overtaken = this.#nonce !== undefined && wasOvertaken(settings.nonces, credentials.apiKey, this.#nonce);
    if (Number(headers['content-length']) > settings.maxResponseBytes) this.#tooLarge();
  }

  onData(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    // Also an answer that is only drained must not go on for ever.
    if (this.#size > this.#route.settings.maxResponseBytes) this.#tooLarge();
    else if (this.#settle !== undefined) this.#body.push(chunk);
  }

  onEnd(): void {
    this.#finish('answer', undefined);
    this.#depart(this.#status === 401 && this.#overtaken ? 'race' : 'clean');
  }

  onError(error: unknown, loss: Loss): void {
    // With fetch only the failure tells whether there was a connection at all.
    if (loss === 'not_sent') this.#sent = false;
    const waited = performance.now() - this.#sentAt;
    if (loss === 'bystander' && waited >= this.#call.attemptTimeout) this.#finish('too_slow', undefined);
    else this.#finish(loss, error);
    this.#depart(loss === 'not_sent' ? 'other' : 'broken');
  }

  #tooSlow(): void {
    this.#finish('too_slow', undefined);
    this.#route.lane.heldUpBy(this);
    this.#exchange?.abandon(true);
  }

  #tooLarge(): void {
    this.#finish('too_large', undefined);
    this.#exchange?.destroy();
  }

  /** Abort or deadline: the call settles at once, whatever is still on the wire leaves the lane in its own time. */
  #end(): void {
    this.#finish('ended', undefined);
    if (this.#route.lane.withdraw(this)) return;
    if (this.#exchange !== undefined) this.#exchange.abandon(false);
    else this.#depart('other');
    this.#begun?.();
  }

  #finish(kind: AttemptResult['kind'], error: unknown): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    clearTimeout(this.#hangTimer);
    clearTimeout(this.#timer);
    this.#route.lifetime.onEnd(undefined);
    settle(this.#result(kind, error));
  }

  #depart(departure: Departure): void {
    if (this.#departed) return;
    this.#departed = true;
    this.#giveUpNonce();
    this.#route.lane.depart(this, departure);
  }

  /** A source that lets one process send at a time waits for this. */
  #giveUpNonce(): void {
    const { settings, credentials } = this.#route;
    const nonce = this.#nonce;
    if (nonce === undefined || settings.nonces.done === undefined) return;
    harmless(() => settings.nonces.done?.(credentials.apiKey, nonce));
  }

  /**
   * Node's HTTP server refuses what it cannot read (headers that are too large, say) as soon as it meets it, before it has answered what
   * came before on the connection: then the oldest request gets the refusal of a later one.
   */
  #closesOthers(): boolean {
    const status = this.#status ?? 0;
    if (status < 400 || status >= 500 || status === 429 || !this.#route.lane.sharesConnection(this)) return false;
    return /\bclose\b/i.test(this.#responseHeaders['connection'] ?? '');
  }

  #result(kind: AttemptResult['kind'], error: unknown): AttemptResult {
    return {
      kind,
      begun: kind !== 'ended' || this.#hadTurn,
      sent: this.#sent,
      status: this.#status,
      headers: this.#responseHeaders,
      body: this.#body,
      overtaken: this.#overtaken,
      doubtful: this.#closesOthers(),
      error,
    };
  }
}

/** The default signer decodes base64; a signer of the caller's may take another form. */
function usableSecret(secret: string | undefined, settings: ClientSettings): boolean {
  return typeof secret === 'string' && (settings.signer === hmacSigner ? isBase64(secret) : secret !== '');
}
