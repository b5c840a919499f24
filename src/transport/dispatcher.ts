import { soon } from '../util/platform.js';
import type { ConnectOptions, Exchange, ExchangeListener, Loss, TransportRequest } from './connections.js';
import { DelegatedConnections } from './delegated.js';
import { Dispatch, type UndiciDispatcher, UndiciExchange } from './undici-exchange.js';

/** Exchanges over a user-supplied undici dispatcher. It is never closed here. */
export class DispatcherConnections extends DelegatedConnections {
  readonly way = 'dispatcher';
  readonly #origin: string;
  readonly #dispatcher: UndiciDispatcher;

  constructor(origin: string, dispatcher: UndiciDispatcher, options: ConnectOptions) {
    super(options);
    this.#origin = origin;
    this.#dispatcher = dispatcher;
  }

  protected override start(request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new DispatcherExchange(this, listener);
    exchange.dispatch(this.#dispatcher, Object.assign(new Dispatch(request), { origin: this.#origin }));
    return exchange;
  }
}

/** An exchange over a user-supplied dispatcher. */
class DispatcherExchange extends UndiciExchange {
  readonly #connections: DispatcherConnections;

  constructor(connections: DispatcherConnections, listener: ExchangeListener) {
    super(listener);
    this.#connections = connections;
  }

  /** Ends the exchange at once: a dispatcher that ignores `abort` must not keep its place. */
  abandon(): void {
    const abandoned = new Error('the response is no longer wanted');
    if (this.progress === 'sent') this.controller?.abort(abandoned);
    this.fail(abandoned, this.lossNow());
  }

  protected override ended(): void {
    soon(() => {
      this.#connections.onExchangeEnded();
      this.emitEnd();
      this.#connections.onUnclaimed();
    });
  }

  protected override lossNow(): Loss {
    return this.progress === 'sent' ? 'lost' : 'not_sent';
  }
}
