import type { ExchangeListener, Loss } from '../connections.js';
import { UndiciExchange } from '../undici-exchange.js';

/** The part of a connection that its exchange uses. */
interface ExchangeOwner {
  /** Called when the end is known. The connection must call `emitEnd` in a later microtask. */
  onExchangeEnded(): void;
  /** Closes the connection: this exchange, which is over, got the answer to another request. */
  distrust(exchange: Http1Exchange): void;
  /** Returns the loss if undici gives the exchange up now. */
  lossOf(sent: boolean): Loss;
}

/** An exchange over an HTTP/1.1 connection of its own. */
export class Http1Exchange extends UndiciExchange {
  readonly #owner: ExchangeOwner;

  constructor(owner: ExchangeOwner, listener: ExchangeListener) {
    super(listener);
    this.#owner = owner;
  }

  /** True while no byte has left and the end is not known. */
  get waiting(): boolean {
    return this.progress === 'waiting' || this.progress === 'withdrawn';
  }

  abandon(): void {
    // undici drops a withdrawn exchange in the next turn of the loop, and the connection stays
    // open.
    if (this.progress === 'waiting') this.progress = 'withdrawn';
    else if (this.progress === 'sent') this.controller?.abort(new Error('the answer is not wanted any more'));
  }

  distrust(): void {
    this.#owner.distrust(this);
  }

  protected override ended(): void {
    this.#owner.onExchangeEnded();
  }

  protected override lossNow(): Loss {
    if (this.progress === 'withdrawn') return 'not_started';
    return this.#owner.lossOf(this.progress === 'sent');
  }
}
