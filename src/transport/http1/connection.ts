import type { Socket } from 'node:net';
import type * as undici from 'undici';
import { ConfigurationError } from '../../errors.js';
import { afterPolling, ifImmediateRuns, soon } from '../../util/platform.js';
import type { Exchange, ExchangeListener, Loss, Slot, TransportRequest } from '../connections.js';
import { endOfUse, noConnection } from '../connector.js';
import { Dispatch, UndiciExchange } from '../undici-exchange.js';
import { undiciParts } from './undici-parts.js';

/**
 * A connection is closed this long before the service would close it (`Keep-Alive: timeout=n`). The
 * service counts from when it sends its response, not from when it arrives.
 */
const KEEP_ALIVE_MARGIN_MS = 500;

/** A new connection that ends unused within this time counts as one that could not be opened. */
const BARELY_OPEN_MS = 1_000;

export interface ConnectionOwner {
  /** Called when nothing is in flight, before the listener is told how the exchange ended. */
  onIdle(connection: Http1Connection): void;
  /** Called after that, if the listener has not taken the place at once. */
  onUnclaimed(): void;
  /** Called when the connection closes because bytes arrived without a request. */
  onUnsolicited(): void;
  onClosed(connection: Http1Connection, closing: Closing): void;
}

/**
 * The end of a connection:
 *
 * - `unused`: by the service, right after the opening, before anything was sent.
 * - `idle`: by the service, after a response.
 * - `over`: in every other way.
 */
export interface Closing {
  readonly end: 'unused' | 'idle' | 'over';
  readonly error: Error;
  /** Time in ms since the connection was opened or gave its last response. */
  readonly quiet: number;
}

/** `reserved`: the lane has the place and has not sent yet. */
type State = 'idle' | 'reserved' | 'busy' | 'closed';

/** One HTTP/1.1 connection with one exchange at a time: an undici `Client` with one socket. */
export class Http1Connection implements Slot {
  /** Time after which it is replaced, in ms of `performance.now()`. */
  readonly endOfUse: number = endOfUse();
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #client: undici.Client;
  /** Undefined from the first request on: undici has taken the socket. */
  #unused: UnusedSocket | undefined;
  #state: State = 'idle';
  #answered = false;
  #exchange: Http1Exchange | undefined;
  /** Time of the opening or the last response, in ms of `performance.now()`. */
  #idleSince = performance.now();
  /** The reason of its end. */
  #error: Error | undefined;
  /** True if the connection closes because an earlier response was for another request. */
  #distrusted = false;

  constructor(origin: string, socket: Socket, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#socket = socket;
    this.#client = new (undiciParts().Client)(origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      connect: this.#handSocket,
    });
    this.#client.on('disconnect', (_origin, _targets, error) => {
      // undici sets no code on the error for a response that no request waits for. A test sends
      // such a response and would notice another message.
      if (error.message === 'bad response') owner.onUnsolicited();
      this.onDisconnect(error);
    });
    this.#unused = new UnusedSocket(socket, this);
  }

  get firstUse(): boolean {
    return this.#unused !== undefined;
  }

  /** True if the connection is idle and open. */
  get free(): boolean {
    return this.#state === 'idle' && !this.#socket.destroyed;
  }

  /** Time in ms since the connection was opened or gave its last response. */
  quietFor(now: number): number {
    return now - this.#idleSince;
  }

  reserve(): Slot {
    this.#state = 'reserved';
    return this;
  }

  release(): void {
    if (this.#state !== 'reserved') return;
    this.#state = 'idle';
    this.#owner.onIdle(this);
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new Http1Exchange(this, listener);
    this.#exchange = exchange;
    if (this.#state === 'reserved') this.#state = 'busy';
    const dispatch = () => exchange.dispatch(this.#client, new Dispatch(request));
    // undici validates a used connection first: it writes in the next turn of the loop. To a new
    // one it would write at once, ahead of requests that were sent earlier over other connections.
    if (this.#unused !== undefined) afterPolling(dispatch);
    else ifImmediateRuns(dispatch, () => exchange.fail(new ConfigurationError(FAKED_IMMEDIATE), 'not_sent'));
    return exchange;
  }

  distrust(exchange: Http1Exchange): void {
    if (this.#state === 'closed') return;
    this.#distrusted = this.#exchange !== exchange;
    this.close(new Error('the connection was closed: a response on it was not for its request'));
  }

  /**
   * Closes the connection. It does not wait for undici's promise, which a fake `queueMicrotask` of
   * a test would hold up: `Connector.close()` waits for the sockets.
   */
  close(reason: Error): void {
    this.#end('over', reason);
    this.#unused?.destroy(reason);
    void this.#client.destroy(reason);
  }

  lossOf(sent: boolean): Loss {
    if (sent) return this.#distrusted ? 'bystander' : 'lost';
    // On an open connection the request itself is at fault: another connection would not help.
    return this.#state === 'closed' || this.#socket.destroyed ? 'not_started' : 'not_sent';
  }

  /** undici updates its queue after it has reported the end. Nothing may be sent before that. */
  onExchangeEnded(): void {
    soon(this.#settle);
  }

  readonly #settle = (): void => {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (this.#state === 'busy') {
      this.#state = 'idle';
      if (exchange?.answered) {
        this.#answered = true;
        this.#idleSince = performance.now();
      }
      if (this.#socket.destroyed)
        this.onDisconnect(new (undiciParts().errors.InformationalError)('closed after its response'));
      else this.#owner.onIdle(this);
    }
    exchange?.emitEnd();
    if (this.#state === 'idle' || this.#state === 'closed') this.#owner.onUnclaimed();
  };

  /**
   * Hands the open socket to undici, which connects at its first request and writes it at once. If
   * undici asks a second time, the socket has closed, and the request fails: nothing has checked
   * another connection.
   */
  readonly #handSocket: undici.buildConnector.connector = (_options, callback) =>
    // undici waits forever for a callback that is called before its connector returns.
    soon(() => {
      const socket = this.#unused?.take();
      this.#unused = undefined;
      if (socket === undefined) callback(noConnection(this.#error), null);
      else callback(null, socket);
    });

  onUnsolicited(): void {
    this.#owner.onUnsolicited();
  }

  /** Called when the socket has ended, once or twice. */
  onDisconnect(error: Error): void {
    if (this.#inUse || error instanceof undiciParts().errors.InformationalError) this.#end('over', error);
    else if (this.#answered) this.#end('idle', error);
    else if (this.quietFor(performance.now()) < BARELY_OPEN_MS) this.#end('unused', noConnection(error));
    else this.#end('over', error);
  }

  /** True if bytes of an exchange have left and its end is not known. */
  get #inUse(): boolean {
    return this.#state === 'busy' && this.#exchange?.waiting !== true;
  }

  #end(end: Closing['end'], error: Error): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#error = error;
    // The exchange that waits to be written fails first. Then the owner may fail all others.
    if (this.#exchange?.waiting) this.#exchange.fail(error, 'not_started');
    this.#owner.onClosed(this, { end, error, quiet: this.quietFor(performance.now()) });
  }
}

const FAKED_IMMEDIATE =
  "a test has replaced setImmediate, which undici needs to send: leave it out of the fake timers, for example vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }), or use createTestClient(), which needs no timers";

/** An exchange over an HTTP/1.1 connection of its own. */
class Http1Exchange extends UndiciExchange {
  readonly #connection: Http1Connection;

  constructor(connection: Http1Connection, listener: ExchangeListener) {
    super(listener);
    this.#connection = connection;
  }

  /** True while no byte has left and the end is not known. */
  get waiting(): boolean {
    return this.progress === 'waiting' || this.progress === 'withdrawn';
  }

  abandon(): void {
    // undici drops a withdrawn exchange in the next turn of the loop, and the connection stays
    // open.
    if (this.progress === 'waiting') this.progress = 'withdrawn';
    else if (this.progress === 'sent') this.controller?.abort(new Error('the response is no longer wanted'));
  }

  distrust(): void {
    this.#connection.distrust(this);
  }

  protected override ended(): void {
    this.#connection.onExchangeEnded();
  }

  protected override lossNow(): Loss {
    if (this.progress === 'withdrawn') return 'not_started';
    return this.#connection.lossOf(this.progress === 'sent');
  }
}

/**
 * A connection that nothing was sent over is closed after this time, as undici closes an idle one.
 * Some load balancers send 408 over a connection that gets no request.
 */
const UNUSED_LIMIT_MS = 4_000;

/**
 * Watches an open socket from its opening until undici takes it, at the first request. It does not
 * keep the process running.
 */
class UnusedSocket {
  readonly #socket: Socket;
  readonly #connection: Http1Connection;
  readonly #timer: ReturnType<typeof setTimeout>;
  #error: Error | undefined;

  constructor(socket: Socket, connection: Http1Connection) {
    this.#socket = socket;
    this.#connection = connection;
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
    socket.unref();
    this.#timer = setTimeout(this.#onTimeout, UNUSED_LIMIT_MS);
    this.#timer.unref?.();
  }

  /** Ends the watch and returns the socket. If the socket has ended, it calls `onUnusedEnd`. */
  take(): Socket | undefined {
    const socket = this.#socket;
    if (socket.readableEnded) this.#onEnd();
    // Node emits `close` one turn of the event loop later.
    if (socket.destroyed) {
      this.#onClose();
      return undefined;
    }
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    clearTimeout(this.#timer);
    return socket.ref();
  }

  readonly destroy = (reason: Error): void => {
    this.#error ??= reason;
    this.#socket.destroy();
  };

  readonly #onReadable = (): void => {
    if (this.#socket.readableLength === 0 || this.#socket.destroyed) return;
    this.#connection.onUnsolicited();
    this.destroy(new Error('the service sent bytes before any request'));
  };

  readonly #onEnd = (): void => this.destroy(socketError('other side closed'));

  readonly #onTimeout = (): void => this.destroy(new (undiciParts().errors.InformationalError)('it was not used'));

  readonly #onClose = (): void => {
    clearTimeout(this.#timer);
    this.#connection.onDisconnect(this.#error ?? socketError('closed'));
  };

  readonly #listeners = [
    ['readable', this.#onReadable],
    ['end', this.#onEnd],
    ['error', this.destroy],
    ['close', this.#onClose],
  ] as const;
}

/** Returns the error that undici reports for the end of a used connection. */
const socketError = (message: string): Error => new (undiciParts().errors.SocketError)(message);
