import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { Linked } from '../../util/linked-list.js';
import { soon } from '../../util/platform.js';
import type { Exchange, ExchangeListener, Loss } from '../connections.js';
import { decodeBody } from '../content-coding.js';
import { answerHeaders } from '../undici-exchange.js';
import { nodeHttp2 } from './node-session.js';

/** The part of a session that its exchanges use. */
interface ExchangeOwner {
  /** Called before the listener hears of the end. `loss` is undefined for an answer. */
  onExchangeEnded(exchange: Http2Exchange, loss: Loss | undefined): void;
  /** Called after that: the listener may have taken the free place at once. */
  onUnclaimed(): void;
  /** Called when an exchange has reset its stream. */
  onAbandoned(): void;
  /**
   * Returns the loss of a stream that broke, or ended with the session.
   *
   * @param isRefused True if it was closed with REFUSED_STREAM before a head.
   */
  lossOf(stream: ClientHttp2Stream, isRefused: boolean): Loss;
  /** Lets the session begin no new streams. */
  retire(): void;
}

/** An exchange over one stream of an HTTP/2 session. */
export class Http2Exchange extends Linked<Http2Exchange> implements Exchange {
  readonly decode = decodeBody;
  readonly #owner: ExchangeOwner;
  readonly #listener: ExchangeListener;
  #stream: ClientHttp2Stream | undefined;
  #hasHead = false;
  /** Length of the body in bytes; `NaN` if the head does not say it. */
  #length = Number.NaN;
  #received = 0;
  /** Data before the head: Node emits data at once, and a head one step after it has read it. */
  #early: Uint8Array[] | undefined;
  #over = false;
  #error: Error | undefined;
  /** The loss that follows from a GOAWAY; undefined without one. */
  #announced: Loss | undefined;

  constructor(owner: ExchangeOwner, listener: ExchangeListener) {
    super();
    this.#owner = owner;
    this.#listener = listener;
  }

  /** Follows the stream of the request. */
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

  /**
   * The service has announced the end of the session (GOAWAY). Called while Node reads the frame:
   * after that Node closes the later streams with REFUSED_STREAM, as if the service had reset each.
   *
   * @param lastStream The last stream that the service says it has begun with.
   */
  onGoaway(lastStream: number): void {
    const stream = this.#stream;
    // Node no longer has the state of a stream that has ended.
    if (stream?.id === undefined || stream.closed) return;
    // After a GOAWAY Node writes the head of no stream.
    if (stream.state.state === nodeHttp2().constants.NGHTTP2_STREAM_STATE_IDLE) this.#announced = 'unprocessed';
    else if (stream.id > lastStream) this.#announced ??= 'disowned';
  }

  abandon(): void {
    if (this.#over) return;
    this.fail(new Error('abandoned'), 'lost');
    this.#stream?.close(nodeHttp2().constants.NGHTTP2_CANCEL);
    this.#owner.onAbandoned();
  }

  distrust(): void {
    this.#owner.retire();
  }

  fail(error: unknown, loss: Loss): void {
    if (this.#over) return;
    this.#over = true;
    soon(() => {
      this.#owner.onExchangeEnded(this, loss);
      this.#listener.onError(error, loss);
      this.#owner.onUnclaimed();
    });
  }

  #onHead(headers: IncomingHttpHeaders, flags: number): void {
    if (this.#over) return;
    this.#hasHead = true;
    // An answer without a body may have a length all the same (HEAD, 304).
    if ((flags & nodeHttp2().constants.NGHTTP2_FLAG_END_STREAM) === 0) this.#length = Number(headers['content-length']);
    this.#listener.onHead(Number(headers[':status']), answerHeaders(headers));
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

  /** Node emits `end` for a reset stream, too. Then only the length shows that data is missing. */
  #onEnd({ rstCode }: ClientHttp2Stream): void {
    if (
      this.#over ||
      !this.#hasHead ||
      rstCode !== nodeHttp2().constants.NGHTTP2_NO_ERROR ||
      this.#received < this.#length
    )
      return;
    this.#over = true;
    this.#owner.onExchangeEnded(this, undefined);
    this.#listener.onEnd();
    this.#owner.onUnclaimed();
  }

  #onClose(stream: ClientHttp2Stream): void {
    if (this.#over) return;
    const cause = this.#error ?? resetError(stream.rstCode);
    if (this.#announced !== undefined) this.fail(goawayError(cause), this.#announced);
    else this.fail(cause, this.#lossOf(stream));
  }

  /** A service that has begun to answer has begun with the request, even if it then refuses it. */
  #lossOf(stream: ClientHttp2Stream): Loss {
    const isRefused = stream.rstCode === nodeHttp2().constants.NGHTTP2_REFUSED_STREAM && !this.#hasHead;
    return this.#owner.lossOf(stream, isRefused);
  }
}

function goawayError(cause: Error): Error {
  const message = 'the service ended the session (GOAWAY) and says that it has not begun with this request';
  return Object.assign(new Error(message, { cause }), { code: 'ERR_HTTP2_GOAWAY_SESSION' });
}

/** Node has no error for a stream that was cancelled, or that ended before the answer. */
function resetError(code: number): Error {
  return Object.assign(new Error(`the stream was closed with code ${code} before its answer was whole`), {
    code: 'ERR_HTTP2_STREAM_ERROR',
  });
}
