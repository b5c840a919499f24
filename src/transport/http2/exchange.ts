import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Exchange, ExchangeListener, Loss } from '../connections.js';
import { joinValues } from '../join-values.js';
import type { Http2Session } from './session.js';

/** One exchange over a stream of its own. */
export class Http2Exchange implements Exchange {
  readonly #session: Http2Session;
  readonly #listener: ExchangeListener;
  #stream: ClientHttp2Stream | undefined;
  #hasHead = false;
  /** Bytes of the body, if the head says how many there are; else `NaN`. */
  #length = Number.NaN;
  #received = 0;
  /** What came before the head was told: Node tells of a head one step after it has read it, and of data at once. */
  #early: Uint8Array[] | undefined;
  #over = false;
  #error: Error | undefined;

  constructor(session: Http2Session, listener: ExchangeListener) {
    this.#session = session;
    this.#listener = listener;
  }

  /** Follows the stream that the request has been written to. */
  follow(stream: ClientHttp2Stream): void {
    this.#stream = stream;
    stream.on('response', (headers, flags) => this.#onHead(headers, flags));
    stream.on('data', (chunk: Uint8Array) => this.#onData(chunk));
    stream.on('end', () => this.#onEnd(stream));
    stream.on('error', (error) => {
      this.#error = error;
    });
    stream.on('close', () => this.#onClose(stream));
    this.#listener.onSent();
  }

  abandon(): void {
    if (this.#over) return;
    this.fail(new Error('abandoned'), 'lost');
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#session.onAbandoned();
  }

  distrust(): void {
    this.#session.retire();
  }

  fail(error: unknown, loss: Loss): void {
    if (this.#over) return;
    this.#over = true;
    queueMicrotask(() => {
      this.#session.onExchangeEnded(loss);
      this.#listener.onError(error, loss);
      this.#session.onUnclaimed();
    });
  }

  #onHead(headers: IncomingHttpHeaders, flags: number): void {
    if (this.#over) return;
    this.#hasHead = true;
    // The head of an answer without a body may say how long that would be (HEAD, 304).
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) this.#length = Number(headers['content-length']);
    this.#listener.onHead(Number(headers[':status']), joinValues(headers));
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const chunk of early) if (!this.#over) this.#listener.onData(chunk);
  }

  #onData(chunk: Uint8Array): void {
    if (this.#over) return;
    this.#received += chunk.byteLength;
    if (this.#hasHead) this.#listener.onData(chunk);
    else if (this.#early === undefined) this.#early = [chunk];
    else this.#early.push(chunk);
  }

  /**
   * No more data will come. Node tells this of a stream that was reset, too. If it was reset without an error, only the
   * length of the body shows that the answer is not whole.
   */
  #onEnd({ rstCode }: ClientHttp2Stream): void {
    if (this.#over || !this.#hasHead || rstCode !== constants.NGHTTP2_NO_ERROR || this.#received < this.#length) return;
    this.#over = true;
    this.#session.onExchangeEnded(undefined);
    this.#listener.onEnd();
    this.#session.onUnclaimed();
  }

  #onClose(stream: ClientHttp2Stream): void {
    if (this.#over) return;
    this.fail(this.#error ?? resetError(stream.rstCode), this.#session.lossOf(stream));
  }
}

/** Node gives no error for a stream that was cancelled, or ended before there was an answer. */
function resetError(code: number): Error {
  return Object.assign(new Error(`the stream was closed with code ${code} before its answer was whole`), {
    code: 'ERR_HTTP2_STREAM_ERROR',
  });
}
