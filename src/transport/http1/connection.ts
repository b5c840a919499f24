import type { Socket } from 'node:net';
import * as undici from 'undici';
import { Bare } from '../../util/members.js';
import { afterPolling } from '../../util/platform.js';
import type { Exchange, ExchangeListener, Loss, Slot, TransportRequest } from '../connections.js';
import { noConnection } from '../connector.js';
import { Dispatch } from '../undici-exchange.js';
import { Http1Exchange } from './exchange.js';

/**
 * Time in ms that a connection is kept for less than the service says (`Keep-Alive: timeout=n`). The service counts
 * from the moment at which it sent its answer, not from the one at which the answer arrived.
 */
const KEEP_ALIVE_MARGIN_MS = 500;

/** Time in ms in which a new connection that ends unused counts as one that could not be opened. */
const BARELY_OPEN_MS = 1_000;

/** What a connection tells its pool. */
export interface ConnectionOwner {
  /** The connection can be used for the first time. */
  onOpen(connection: Http1Connection): void;
  /** Nothing is in flight on it any more. Its last exchange is told of its end afterwards. */
  onIdle(connection: Http1Connection): void;
  /** The last exchange has been told of its end, and the place was not taken at once. */
  onUnclaimed(): void;
  /** It ends, because bytes arrived on it that no exchange had asked for. */
  onUnsolicited(): void;
  onClosed(connection: Http1Connection, closing: Closing): void;
}

/**
 * How a connection ended. `unopened`: before it could be used. `unused`: by the service, right after it had been
 * opened, and nothing was sent over it. `idle`: by the service, after an answer. `over`: in any other way.
 */
export interface Closing {
  readonly end: 'unopened' | 'unused' | 'idle' | 'over';
  readonly error: Error;
  /** Time in ms since it was opened or gave its last answer. */
  readonly quiet: number;
}

/** `reserved`: given to a caller who has not sent yet. */
type State = 'opening' | 'idle' | 'reserved' | 'busy' | 'closed';

/** One open HTTP/1.1 connection, which carries one exchange at a time: an undici `Client` that has this one socket. */
export class Http1Connection implements Slot {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #client: undici.Client;
  #state: State = 'opening';
  #used = false;
  #answered = false;
  #exchange: Http1Exchange | undefined;
  /** When it was opened or gave its last answer, in ms of `performance.now()`. */
  #idleSince = performance.now();
  /** Why it ended. */
  #error: Error | undefined;
  /** An answer on it was not for its request: what is in flight on it is lost for the sake of that exchange. */
  #distrusted = false;

  constructor(origin: string, socket: Socket, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#socket = socket;
    this.#client = new undici.Client(origin, this.#clientOptions());
    this.#client.on('disconnect', (_origin, _targets, error) => {
      if (isUnsolicited(error)) owner.onUnsolicited();
      this.#onDisconnect(error);
    });
    this.#prime();
  }

  /** Nothing was sent over this connection before. */
  get firstUse(): boolean {
    return !this.#used;
  }

  /** True if it is idle and still there. */
  get free(): boolean {
    return this.#state === 'idle' && !this.#socket.destroyed;
  }

  /** Time in ms since it was opened or gave its last answer. */
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
    if (this.#used) {
      // undici validates a used connection first: it writes in the next turn of the loop.
      exchange.dispatch(this.#client, new Dispatch(request));
    } else {
      // To a new one it would write at once, ahead of what was sent before over others.
      this.#used = true;
      afterPolling(() => exchange.dispatch(this.#client, new Dispatch(request)));
    }
    return exchange;
  }

  /** Closes the connection, because an exchange that is over was answered with what cannot be its answer. */
  distrust(exchange: Http1Exchange): void {
    if (this.#state === 'closed') return;
    this.#distrusted = this.#exchange !== exchange;
    void this.close(new Error('the connection was closed: an answer on it was not for its request'));
  }

  /** Resolves when the socket is closed. It never rejects. */
  close(reason: Error): Promise<void> {
    this.#end('over', reason);
    return this.#client.destroy(reason);
  }

  /** Returns how its exchange is lost when undici gives that up. */
  lossOf(sent: boolean): Loss {
    if (sent) return this.#distrusted ? 'bystander' : 'lost';
    // If the connection is there, the request itself is at fault: another connection would not help.
    return this.#state === 'closed' || this.#socket.destroyed ? 'not_started' : 'not_sent';
  }

  /**
   * The end of its exchange is known. undici counts its queue after it has told of an end: nothing may be sent before
   * that.
   */
  onExchangeEnded(): void {
    queueMicrotask(this.#settle);
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
      if (this.#socket.destroyed) this.#onDisconnect(new undici.errors.InformationalError('closed after its answer'));
      else this.#owner.onIdle(this);
    }
    exchange?.tell();
    if (this.#state === 'idle' || this.#state === 'closed') this.#owner.onUnclaimed();
  };

  #clientOptions(): undici.Client.Options {
    let taken = false;
    const connect: undici.buildConnector.connector = (_options, callback) =>
      queueMicrotask(() => {
        // A second connection would be one that nobody has checked: what undici wants to send over it has failed.
        if (taken) callback(noConnection(this.#error), null);
        else callback(null, this.#socket);
        taken = true;
      });
    return Object.assign(new Bare(), {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
      connect,
    });
  }

  /** undici takes its socket at its first request: this one makes it do so, and is dropped before a byte is written. */
  #prime(): void {
    const dropped = new Error('the connection is only to be taken');
    this.#client.dispatch(
      Object.assign(new Bare(), { method: 'GET', path: '/' }) as undici.Dispatcher.DispatchOptions,
      {
        onRequestStart: () => {
          throw dropped;
        },
        onResponseError: (_controller, error) => {
          if (error !== dropped) this.#onDisconnect(error);
          if (this.#state !== 'opening') return;
          this.#state = 'idle';
          this.#owner.onOpen(this);
        },
      },
    );
  }

  #onDisconnect(error: Error): void {
    if (this.#state === 'opening') this.#end('unopened', noConnection(error));
    else if (this.#inUse || error instanceof undici.errors.InformationalError) this.#end('over', error);
    else if (this.#answered) this.#end('idle', error);
    else if (this.quietFor(performance.now()) < BARELY_OPEN_MS) this.#end('unused', noConnection(error));
    else this.#end('over', error);
  }

  /** Bytes of an exchange have left, and its end is not known. */
  get #inUse(): boolean {
    return this.#state === 'busy' && this.#exchange?.waiting !== true;
  }

  #end(end: Closing['end'], error: Error): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#error = error;
    // An exchange that waits to be written is told before the owner: the owner may have to say that nothing can be
    // opened.
    if (this.#exchange?.waiting) this.#exchange.fail(error, 'not_started');
    this.#owner.onClosed(this, { end, error, quiet: this.quietFor(performance.now()) });
  }
}

/** undici closes a connection with this error if an answer begins on it while no request waits for one. */
function isUnsolicited(error: Error): boolean {
  return error.message === 'bad response';
}
