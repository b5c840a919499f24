import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Slot,
  TransportRequest,
  Way,
} from './connections.js';

/** Connections that the platform's `fetch`, or a user-supplied dispatcher, opens and closes. */
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

  /** Called before the listener of an exchange is told how it ended. */
  onExchangeEnded(): void {
    this.#concurrency.end();
  }

  /** Called after that: the listener may have taken the free place at once. */
  onUnclaimed(): void {
    if (this.#concurrency.inFlight + this.#reserved === this.#options.width - 1) this.#options.onReady();
  }

  async close(): Promise<void> {}

  protected abstract start(request: TransportRequest, listener: ExchangeListener): Exchange;
}

/** Assumed time after which the platform closes connections that it does not need. */
const FORGOTTEN_AFTER_MS = 4_000;

/** Guesses if an exchange opens a connection: it does if more are in flight than were lately. */
class Concurrency {
  inFlight = 0;
  #highest = 0;
  /** The highest count of the period before. */
  #highestBefore = 0;
  #since = performance.now();

  /** True if the next exchange is the first at its concurrency. */
  get rising(): boolean {
    this.#forget();
    return this.inFlight >= Math.max(this.#highest, this.#highestBefore);
  }

  begin(): void {
    this.inFlight++;
    if (this.inFlight > this.#highest) this.#highest = this.inFlight;
  }

  end(): void {
    this.inFlight--;
  }

  #forget(): void {
    const now = performance.now();
    const past = now - this.#since;
    if (past < FORGOTTEN_AFTER_MS) return;
    this.#highestBefore = past < 2 * FORGOTTEN_AFTER_MS ? this.#highest : this.inFlight;
    this.#highest = this.inFlight;
    this.#since = now;
  }
}
