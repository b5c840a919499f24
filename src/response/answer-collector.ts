import type { DecodedBody, Exchange, ExchangeListener, Loss } from '../transport/connections.js';
import { ownMember } from '../util/members.js';
import { atLimit } from '../util/platform.js';

/** Stored of a body that is too large: its beginning shows whether the service has sent it. */
const BEGINNING_BYTES = 1_024;

export interface AnswerListener {
  onSent(): void;
  onHead(status: number): void;
  /** A limit has been reached, and the exchange was abandoned. */
  onLimit(kind: 'too_slow' | 'too_large'): void;
  onAnswered(): void;
  /** No complete response will arrive. */
  onBroken(error: unknown, loss: Loss): void;
}

/** Collects the response of one exchange, within limits of time and size. */
export class AnswerCollector implements ExchangeListener {
  status: number | undefined;
  headers: Readonly<Record<string, string>> = {};
  body: Uint8Array[] = [];
  /** Bytes had begun to leave. */
  sent = false;
  exchange: Exchange | undefined;
  readonly #listener: AnswerListener;
  readonly #attemptTimeout: number;
  readonly #maxBytes: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #size = 0;
  /** True if the head names a size above `maxResponseBytes`. */
  #isTooLarge = false;
  #stopped = false;

  /**
   * @param attemptTimeout In ms, from when the bytes leave to the end of the body.
   * @param maxBytes The most bytes of a body, as they arrive and decoded.
   */
  constructor(listener: AnswerListener, attemptTimeout: number, maxBytes: number) {
    this.#listener = listener;
    this.#attemptTimeout = attemptTimeout;
    this.#maxBytes = maxBytes;
  }

  /** The result is settled: the body is decoded as far as it arrived, the rest is only counted. */
  stop(): void {
    if (!this.#stopped) this.#settle();
  }

  onSent(): void {
    // While `send` still runs, the listener cannot abandon the exchange: the bytes surely leave.
    this.sent = this.exchange === undefined;
    this.#listener.onSent();
    this.sent = true;
    if (!this.#stopped) this.#timer = setTimeout(() => atLimit(() => this.#onTimeout()), this.#attemptTimeout);
  }

  onHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.headers = headers;
    this.#listener.onHead(status);
    this.#isTooLarge = Number(ownMember(headers, 'content-length')) > this.#maxBytes;
  }

  onData(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    const isTooLarge = this.#isTooLarge || this.#size > this.#maxBytes;
    const isFirst = this.body.length === 0;
    if (!this.#stopped && (isFirst || !isTooLarge))
      this.body.push(isTooLarge ? chunk.subarray(0, BEGINNING_BYTES) : chunk);
    if (isTooLarge) this.#limit('too_large');
  }

  onEnd(): void {
    const kind = this.#stopped ? 'whole' : this.#settle();
    if (kind === 'cut') {
      this.onError(new Error('its compressed body ends too early'), 'lost');
      return;
    }
    if (kind === 'too_large') this.#listener.onLimit('too_large');
    this.#listener.onAnswered();
  }

  onError(error: unknown, loss: Loss): void {
    // With `fetch`, only the failure shows that there was no connection.
    if (loss === 'not_started' || loss === 'not_sent' || loss === 'unprocessed') this.sent = false;
    // The attempt may start again, with another exchange.
    this.stop();
    this.#listener.onBroken(error, loss);
  }

  #onTimeout(): void {
    if (!this.#stopped) this.#limit('too_slow');
  }

  #settle(): DecodedBody['kind'] {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const decoded = this.exchange?.decode?.(this.body, this.headers, this.#maxBytes);
    if (decoded === undefined) return 'whole';
    this.body = decoded.body;
    return decoded.kind;
  }

  #limit(kind: 'too_slow' | 'too_large'): void {
    this.#listener.onLimit(kind);
    this.exchange?.abandon();
  }
}
