import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { LinkedList } from '../../util/linked-list.js';
import { atLimit } from '../../util/platform.js';
import type { Exchange, ExchangeListener, Loss, Slot, TransportRequest } from '../connections.js';
import { CONNECT_TIMEOUT_MS, noConnection } from '../connector.js';
import { Http2Exchange } from './exchange.js';
import { openSession, openStream } from './node-session.js';

/** A session without a stream is closed after this time. */
const IDLE_MS = 20_000;

/** A session begins no new streams after this many resets. Edges end it after far more. */
const MAX_RESETS = 400;

/** Bytes that the service may send on all streams together ahead of what has been read. */
const SESSION_WINDOW_BYTES = 4 << 20;

/** `opening`: before the settings of the service. `draining`: no new streams begin. */
type State = 'opening' | 'open' | 'draining' | 'closed';

export interface SessionOwner {
  onOpen(session: Http2Session): void;
  /** Called when no new stream may begin on the session. */
  onDraining(session: Http2Session): void;
  /** Called when `reserve` may give a place that it did not give before. */
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
 * - `over`: every other end.
 */
export type SessionEnd = 'unopened' | 'unserved' | 'over';

/** One HTTP/2 session, with a stream for each exchange. One TCP connection keeps their order. */
export class Http2Session implements Slot {
  readonly #owner: SessionOwner;
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #authority: string;
  readonly #width: number;
  #state: State = 'opening';
  #limit = 0;
  #reserved = 0;
  readonly #exchanges = new LinkedList<Http2Exchange>();
  #started = 0;
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
    return this.#started === 0;
  }

  get inFlight(): number {
    return this.#exchanges.size;
  }

  /** Number of streams that have begun on it. */
  get started(): number {
    return this.#started;
  }

  /** Number of streams that the service says it has begun with; undefined before a GOAWAY. */
  get announcedAfter(): number | undefined {
    return Number.isFinite(this.#lastStream) ? Math.min(this.#started, (this.#lastStream + 1) / 2) : undefined;
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
    this.#started++;
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

  onExchangeEnded(exchange: Http2Exchange, loss: Loss | undefined): void {
    this.#exchanges.remove(exchange);
    if (loss !== 'unprocessed' && loss !== 'disowned' && loss !== 'not_started') this.#served = true;
    if (this.inFlight > 0) return;
    this.#quietSince = performance.now();
    this.#socket.unref();
    this.#closeIfDone();
  }

  onUnclaimed(): void {
    if (this.inFlight + this.#reserved === this.#limit - 1) this.#owner.onFree();
  }

  onAbandoned(): void {
    if (this.#silence.long || ++this.#resets >= MAX_RESETS) this.retire();
  }

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

/** Nothing has arrived for this time while streams wait: the connection is likely to be dead. */
const SILENCE_MS = 1_000;

/** Measures for how long nothing has arrived on a connection since a request was sent over it. */
class Silence {
  readonly #socket: Socket;
  /** Bytes that had arrived when the first request since then was sent. */
  #bytesRead = 0;
  /** Time of that request, in ms of `performance.now()`. */
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A request is about to be sent. */
  onSent(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#bytesRead) return;
    this.#bytesRead = bytesRead;
    this.#since = performance.now();
  }

  /** True if nothing has arrived for `SILENCE_MS` since that request. */
  get long(): boolean {
    return this.#socket.bytesRead === this.#bytesRead && performance.now() - this.#since >= SILENCE_MS;
  }
}
