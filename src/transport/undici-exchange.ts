import type { Exchange, ExchangeListener, Loss, TransportRequest } from './connections.js';
import { decodeBody } from './content-coding.js';

/** The part of an undici dispatcher (`Agent`, `ProxyAgent`, `MockAgent`, …) that is used. */
export interface UndiciDispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** A request for undici. */
export class Dispatch {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly blocking = false;
  /** No time limits of undici: those of the call bound heads and bodies. */
  readonly headersTimeout = 0;
  readonly bodyTimeout = 0;

  constructor({ method, path, headers, body }: TransportRequest) {
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body;
  }
}

interface UndiciController {
  abort(reason: Error): void;
}

/**
 * The progress of an exchange:
 *
 * - `waiting`: undici has it, no byte has left.
 * - `withdrawn`: it was abandoned while it waited, and undici has not dropped it yet.
 * - `sent`: bytes have left.
 * - `over`: its end is known.
 */
type Progress = 'waiting' | 'withdrawn' | 'sent' | 'over';

const ABANDONED = 'abandoned before it was sent';

/** One request that undici sends, and the response that undici reads. */
export abstract class UndiciExchange implements Exchange {
  readonly decode = decodeBody;
  protected progress: Progress = 'waiting';
  protected controller: UndiciController | undefined;
  readonly #listener: ExchangeListener;
  #error: unknown;
  #loss: Loss | undefined;

  constructor(listener: ExchangeListener) {
    this.#listener = listener;
  }

  /** True if the complete response has arrived. */
  get answered(): boolean {
    return this.progress === 'over' && this.#loss === undefined;
  }

  abstract abandon(): void;

  /** Called once, when the end is known. It must call `emitEnd` in a later microtask. */
  protected abstract ended(): void;

  /** Returns the loss if undici gives up the exchange now. */
  protected abstract lossNow(): Loss;

  /** Tells the listener how the exchange ended. */
  emitEnd(): void {
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

  /** Hands the exchange to undici, unless it has failed or was abandoned before. */
  dispatch(dispatcher: UndiciDispatcher, options: Dispatch): void {
    if (this.progress === 'withdrawn') this.fail(new Error(ABANDONED), this.lossNow());
    if (this.progress === 'over') return;
    try {
      dispatcher.dispatch(options, this);
    } catch (error) {
      this.fail(error, this.lossNow());
    }
  }

  onRequestStart(controller: UndiciController): void {
    // If this throws, undici writes nothing and keeps the connection open. An abort would close it.
    if (this.progress === 'withdrawn') throw new Error(ABANDONED);
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
    if (status >= 200 && this.progress === 'sent') this.#listener.onHead(status, answerHeaders(headers));
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

type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Returns headers as `fetch` has them: names in lower case, values joined, no `:status`. */
export function answerHeaders(headers: Headers): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    joined[name.toLowerCase()] = typeof value === 'object' ? value.join(', ') : String(value);
  }
  return joined;
}
