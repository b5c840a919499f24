import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import { hidePollution } from '../../util/members.js';
import type { Exchange, ExchangeListener, Loss, Slot, TransportRequest } from '../connections.js';
import { CONNECT_TIMEOUT_MS, noConnection } from '../connector.js';
import { Http2Exchange } from './exchange.js';
import { http2Headers } from './headers.js';
import { Silence } from './silence.js';

/** Time in ms after which a session without a stream is closed. */
const IDLE_MS = 20_000;

/**
 * A session that has reset so many streams is not used again: edges end one that resets far more, with all that is in
 * flight on it.
 */
const MAX_RESETS = 400;

/** Bytes that the service may send on one stream ahead of what has been read. Answers are read at once. */
const STREAM_WINDOW_BYTES = 1 << 20;

/** Bytes that the service may send on all streams ahead of what has been read. */
const SESSION_WINDOW_BYTES = 4 << 20;

/** `opening`: the service has not sent its settings. `draining`: no new streams, the old ones may end. */
type State = 'opening' | 'open' | 'draining' | 'closed';

/** What a session tells its owner. */
export interface SessionOwner {
  onOpen(session: Http2Session): void;
  /** No new stream begins on it. */
  onDraining(session: Http2Session): void;
  /** `reserve` may give a place that it did not give before. */
  onFree(): void;
  /** It broke with several streams in flight, and the service had not announced it. */
  onBroken(): void;
  onClosed(session: Http2Session, end: SessionEnd, error: Error): void;
}

/**
 * How a session ended: `unopened` before the service had sent its settings; `unserved` after that, by the service,
 * which had not begun with any stream; `over` in any other way.
 */
export type SessionEnd = 'unopened' | 'unserved' | 'over';

/** One HTTP/2 session: a stream for each exchange, in the order of one TCP connection. */
export class Http2Session implements Slot {
  readonly #owner: SessionOwner;
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #authority: string;
  readonly #width: number;
  #state: State = 'opening';
  #limit = 0;
  #reserved = 0;
  #inFlight = 0;
  #started = 0;
  #resets = 0;
  /** The service has begun with a stream. */
  #served = false;
  #error: Error | undefined;
  /** The highest stream that the service says it has begun with, once it has announced the end (GOAWAY). */
  #lastStream = Number.POSITIVE_INFINITY;
  /** Streams that were in flight when the session broke; 0 until then. */
  #broke = 0;
  /** When the last stream ended, in ms of `performance.now()`. */
  #quietSince = performance.now();
  readonly #silence: Silence;
  #timer: ReturnType<typeof setTimeout>;

  constructor(origin: string, socket: Socket, width: number, owner: SessionOwner) {
    this.#owner = owner;
    this.#socket = socket;
    this.#authority = new URL(origin).host;
    this.#width = width;
    this.#timer = setTimeout(() => void this.close(new Error('the service sent no settings')), CONNECT_TIMEOUT_MS);
    this.#silence = new Silence(socket);
    this.#session = sessionOver(socket, origin);
    this.#session.on('remoteSettings', ({ maxConcurrentStreams = width }) => this.#onSettings(maxConcurrentStreams));
    this.#session.on('goaway', (code, lastStream) => this.#onGoaway(code, lastStream));
    this.#session.on('error', (error) => {
      this.#error = error;
    });
    this.#session.on('close', () => this.#end(this.#error ?? socket.errored ?? new Error('it was closed'), true));
  }

  /** Streams may begin on it, if one of its places is free. */
  get open(): boolean {
    return this.#state === 'open';
  }

  /** Nothing was sent over this session before. */
  get firstUse(): boolean {
    return this.#started === 0;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many streams have begun on it. */
  get started(): number {
    return this.#started;
  }

  /** How many streams the service has begun with, if it has announced the end. */
  get announcedAfter(): number | undefined {
    return Number.isFinite(this.#lastStream) ? Math.min(this.#started, (this.#lastStream + 1) / 2) : undefined;
  }

  /** Time in ms since its last stream ended; 0 while one is in flight. */
  quietFor(now: number): number {
    return this.#inFlight + this.#reserved > 0 ? 0 : now - this.#quietSince;
  }

  reserve(): Slot | undefined {
    if (this.#state !== 'open' || this.#inFlight + this.#reserved >= this.#limit) return undefined;
    this.#reserved++;
    return this;
  }

  release(): void {
    this.#reserved--;
    this.#owner.onFree();
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    this.#reserved--;
    if (this.#inFlight++ === 0) this.#socket.ref();
    this.#started++;
    this.#silence.onSent();
    const exchange = new Http2Exchange(this, listener);
    let stream: ClientHttp2Stream;
    try {
      stream = write(this.#session, http2Headers(request, this.#authority), request.body);
    } catch (error) {
      exchange.fail(error, this.#ending() ? 'not_started' : 'not_sent');
      return exchange;
    }
    exchange.follow(stream);
    return exchange;
  }

  /** Begins no new streams. It is closed after the last one. */
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

  // ---- what its exchanges tell ----

  /** @param loss Undefined for one that was answered. */
  onExchangeEnded(loss: Loss | undefined): void {
    this.#inFlight--;
    if (loss !== 'unprocessed' && loss !== 'not_started') this.#served = true;
    if (this.#inFlight > 0) return;
    this.#quietSince = performance.now();
    this.#socket.unref();
    this.#closeIfDone();
  }

  /** The listener of the exchange has been told. */
  onUnclaimed(): void {
    if (this.#inFlight + this.#reserved === this.#limit - 1) this.#owner.onFree();
  }

  /** A stream was given up, and reset. If nothing at all arrives, the connection is likely to be dead. */
  onAbandoned(): void {
    if (this.#silence.long || ++this.#resets >= MAX_RESETS) this.retire();
  }

  /** Returns how a stream is lost that ended before its answer was whole. */
  lossOf({ id, rstCode }: ClientHttp2Stream): Loss {
    if (id === undefined) return 'not_started';
    if (id > this.#lastStream || rstCode === constants.NGHTTP2_REFUSED_STREAM) return 'unprocessed';
    if (!this.#ending()) return 'lost';
    // The first one that is lost with the session sees all the others that are.
    if (this.#broke === 0) {
      this.#broke = this.#inFlight;
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

  #onGoaway(_code: number, lastStream: number): void {
    this.#lastStream = Math.min(this.#lastStream, lastStream);
    this.retire();
  }

  #end(error: Error, byService: boolean): void {
    if (this.#state === 'closed') return;
    clearTimeout(this.#timer);
    const unopened = this.#state === 'opening';
    this.#state = 'closed';
    if (unopened) this.#owner.onClosed(this, 'unopened', noConnection(error));
    else if (byService && !this.#served && this.#inFlight === 0)
      this.#owner.onClosed(this, 'unserved', noConnection(error));
    else this.#owner.onClosed(this, 'over', error);
  }

  #ending(): boolean {
    return this.#session.closed || this.#session.destroyed || this.#socket.destroyed;
  }

  #closeIfDone(): void {
    if (this.#state === 'draining' && this.#inFlight + this.#reserved === 0)
      void this.close(new Error('it was not used any more'));
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

function sessionOver(socket: Socket, origin: string): ClientHttp2Session {
  const putBack = hidePollution();
  try {
    return connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
  } finally {
    putBack?.();
  }
}

function write(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body: Uint8Array | undefined,
): ClientHttp2Stream {
  const putBack = hidePollution();
  try {
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    return stream;
  } finally {
    putBack?.();
  }
}
