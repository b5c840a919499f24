import type { ExchangeListener, Loss } from '../connections.js';
import { UndiciExchange } from '../undici-exchange.js';
import type { Http1Connection } from './connection.js';

/** An exchange over a connection of the pool. */
export class Http1Exchange extends UndiciExchange {
  readonly #connection: Http1Connection;

  constructor(connection: Http1Connection, listener: ExchangeListener) {
    super(listener);
    this.#connection = connection;
  }

  /** No byte of it has left yet, and its end is not known. */
  get waiting(): boolean {
    return this.progress === 'waiting' || this.progress === 'withdrawn';
  }

  abandon(): void {
    // undici drops it in the next turn of the loop, and the connection stays.
    if (this.progress === 'waiting') this.progress = 'withdrawn';
    else if (this.progress === 'sent') this.controller?.abort(new Error('the answer is not wanted any more'));
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
