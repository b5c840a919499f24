import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Slot,
  TransportRequest,
} from '../../../src/transport/connections.js';
import { createTransport } from '../../../src/transport/transport.js';

interface Held {
  readonly nonce: bigint;
  readonly isRepeat: boolean;
  readonly listener: ExchangeListener;
  /** What the service has answered; undefined before it has the request. */
  status: number | undefined;
}

/**
 * A network that holds every request and every answer until the test lets one go. So requests and
 * answers can arrive in every order.
 */
export class Adversary {
  readonly transport = createTransport('adversary', (_origin, options) => this.#connect(options));
  /** The service refuses the API key. */
  revoked = false;
  /** Requests that the service has taken. */
  accepted = 0;
  readonly nonces: bigint[] = [];
  /** How many were in flight when the first refusal was told, itself included. */
  inFlightAtFirstRefusal: number | undefined;
  readonly #held: Held[] = [];
  readonly #seen = new Set<string>();
  #onReady: () => void = () => {};
  #highest = -1n;

  get holdsNothing(): boolean {
    return this.#held.length === 0;
  }

  #connect({ width, onReady }: ConnectOptions): Connections {
    this.#onReady = onReady;
    const reserve = () => (this.#held.length < width ? this.#slot() : undefined);
    return { way: 'http1', open: width, reserve, close: async () => {} };
  }

  /**
   * Lets one message go.
   *
   * @param which Which of them, as a part of them all in the order in which they were sent.
   * @param delayRepeats A repeat waits until a later request has overtaken it, if there is one; then it goes at once.
   */
  release(which: number, delayRepeats: boolean): void {
    const among = delayRepeats ? this.#mostHarmful() : this.#held;
    const one = among[Math.floor(which * among.length)];
    if (one === undefined) return;
    if (one.status === undefined) one.status = this.#statusOf(one.nonce);
    else this.#answer(one, one.status);
  }

  #mostHarmful(): readonly Held[] {
    const repeats = this.#held.filter(({ isRepeat }) => isRepeat);
    const overtaken = repeats.filter(({ nonce }) => nonce < this.#highest);
    const others = this.#held.filter(({ isRepeat }) => !isRepeat);
    return overtaken.length > 0 ? overtaken : others.length > 0 ? others : repeats;
  }

  #answer(one: Held, status: number): void {
    if (status === 401) this.inFlightAtFirstRefusal ??= this.#held.length;
    this.#held.splice(this.#held.indexOf(one), 1);
    one.listener.onHead(status, {});
    one.listener.onEnd();
    this.#onReady();
  }

  #statusOf(nonce: bigint): number {
    this.nonces.push(nonce);
    if (this.revoked || nonce <= this.#highest) return 401;
    this.#highest = nonce;
    this.accepted++;
    return 200;
  }

  #slot(): Slot {
    return {
      firstUse: false,
      send: (request, listener) => this.#hold(request, listener),
      release: () => {},
    };
  }

  #hold({ path, headers }: TransportRequest, listener: ExchangeListener): Exchange {
    const isRepeat = this.#seen.has(path);
    this.#seen.add(path);
    this.#held.push({ nonce: BigInt(headers['api-nonce'] ?? ''), isRepeat, listener, status: undefined });
    listener.onSent();
    return { abandon: () => {} };
  }
}
