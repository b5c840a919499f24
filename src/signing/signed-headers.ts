import type { PreparedCall } from '../request/prepare.js';
import { atLimit, isThenable } from '../util/platform.js';
import { runSafely } from '../util/run-safely.js';
import { type Credentials, ProviderFailure, type ResolvedCredentials } from './credentials.js';
import { type CoordinatedNonceSource, drawNonce, wasOvertaken } from './nonce.js';
import type { Signer } from './signer.js';

export type RequestHeaders = Record<string, string> & { readonly 'api-sign': string };

interface SigningSettings {
  readonly nonces: CoordinatedNonceSource;
  readonly signer: Signer;
}

/** The headers of one request: draws its nonce, signs it, and gives the nonce up at the end. */
export class SignedHeaders {
  readonly #call: PreparedCall;
  readonly #settings: SigningSettings;
  readonly #apiKey: string;
  readonly #apiSecret: string | undefined;
  readonly #otp: string | undefined;
  #nonce: bigint | undefined;
  #nonceText = '';
  #asked: ProviderFailure['provider'] = 'nonce';
  /** Fails headers that are being waited for. */
  #fail: ((failure: ProviderFailure) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** @param resolved Undefined when no function had to be asked. */
  constructor(
    call: PreparedCall,
    settings: SigningSettings,
    { apiKey, apiSecret }: Credentials,
    resolved: ResolvedCredentials | undefined,
  ) {
    this.#call = call;
    this.#settings = settings;
    this.#apiKey = apiKey;
    this.#apiSecret = typeof apiSecret === 'function' ? resolved?.apiSecret : apiSecret;
    this.#otp = resolved?.otp;
  }

  /**
   * A promise only while nonce source or signer take their time: `attemptTimeout` at most, because
   * the other calls of the API key wait for them.
   *
   * @throws ProviderFailure; the promise rejects with it as well.
   */
  make(): RequestHeaders | Promise<RequestHeaders> {
    try {
      const nonce = drawNonce(this.#settings.nonces, this.#apiKey);
      if (isThenable(nonce)) return this.#later(this.#drawSlowly(nonce));
      const signature = this.#sign(nonce);
      return isThenable(signature) ? this.#later(this.#signSlowly(signature)) : this.#headersWith(signature);
    } catch (error) {
      throw new ProviderFailure(this.#asked, error);
    }
  }

  /**
   * Called when the request is over, or is not sent. A source that processes share waits for it.
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#fail?.(new ProviderFailure(this.#asked, REQUEST_OVER));
    if (this.#nonce !== undefined) this.#giveUp(this.#nonce);
  }

  get wasOvertaken(): boolean {
    return this.#nonce !== undefined && wasOvertaken(this.#settings.nonces, this.#apiKey, this.#nonce);
  }

  /** True when the source knows of a later nonce: other processes may share the source. */
  async wasOvertakenElsewhere(): Promise<boolean> {
    if (this.#nonce === undefined) return false;
    return (await this.#settings.nonces.overtaken?.(this.#apiKey, this.#nonce)) === true;
  }

  #sign(nonce: bigint): string | PromiseLike<string> {
    this.#nonce = nonce;
    this.#nonceText = String(nonce);
    this.#asked = 'signer';
    const { operation, path, body } = this.#call;
    return this.#settings.signer.sign({
      method: operation.method,
      path,
      nonce: this.#nonceText,
      body,
      apiKey: this.#apiKey,
      apiSecret: this.#apiSecret,
    });
  }

  #headersWith(signature: string): RequestHeaders {
    if (typeof signature !== 'string' || !/^[\x21-\x7e]+$/.test(signature)) {
      throw new TypeError('the signer must return a non-empty printable string');
    }
    const { body, headers, idempotencyKey } = this.#call;
    const signed: RequestHeaders = {
      'api-key': this.#apiKey,
      'api-nonce': this.#nonceText,
      'api-sign': signature,
      // Without it a server or proxy may choose any coding (RFC 9110 §12.5.3).
      'accept-encoding': 'identity',
      ...headers,
    };
    if (body !== undefined) signed['content-type'] = 'application/json';
    if (idempotencyKey !== undefined) signed['idempotency-key'] = idempotencyKey;
    if (this.#otp !== undefined) signed['api-otp'] = this.#otp;
    return signed;
  }

  #later(making: Promise<RequestHeaders>): Promise<RequestHeaders> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      making
        .finally(() => clearTimeout(this.#timer))
        .then(resolve, (error: unknown) => reject(new ProviderFailure(this.#asked, error)));
    });
  }

  async #drawSlowly(drawing: PromiseLike<bigint>): Promise<RequestHeaders> {
    // A source that lets processes send in turn limits the wait for a turn itself.
    if (this.#settings.nonces.done === undefined) this.#limitTime();
    const nonce = await drawing;
    if (this.#closed) {
      this.#giveUp(nonce);
      throw REQUEST_OVER;
    }
    const signature = this.#sign(nonce);
    return isThenable(signature) ? this.#signSlowly(signature) : this.#headersWith(signature);
  }

  async #signSlowly(signing: PromiseLike<string>): Promise<RequestHeaders> {
    if (this.#timer === undefined) this.#limitTime();
    return this.#headersWith(await signing);
  }

  #limitTime(): void {
    const { attemptTimeout } = this.#call;
    const hung = new Error(`no response within attemptTimeout (${attemptTimeout} ms)`);
    const giveUp = () => this.#fail?.(new ProviderFailure(this.#asked, hung));
    // The response of a remote signer, or of Redis, may be in its socket.
    this.#timer = setTimeout(() => atLimit(giveUp), attemptTimeout);
  }

  #giveUp(nonce: bigint): void {
    const { nonces } = this.#settings;
    if (nonces.done === undefined) return;
    runSafely(() => nonces.done?.(this.#apiKey, nonce), "the nonce source's done()", nonces);
  }
}

/** The end of headers that no attempt waits for. */
const REQUEST_OVER = new Error('the request is over');
