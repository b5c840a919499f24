import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Slot,
  Transport,
  TransportRequest,
  Way,
} from '../../../src/transport/transport.js';
import type { VirtualClock } from './virtual-clock.js';

/** A number from 0 up to, but not including, 1. */
export type Random = () => number;

/** A way between client and edge. */
export interface Link {
  /** Time in ms that every message takes. */
  readonly latency: number;
  /** Time in ms that a message takes beyond that, drawn for each one. A connection keeps the order of its own messages. */
  readonly jitter: (random: Random) => number;
  /** The share of requests that are lost with their connection. */
  readonly loss?: number;
}

/** What stands before the service. */
export interface Edge {
  /** HTTP/2 is one session for all; `http1`, connections that the client opens; `fetch`, connections that open while a request waits. */
  readonly way: 'http2' | 'http1' | 'fetch';
  /** Requests of one connection are handled one after the other, each when the one before it is answered; else together. */
  readonly inTurn?: boolean;
  /** Time in ms until a request goes on to the service, drawn for each one: edges that hand requests to workers shuffle them. */
  readonly handling?: (random: Random, withBody: boolean) => number;
  /** Time in ms that the first use of a connection takes beyond that. */
  readonly firstUse?: (random: Random) => number;
}

/** The service behind it. */
export interface Service {
  /** Time in ms that an answer takes. A refusal takes none. */
  readonly answerTime: (random: Random) => number;
  /** It refuses nonces that are not above all that it has seen. */
  readonly ordered: boolean;
  /** It refuses this key. */
  readonly revoked?: boolean;
}

/** Time in ms until a connection is open, beyond the round trip. */
const OPENING_MS = 2;

/** So many connections are opened at once. */
const OPENING_AT_ONCE = 4;

interface Line {
  uses: number;
  inFlight: number;
  /** When the last message on it arrives there, and here: later ones arrive no sooner. */
  arrives: number;
  returns: number;
  /** Where the edge handles them in turn: the one that it handles, and those behind it. */
  readonly unhandled: (() => void)[];
}

/** A network with an edge and a service in virtual time, as a lane's transport. */
export class SimulatedNetwork implements Transport {
  readonly name = 'simulated';
  readonly nonces: bigint[] = [];
  /** Requests that reached the service, and those that it refused. */
  arrived = 0;
  refused = 0;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #link: Link;
  readonly #edge: Edge;
  readonly #service: Service;
  #highest = -1n;

  constructor(
    clock: VirtualClock,
    random: Random,
    { link, edge, service }: { link: Link; edge: Edge; service: Service },
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#link = link;
    this.#edge = edge;
    this.#service = service;
  }

  connect(_origin: string, options: ConnectOptions): Connections {
    return new SimulatedConnections(this, this.#clock, this.#edge.way, this.#link.latency, options);
  }

  /** Carries one request there and its answer back. */
  carry(
    line: Line,
    { headers, body }: TransportRequest,
    listener: ExchangeListener,
    done: (lost: boolean) => void,
  ): void {
    const lost = this.#random() < (this.#link.loss ?? 0);
    const firstUse = line.uses++ === 0 ? (this.#edge.firstUse?.(this.#random) ?? 0) : 0;
    line.arrives = Math.max(line.arrives, this.#clock.now() + firstUse + this.#delay());
    listener.onSent();
    if (lost) {
      this.#clock.at(line.arrives, () => {
        done(true);
        listener.onError(new Error('connection reset'), 'lost');
      });
      return;
    }
    const nonce = BigInt(headers['api-nonce'] ?? '');
    const handle = () => {
      const handling = this.#edge.handling?.(this.#random, body !== undefined) ?? 0;
      this.#clock.at(this.#clock.now() + handling, () => this.#serve(line, nonce, listener, done));
    };
    this.#clock.at(line.arrives, () => {
      if (this.#edge.inTurn !== true) handle();
      else if (line.unhandled.push(handle) === 1) handle();
    });
  }

  #serve(line: Line, nonce: bigint, listener: ExchangeListener, done: (lost: boolean) => void): void {
    const status = this.#judge(nonce);
    const answerTime = status === 200 ? this.#service.answerTime(this.#random) : 0;
    this.#clock.at(this.#clock.now() + answerTime, () => {
      line.returns = Math.max(line.returns, this.#clock.now() + this.#delay());
      this.#clock.at(line.returns, () => {
        done(false);
        listener.onHead(status, {});
        listener.onEnd();
      });
      line.unhandled.shift();
      line.unhandled[0]?.();
    });
  }

  #delay(): number {
    return this.#link.latency + this.#link.jitter(this.#random);
  }

  #judge(nonce: bigint): number {
    this.nonces.push(nonce);
    this.arrived += 1;
    const { ordered, revoked } = this.#service;
    if (revoked === true || (ordered && nonce <= this.#highest)) {
      this.refused += 1;
      return 401;
    }
    this.#highest = nonce;
    return 200;
  }
}

class SimulatedConnections implements Connections {
  readonly way: Way;
  readonly #network: SimulatedNetwork;
  readonly #clock: VirtualClock;
  readonly #latency: number;
  readonly #options: ConnectOptions;
  /** Open and free, the one that was used last at the end. */
  readonly #free: Line[] = [];
  #open = 0;
  #opening = 0;
  /** The session that all share over HTTP/2. */
  #session: Line | undefined;

  constructor(network: SimulatedNetwork, clock: VirtualClock, way: Way, latency: number, options: ConnectOptions) {
    this.#network = network;
    this.#clock = clock;
    this.way = way;
    this.#latency = latency;
    this.#options = options;
  }

  get open(): number {
    return this.#open;
  }

  reserve(waiting: number, _fragile: boolean): Slot | undefined {
    if (this.way === 'http2') return this.#reserveStream();
    const line = this.#free.pop() ?? (this.way === 'fetch' ? newLine() : undefined);
    if (line !== undefined) return this.#slot(line);
    this.#openSome(waiting);
    return undefined;
  }

  async close(): Promise<void> {}

  #reserveStream(): Slot | undefined {
    if (this.#session !== undefined) return this.#slot(this.#session);
    if (this.#opening === 0)
      this.#openOne((line) => {
        this.#session = line;
      });
    return undefined;
  }

  #openSome(waiting: number): void {
    const wanted = Math.min(waiting, this.#options.width - this.#open) - this.#opening;
    for (let count = Math.min(wanted, OPENING_AT_ONCE - this.#opening); count > 0; count--) {
      this.#openOne((line) => this.#free.push(line));
    }
  }

  #openOne(opened: (line: Line) => void): void {
    this.#opening += 1;
    this.#clock.at(this.#clock.now() + 2 * this.#latency + OPENING_MS, () => {
      this.#opening -= 1;
      this.#open += 1;
      opened(newLine());
      this.#options.onReady();
    });
  }

  #slot(line: Line): Slot {
    line.inFlight += 1;
    return {
      firstUse: line.uses === 0,
      send: (request, listener): Exchange => {
        this.#network.carry(line, request, listener, (lost) => this.#done(line, lost));
        return { abandon() {} };
      },
      release: () => this.#done(line, false),
    };
  }

  #done(line: Line, lost: boolean): void {
    line.inFlight -= 1;
    if (lost) {
      if (this.#session === line) this.#session = undefined;
      if (this.way === 'http1') this.#open -= 1;
    } else if (line !== this.#session) this.#free.push(line);
    this.#options.onReady();
  }
}

function newLine(): Line {
  return { uses: 0, inFlight: 0, arrives: 0, returns: 0, unhandled: [] };
}
