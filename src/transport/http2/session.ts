import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { Linked, LinkedList } from '../../util/linked-list.js';
import { atLimit, soon } from '../../util/platform.js';
import type { Exchange, ExchangeListener, Loss, Slot, TransportRequest } from '../connections.js';
import { CONNECT_TIMEOUT_MS, endOfUse, noConnection } from '../connector.js';
import { decodeBody } from '../content-coding.js';
import { answerHeaders } from '../undici-exchange.js';
import { nodeHttp2, openSession, openStream, Silence } from './node-session.js';

/** A session without a stream is closed after this time. */
const IDLE_MS = 20_000;

/** A session begins no new streams after this many resets. Proxies end it after far more. */
const MAX_RESETS = 400;

/** Bytes that the service may send on all streams together ahead of what has been read. */
const SESSION_WINDOW_BYTES = 4 << 20;

/** `opening`: before the settings of the service. `draining`: no new streams begin. */
type State = 'opening' | 'open' | 'draining' | 'closed';

export interface SessionOwner {
  onOpen(session: Http2Session): void;
  /** Called when no new stream may begin on the session. */
  onDraining(session: Http2Session): void;
  /** Called when `reserve` may return a place, although it returned none before. */
  onFree(): void;
  /** Called when the session broke with several streams in flight, without a GOAWAY. */
  onBroken(): void;
  onClosed(session: Http2Session, end: SessionEnd, error: Error): void;
}

/**
 * The end of a session:
 *
 * - `unopened`: before the service had sent its settings.
 * - `unserved`: after that, by the service, before it had begun with a stream.
 * - `over`: in every other way.
 */
export type SessionEnd = 'unopened' | 'unserved' | 'over';

/** One HTTP/2 session, with a stream for each exchange. One TCP connection keeps their order. */
export class Http2Session implements Slot {
  /** Time after which it is replaced, in ms of `performance.now()`. */
  readonly endOfUse: number = endOfUse();
  readonly #owner: SessionOwner;
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #authority: string;
  readonly #width: number;
  #state: State = 'opening';
  #limit = 0;
  #reserved = 0;
  readonly #exchanges = new LinkedList<Http2Exchange>();
  /** Number of streams that have begun on it. */
  started = 0;
  #resets = 0;
  /** True once the service has begun with a stream. */
  #served = false;
  #error: Error | undefined;
  /** The highest stream that the service has begun with, once it has announced the end (GOAWAY). */
  #lastStream = Number.POSITIVE_INFINITY;
  /** Number of streams in flight when the session broke; 0 until then. */
  #broke = 0;
  /** Time of the last stream's end, in ms of `performance.now()`. */
  #quietSince = performance.now();
  readonly #silence: Silence;
  #timer: ReturnType<typeof setTimeout>;

  constructor(origin: string, socket: Socket, width: number, owner: SessionOwner) {
    this.#owner = owner;
    this.#socket = socket;
    this.#authority = new URL(origin).host;
    this.#width = width;
    this.#timer = setTimeout(() => atLimit(() => this.#giveUpOpening()), CONNECT_TIMEOUT_MS);
    this.#silence = new Silence(socket);
    this.#session = openSession(socket, origin);
    this.#session.on('remoteSettings', ({ maxConcurrentStreams = width }) => this.#onSettings(maxConcurrentStreams));
    this.#session.on('goaway', (code, lastStream) => this.#onGoaway(code, lastStream));
    this.#session.on('error', (error) => {
      this.#error = error;
    });
    this.#session.on('close', () => this.#end(this.#error ?? socket.errored ?? new Error('it was closed'), true));
  }

  get firstUse(): boolean {
    return this.started === 0;
  }

  get inFlight(): number {
    return this.#exchanges.size;
  }

  /** Number of streams that the service says it has begun with; undefined before a GOAWAY. */
  get announcedAfter(): number | undefined {
    return Number.isFinite(this.#lastStream) ? Math.min(this.started, (this.#lastStream + 1) / 2) : undefined;
  }

  /** True while the service may not have begun with one of its requests. */
  get awaitsHead(): boolean {
    return Array.from(this.#exchanges).some(({ hasHead }) => !hasHead);
  }

  /** Time in ms since its last stream ended; 0 while one is in flight. */
  quietFor(now: number): number {
    return this.inFlight + this.#reserved > 0 ? 0 : now - this.#quietSince;
  }

  reserve(): Slot | undefined {
    if (this.#state !== 'open' || this.inFlight + this.#reserved >= this.#limit) return undefined;
    this.#reserved++;
    return this;
  }

  release(): void {
    this.#reserved--;
    this.#owner.onFree();
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    this.#reserved--;
    if (this.inFlight === 0) this.#socket.ref();
    this.started++;
    this.#silence.onSent();
    const exchange = new Http2Exchange(this, listener);
    this.#exchanges.add(exchange);
    let stream: ClientHttp2Stream;
    try {
      stream = openStream(this.#session, this.#authority, request);
    } catch (error) {
      exchange.fail(error, this.#ending() ? 'not_started' : 'not_sent');
      return exchange;
    }
    exchange.follow(stream);
    return exchange;
  }

  /** Begins no new streams, and closes after the last one. */
  retire(): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#owner.onDraining(this);
    this.#closeIfDone();
  }

  /** Resolves when the session is closed. */
  close(reason: Error): Promise<void> {
    this.#end(reason, this.announcedAfter !== undefined);
    return new Promise((resolve) => {
      this.#session.once('close', resolve);
      this.#session.destroy();
      this.#socket.destroy();
    });
  }

  /** Called before the listener is told. `loss` is undefined for a response. */
  onExchangeEnded(exchange: Http2Exchange, loss: Loss | undefined): void {
    this.#exchanges.remove(exchange);
    if (loss !== 'unprocessed' && loss !== 'disowned' && loss !== 'not_started') this.#served = true;
    this.onHead();
    if (this.inFlight > 0) return;
    this.#quietSince = performance.now();
    this.#socket.unref();
    this.#closeIfDone();
  }

  /** The session that takes its place may wait for the last head. */
  onHead(): void {
    if (this.#state === 'draining') this.#owner.onFree();
  }

  /** Called after that: the listener may have taken the free place at once. */
  onUnclaimed(): void {
    if (this.inFlight + this.#reserved === this.#limit - 1) this.#owner.onFree();
  }

  /** An exchange has reset its stream. */
  onAbandoned(): void {
    if (this.#silence.long || ++this.#resets >= MAX_RESETS) this.retire();
  }

  /**
   * Returns the loss of a stream that broke, or ended with the session.
   *
   * @param isRefused True if it was closed with REFUSED_STREAM before a head.
   */
  lossOf({ id }: ClientHttp2Stream, isRefused: boolean): Loss {
    if (id === undefined) return 'not_started';
    // Node closes the streams of a session with the code of its GOAWAY, which may be the same one.
    if (!this.#ending()) return isRefused && this.announcedAfter === undefined ? 'unprocessed' : 'lost';
    // The first stream that is lost with the session still sees all the others in flight.
    if (this.#broke === 0) {
      this.#broke = this.inFlight;
      if (this.#broke > 1 && this.announcedAfter === undefined) this.#owner.onBroken();
    }
    return this.#broke > 1 ? 'bystander' : 'lost';
  }

  #onSettings(maxConcurrentStreams: number): void {
    const before = this.#limit;
    this.#limit = Math.min(this.#width, maxConcurrentStreams);
    if (this.#state === 'opening') {
      this.#state = 'open';
      clearTimeout(this.#timer);
      this.#quietSince = performance.now();
      this.#watchIdle();
      this.#session.setLocalWindowSize(SESSION_WINDOW_BYTES);
      this.#socket.unref();
      this.#owner.onOpen(this);
    } else if (this.#limit > before) this.#owner.onFree();
  }

  #giveUpOpening(): void {
    if (this.#state === 'opening') void this.close(new Error('the service sent no settings'));
  }

  #onGoaway(_code: number, lastStream: number): void {
    this.#lastStream = Math.min(this.#lastStream, lastStream);
    for (const exchange of this.#exchanges) exchange.onGoaway(lastStream);
    this.retire();
  }

  #end(error: Error, byService: boolean): void {
    if (this.#state === 'closed') return;
    clearTimeout(this.#timer);
    const unopened = this.#state === 'opening';
    this.#state = 'closed';
    if (unopened) this.#owner.onClosed(this, 'unopened', noConnection(error));
    else if (byService && !this.#served && this.inFlight === 0)
      this.#owner.onClosed(this, 'unserved', noConnection(error));
    else this.#owner.onClosed(this, 'over', error);
  }

  /** True once Node opens no new stream on the session. */
  #ending(): boolean {
    return this.#session.closed || this.#session.destroyed || this.#socket.destroyed;
  }

  #closeIfDone(): void {
    if (this.#state === 'draining' && this.inFlight + this.#reserved === 0)
      void this.close(new Error('it was no longer used'));
  }

  #watchIdle(): void {
    const left = IDLE_MS - this.quietFor(performance.now());
    if (left <= 0) {
      void this.close(new Error('it was idle for too long'));
      return;
    }
    this.#timer = setTimeout(() => this.#watchIdle(), left);
    this.#timer.unref?.();
  }
}

/** An exchange over one stream of an HTTP/2 session. */
class Http2Exchange extends Linked<Http2Exchange> implements Exchange {
  readonly decode = decodeBody;
  readonly #session: Http2Session;
  readonly #listener: ExchangeListener;
  #stream: ClientHttp2Stream | undefined;
  hasHead = false;
  /** Length of the body in bytes; `NaN` if the head does not say it. */
  #length = Number.NaN;
  #received = 0;
  /** Data before the head: Node emits data at once, and a head one step after it has read it. */
  #early: Uint8Array[] | undefined;
  #over = false;
  #error: Error | undefined;
  /** The loss that follows from a GOAWAY; undefined without one. */
  #announced: Loss | undefined;

  constructor(session: Http2Session, listener: ExchangeListener) {
    super();
    this.#session = session;
    this.#listener = listener;
  }

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
    this.#session.onAbandoned();
  }

  distrust(): void {
    this.#session.retire();
  }

  fail(error: unknown, loss: Loss): void {
    if (this.#over) return;
    this.#over = true;
    soon(() => {
      this.#session.onExchangeEnded(this, loss);
      this.#listener.onError(error, loss);
      this.#session.onUnclaimed();
    });
  }

  #onHead(headers: IncomingHttpHeaders, flags: number): void {
    if (this.#over) return;
    this.hasHead = true;
    this.#session.onHead();
    // A response without a body may still have a length (HEAD, 304).
    if ((flags & nodeHttp2().constants.NGHTTP2_FLAG_END_STREAM) === 0) this.#length = Number(headers['content-length']);
    this.#listener.onHead(Number(headers[':status']), answerHeaders(headers));
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const chunk of early) if (!this.#over) this.#listener.onData(chunk);
  }

  #onData(chunk: Uint8Array): void {
    if (this.#over) return;
    this.#received += chunk.byteLength;
    if (this.hasHead) this.#listener.onData(chunk);
    else if (this.#early === undefined) this.#early = [chunk];
    else this.#early.push(chunk);
  }

  /** Node emits `end` for a reset stream, too. Then only the length shows that data is missing. */
  #onEnd({ rstCode }: ClientHttp2Stream): void {
    if (
      this.#over ||
      !this.hasHead ||
      rstCode !== nodeHttp2().constants.NGHTTP2_NO_ERROR ||
      this.#received < this.#length
    )
      return;
    this.#over = true;
    this.#session.onExchangeEnded(this, undefined);
    this.#listener.onEnd();
    this.#session.onUnclaimed();
  }

  #onClose(stream: ClientHttp2Stream): void {
    if (this.#over) return;
    const cause = this.#error ?? resetError(stream.rstCode);
    if (this.#announced !== undefined) this.fail(goawayError(cause), this.#announced);
    else this.fail(cause, this.#lossOf(stream));
  }

  /** A service that has begun to respond has begun with the request, even if it then rejects it. */
  #lossOf(stream: ClientHttp2Stream): Loss {
    const isRefused = stream.rstCode === nodeHttp2().constants.NGHTTP2_REFUSED_STREAM && !this.hasHead;
    return this.#session.lossOf(stream, isRefused);
  }
}

function goawayError(cause: Error): Error {
  const message = 'the service ended the session (GOAWAY) and says that it has not begun with this request';
  return Object.assign(new Error(message, { cause }), { code: 'ERR_HTTP2_GOAWAY_SESSION' });
}

/** Node has no error for a stream that was cancelled, or that ended before the response. */
function resetError(code: number): Error {
  return Object.assign(new Error(`the stream was closed with code ${code} before its response was complete`), {
    code: 'ERR_HTTP2_STREAM_ERROR',
  });
}
