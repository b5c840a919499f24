import { Bare } from '../util/members.js';
import type { Exchange, ExchangeListener, Loss, TransportRequest } from './connections.js';
import { joinValues } from './join-values.js';

/** The part of an undici dispatcher (`Agent`, `ProxyAgent`, `MockAgent`, …) that is used. */
export interface UndiciDispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** What undici is asked to send. It inherits nothing, since undici reads more names than these. */
export class Dispatch extends Bare {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly blocking = false;
  /** The lane's own deadlines bound heads and bodies. */
  readonly headersTimeout = 0;
  readonly bodyTimeout = 0;

  constructor({ method, path, headers, body }: TransportRequest) {
    super();
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
  }
}

/** undici's own handle of an exchange. */
interface UndiciController {
  abort(reason: Error): void;
}

/**
 * How far an exchange is. `waiting`: undici has it, no byte has left. `withdrawn`: abandoned while it waited, undici
 * has not dropped it yet. `sent`: bytes have left. `over`: its end is known.
 */
type Progress = 'waiting' | 'withdrawn' | 'sent' | 'over';

/** Follows one exchange as undici's handler. */
export abstract class UndiciExchange implements Exchange {
  protected progress: Progress = 'waiting';
  protected controller: UndiciController | undefined;
  readonly #listener: ExchangeListener;
  #error: unknown;
  /** Undefined for an exchange that was answered. */
  #loss: Loss | undefined;

  constructor(listener: ExchangeListener) {
    this.#listener = listener;
  }

  /** It has its whole answer. */
  get answered(): boolean {
    return this.progress === 'over' && this.#loss === undefined;
  }

  abstract abandon(): void;

  /** Is called once, when the end is known; `tell` must follow in a microtask. */
  protected abstract ended(): void;

  /** Returns how the exchange is lost when undici gives it up. */
  protected abstract lossNow(): Loss;

  /** Tells the listener how it ended. */
  tell(): void {
    if (this.#loss === undefined) this.#listener.onEnd();
    else this.#listener.onError(this.#error, this.#loss);
  }

  fail(error: unknown, loss: Loss): void {
    if (this.progress === 'over') return;
    this.progress = 'over';
    this.#error = error;
    this.#loss = loss;
    this.ended();
  }

  /** Hands the exchange to undici, if it has not failed before. */
  dispatch(dispatcher: UndiciDispatcher, options: Dispatch): void {
    if (this.progress === 'over') return;
    try {
      dispatcher.dispatch(options, this);
    } catch (error) {
      this.fail(error, this.lossNow());
    }
  }

  // ---- undici's handler ----

  onRequestStart(controller: UndiciController): void {
    // If this throws, no byte is written and the connection stays as it is. An abort would close it.
    if (this.progress === 'withdrawn') throw new Error('abandoned before it was sent');
    if (this.progress !== 'waiting') throw new Error('undici tried to send a request again with its old nonce');
    this.progress = 'sent';
    this.controller = controller;
    this.#listener.onSent();
  }

  onResponseStart(
    _controller: UndiciController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200 && this.progress === 'sent') this.#listener.onHead(status, joinValues(headers));
  }

  onResponseData(_controller: UndiciController, chunk: Uint8Array): void {
    if (this.progress === 'sent') this.#listener.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.progress === 'over') return;
    this.progress = 'over';
    this.ended();
  }

  onResponseError(_controller: UndiciController | undefined, error: Error): void {
    this.fail(error, this.lossNow());
  }
}
