import { Concurrency } from './concurrency.js';
import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Slot,
  TransportRequest,
  Way,
} from './connections.js';

/** Connections that somebody else decides about: the platform's `fetch`, or a dispatcher of the caller's. */
export abstract class DelegatedConnections implements Connections, Slot {
  readonly open = undefined;
  abstract readonly way: Way;
  readonly #options: ConnectOptions;
  readonly #concurrency = new Concurrency();
  #reserved = 0;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  get firstUse(): boolean {
    return this.#concurrency.rising;
  }

  reserve(): Slot | undefined {
    if (this.#concurrency.inFlight + this.#reserved >= this.#options.width) return undefined;
    this.#reserved++;
    return this;
  }

  release(): void {
    this.#reserved--;
    this.#options.onReady();
  }

  send(request: TransportRequest, listener: ExchangeListener): Exchange {
    this.#reserved--;
    this.#concurrency.begin();
    return this.start(request, listener);
  }

  /** The exchange is over; its listener is told next. */
  onEnded(): void {
    this.#concurrency.end();
  }

  /** The listener has been told. */
  onTold(): void {
    if (this.#concurrency.inFlight + this.#reserved === this.#options.width - 1) this.#options.onReady();
  }

  async close(): Promise<void> {}

  protected abstract start(request: TransportRequest, listener: ExchangeListener): Exchange;
}
