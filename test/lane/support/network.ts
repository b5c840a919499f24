import type {
  Connections,
  ConnectOptions,
  Exchange,
  ExchangeListener,
  Slot,
  TransportRequest,
  Way,
} from '../../../src/transport/connections.js';
import { createTransport } from '../../../src/transport/transport.js';
import type { VirtualClock } from './virtual-clock.js';

/** A number from 0 up to, but not including, 1. */
export type Random = () => number;

export interface Link {
  /** Time in ms that every message takes. */
  readonly latency: number;
  /** Time in ms that a message takes beyond that, drawn for each. A connection keeps the order of its own messages. */
  readonly jitter: (random: Random) => number;
  /** The share of requests whose connection breaks before it has brought them. */
  readonly loss?: number;
  /** Time in ms after which the machine of the edge rests, again and again, and for how long. Then it reads its connections in any order. */
  readonly rest?: { readonly every: number; readonly lasts: number };
}

export interface Edge {
  readonly way: 'http2' | 'http1' | 'fetch';
  /** The requests of one connection are handled one after the other, each when the one before it is answered; else together. */
  readonly inTurn?: boolean;
  /** Time in ms until a request goes on to the service, drawn for each. Edges that hand requests to workers shuffle them so. */
  readonly handling?: (random: Random, withBody: boolean) => number;
  /** Time in ms for which its machine stands still, drawn for each time; that happens every 300 ms, more or less. */
  readonly standstill?: (random: Random) => number;
  /** Time in ms that the first request over a connection takes beyond that. */
  readonly firstUse?: (random: Random) => number;
}

export interface Service {
  /** Time in ms until an answer is ready. A refusal is ready at once. */
  readonly answerTime: (random: Random) => number;
  /** It refuses a nonce that is not above all that it has taken. */
  readonly ordered: boolean;
}

export interface NetworkOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly link: Link;
  readonly edge: Edge;
  readonly service: Service;
}

/** Time in ms that an opening connection takes beyond its round trip. */
const OPENING_MS = 2;

/** Time in ms between two standstills, as a mean. */
const STANDSTILL_MS = 300;

/** The most connections that are being opened at once. */
const OPENING_AT_ONCE = 4;

/** Link, edge and service in virtual time, as a lane's transport. Two runs with the same seed are the same. */
export class SimulatedNetwork {
  /** Brings a lane over this network. */
  readonly transport = createTransport('simulated', (_origin, options) => new SimulatedConnections(this, options));
  readonly clock: VirtualClock;
  readonly edge: Edge;
  /** Nonces in the order in which they reached the service. */
  readonly nonces: bigint[] = [];
  readonly #random: Random;
  readonly #link: Link;
  readonly #service: Service;
  #highest = -1n;
  /** The standstill of the edge that is, or comes next. */
  #stopsAt = 0;
  #goesOnAt = 0;

  constructor({ clock, random, link, edge, service }: NetworkOptions) {
    this.clock = clock;
    this.edge = edge;
    this.#random = random;
    this.#link = link;
    this.#service = service;
  }

  get latency(): number {
    return this.#link.latency;
  }

  /** Brings a request to the edge, and what comes of it back. */
  carry(connection: Connection, exchange: SimulatedExchange): void {
    const { clock, edge } = this;
    const breaks = this.#random() < (this.#link.loss ?? 0);
    const firstUse = connection.uses++ === 0 ? (edge.firstUse?.(this.#random) ?? 0) : 0;
    const arrival = this.#afterRest(clock.now() + firstUse + this.#delay());
    connection.arrival = Math.max(connection.arrival, arrival);
    clock.at(connection.arrival, () => {
      if (breaks) connection.break();
      else if (edge.inTurn !== true) this.#handle(connection, exchange);
      else if (connection.unhandled.push(exchange) === 1) this.#handle(connection, exchange);
    });
  }

  #handle(connection: Connection, exchange: SimulatedExchange): void {
    const handling = this.edge.handling?.(this.#random, exchange.withBody) ?? 0;
    this.clock.at(this.#edgeIsThere() + handling, () => {
      const status = this.#statusOf(exchange.nonce);
      const answerTime = status === 401 ? 0 : this.#service.answerTime(this.#random);
      this.clock.at(this.clock.now() + answerTime, () => this.#answer(connection, exchange, status));
    });
  }

  /** When the edge can handle what has arrived. */
  #edgeIsThere(): number {
    const now = this.clock.now();
    const { standstill } = this.edge;
    if (standstill === undefined) return now;
    while (now >= this.#goesOnAt) {
      this.#stopsAt = this.#goesOnAt - Math.log(1 - this.#random()) * STANDSTILL_MS;
      this.#goesOnAt = this.#stopsAt + standstill(this.#random);
    }
    return now < this.#stopsAt ? now : this.#goesOnAt;
  }

  #answer(connection: Connection, exchange: SimulatedExchange, status: number): void {
    connection.answerArrival = Math.max(connection.answerArrival, this.clock.now() + this.#delay());
    this.clock.at(connection.answerArrival, () => exchange.answered(status));
    if (this.edge.inTurn !== true) return;
    connection.unhandled.shift();
    const next = connection.unhandled[0];
    if (next !== undefined) this.#handle(connection, next);
  }

  #statusOf(nonce: bigint): number {
    this.nonces.push(nonce);
    if (this.#service.ordered && nonce <= this.#highest) return 401;
    if (nonce > this.#highest) this.#highest = nonce;
    return 200;
  }

  /** When the edge reads what arrives at this moment. */
  #afterRest(arrival: number): number {
    const { rest } = this.#link;
    if (rest === undefined) return arrival;
    const sinceRest = arrival % rest.every;
    return sinceRest < rest.lasts ? arrival - sinceRest + rest.lasts + this.#random() : arrival;
  }

  #delay(): number {
    return this.#link.latency + this.#link.jitter(this.#random);
  }
}

class Connection {
  uses = 0;
  broken = false;
  /** When the last message on it arrives, there and here: later ones arrive no sooner. */
  arrival = 0;
  answerArrival = 0;
  readonly inFlight = new Set<SimulatedExchange>();
  /** Where the edge handles requests in turn: the one that it handles, and those behind it. */
  readonly unhandled: SimulatedExchange[] = [];

  break(): void {
    this.broken = true;
    for (const exchange of this.inFlight) exchange.failed();
  }
}

class SimulatedExchange implements Exchange {
  readonly withBody: boolean;
  readonly nonce: bigint;
  readonly #listener: ExchangeListener;
  /** Told once, before the listener. */
  readonly #onOver: (exchange: SimulatedExchange) => void;
  #over = false;

  constructor(
    { body, headers }: TransportRequest,
    listener: ExchangeListener,
    onOver: (exchange: SimulatedExchange) => void,
  ) {
    this.withBody = body !== undefined;
    this.nonce = BigInt(headers['api-nonce'] ?? '');
    this.#listener = listener;
    this.#onOver = onOver;
  }

  answered(status: number): void {
    if (!this.#end()) return;
    this.#listener.onHead(status, {});
    this.#listener.onEnd();
  }

  failed(): void {
    if (this.#end()) this.#listener.onError(new Error('the connection broke'), 'lost');
  }

  abandon(): void {
    this.failed();
  }

  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#onOver(this);
    return true;
  }
}

/** One HTTP/2 session; or a pool of HTTP/1.1 connections that this side opens; or connections that open while a request waits. */
class SimulatedConnections implements Connections {
  readonly #network: SimulatedNetwork;
  readonly #options: ConnectOptions;
  /** Open and free, the one that was used last at the end. */
  readonly #free: Connection[] = [];
  #open = 0;
  #opening = 0;
  #session: Connection | undefined;
  #http2Avoided = Number.NEGATIVE_INFINITY;

  constructor(network: SimulatedNetwork, options: ConnectOptions) {
    this.#network = network;
    this.#options = options;
  }

  get way(): Way {
    const { edge, clock } = this.#network;
    return edge.way === 'http2' && clock.now() < this.#http2Avoided ? 'http1' : edge.way;
  }

  get open(): number {
    return this.#open;
  }

  reserve(waiting: number): Slot | undefined {
    const connection = this.way === 'http2' ? this.#openSession() : this.#freeConnection(waiting);
    if (connection === undefined) return undefined;
    return {
      firstUse: connection.uses === 0,
      send: (request, listener) => this.#send(connection, request, listener),
      release: () => this.#release(connection),
    };
  }

  avoidHttp2(milliseconds: number): void {
    this.#http2Avoided = this.#network.clock.now() + milliseconds;
  }

  async close(): Promise<void> {}

  #send(connection: Connection, request: TransportRequest, listener: ExchangeListener): Exchange {
    const exchange = new SimulatedExchange(request, listener, (over) => {
      connection.inFlight.delete(over);
      this.#release(connection);
    });
    connection.inFlight.add(exchange);
    listener.onSent();
    this.#network.carry(connection, exchange);
    return exchange;
  }

  #release(connection: Connection): void {
    if (!connection.broken && connection !== this.#session) this.#free.push(connection);
    if (connection.broken && connection.inFlight.size === 0) this.#open -= 1;
  }

  #openSession(): Connection | undefined {
    if (this.#session !== undefined && !this.#session.broken) return this.#session;
    if (this.#opening === 0) {
      this.#openOne((session) => {
        this.#session = session;
      });
    }
    return undefined;
  }

  #freeConnection(waiting: number): Connection | undefined {
    const free = this.#free.pop();
    if (free !== undefined || this.way !== 'fetch') {
      if (free === undefined) this.#openSome(waiting);
      return free;
    }
    this.#open += 1;
    return new Connection();
  }

  #openSome(waiting: number): void {
    const wanted = Math.min(waiting, this.#options.width - this.#open) - this.#opening;
    for (let count = Math.min(wanted, OPENING_AT_ONCE - this.#opening); count > 0; count--) {
      this.#openOne((connection) => this.#free.push(connection));
    }
  }

  #openOne(opened: (connection: Connection) => void): void {
    const { clock, latency } = this.#network;
    this.#opening += 1;
    clock.at(clock.now() + 2 * latency + OPENING_MS, () => {
      this.#opening -= 1;
      this.#open += 1;
      opened(new Connection());
      this.#options.onReady();
    });
  }
}
