import type { Connection, Transport } from '../transport/transport.js';
import { isThenable } from './platform.js';
import { AdaptiveWidth } from './width.js';

/** How strictly requests of one API key arrive in the order of their nonces (design §9). */
export type NonceOrder = 'adaptive' | 'strict' | 'unordered';

/** The widest a lane gets: as many exchanges share one connection at most. */
const MAX_WIDTH = 64;

/** Where a lane begins whose transport spreads exchanges over connections of its own: there, late arrivals are likely. */
const SPREAD_WIDTH = 8;

/** One attempt that wants to be sent. */
export interface Ticket {
  /** The repeat after a race: nothing else is in flight while it is. */
  readonly alone: boolean;
  /** A write that must not be repeated: it shares its connection with nothing. */
  readonly fragile: boolean;
  /** Draws the nonce, signs and sends; a promise while nonce source or signer take their time. It never throws or rejects. */
  begin(connection: Connection): void | PromiseLike<void>;
}

/** How an attempt left its lane. */
export type Departure = 'clean' | 'race' | 'broken' | 'other';

/** What `client.stats()` shows of a lane. */
export interface LaneStats {
  readonly origin: string;
  /** Name of the transport. */
  readonly transport: string;
  readonly nonceOrder: NonceOrder;
  /** How many attempts may be in flight now; before the first call, at most. */
  readonly width: number;
  readonly inFlight: number;
  readonly waiting: number;
  /** Refusals because a later nonce had overtaken. */
  readonly races: number;
  /** Pipelines that broke with several attempts in flight. */
  readonly breaks: number;
}

/**
 * The order of one API key at one origin: attempts wait in order of arrival and draw their nonces one after the other, right before
 * their bytes are written. The width halves on a race or a broken pipeline and grows by one per clean window.
 */
export class Lane {
  /** Calls that have chosen this lane and are not over, also while they wait to be repeated. */
  calls = 0;
  readonly #origin: string;
  readonly #transport: Transport;
  /** A Set keeps the order of arrival and lets an aborted call leave from the middle. */
  readonly #waiting = new Set<Ticket>();
  readonly #urgent = new Set<Ticket>();
  /** The attempts in flight, each with the window of widths it began in. */
  readonly #inFlight = new Map<Ticket, number>();
  /** How many clients want each order: the strictest wins. */
  readonly #members: Record<NonceOrder, number> = { strict: 0, adaptive: 0, unordered: 0 };
  readonly #connections = new Map<boolean, Connection>();
  #width: AdaptiveWidth | undefined;
  #window = 0;
  #beginning = false;
  #aloneInFlight = false;
  #races = 0;
  #breaks = 0;

  constructor(origin: string, transport: Transport) {
    this.#origin = origin;
    this.#transport = transport;
  }

  /** A client begins to use the lane. */
  join(order: NonceOrder): void {
    this.#members[order]++;
  }

  /** A client is done with the lane; true when it was the last, and what the lane opened should be closed. */
  leave(order: NonceOrder): boolean {
    this.#members[order]--;
    const { strict, adaptive, unordered } = this.#members;
    return strict + adaptive + unordered === 0;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
    this.#connections.clear();
  }

  /** Waits for a place; `begin` is called when it comes. */
  enter(ticket: Ticket): void {
    (ticket.alone ? this.#urgent : this.#waiting).add(ticket);
    this.#pump();
  }

  /** Leaves the queue; false when the ticket has begun. */
  withdraw(ticket: Ticket): boolean {
    const waited = this.#waiting.delete(ticket) || this.#urgent.delete(ticket);
    if (waited) this.#pump();
    return waited;
  }

  /** The attempt is over on the wire: its answer is whole, or its connection is gone. */
  depart(ticket: Ticket, departure: Departure): void {
    const window = this.#inFlight.get(ticket);
    const companions = this.#inFlight.size - 1;
    if (!this.#inFlight.delete(ticket)) return;
    if (this.#inFlight.size === 0) this.#aloneInFlight = false;
    this.#adapt(departure, window === this.#window, companions);
    this.#pump();
  }

  stats(): LaneStats {
    return {
      origin: this.#origin,
      transport: this.#transport.name,
      nonceOrder: this.#order(),
      width: this.#knownWidth(),
      inFlight: this.#inFlight.size,
      waiting: this.#waiting.size + this.#urgent.size,
      races: this.#races,
      breaks: this.#breaks,
    };
  }

  #pump(): void {
    while (!this.#beginning) {
      const queue = this.#urgent.size > 0 ? this.#urgent : this.#waiting;
      const [ticket] = queue;
      if (ticket === undefined || !this.#mayBegin(ticket)) return;
      queue.delete(ticket);
      this.#begin(ticket);
    }
  }

  #mayBegin(ticket: Ticket): boolean {
    if (this.#aloneInFlight) return false;
    const connection = this.#connection();
    return this.#inFlight.size < (goesAlone(ticket, connection) ? 1 : this.#currentWidth(connection));
  }

  /** Until this one's bytes are handed to the connection no other draws a nonce: the order of nonces is the order of sending. */
  #begin(ticket: Ticket): void {
    const connection = this.#connection();
    this.#inFlight.set(ticket, this.#window);
    this.#aloneInFlight = goesAlone(ticket, connection);
    this.#beginning = true;
    const begun = ticket.begin(connection);
    if (!isThenable(begun)) {
      this.#beginning = false;
      return;
    }
    begun.then(() => {
      this.#beginning = false;
      this.#pump();
    });
  }

  #adapt(departure: Departure, sameWindow: boolean, companions: number): void {
    if (departure === 'race') this.#races++;
    const adaptive = this.#order() === 'adaptive';
    if (departure === 'clean') {
      if (adaptive) this.#width?.clean();
      return;
    }
    // Only a shared connection breaks for others; where each has its own, one that ends says nothing about the order.
    const broken = departure === 'broken' && companions > 0 && this.#connection().pipelined;
    // One race or break is felt by all that were in flight together: they narrow the lane once.
    if (!sameWindow || (departure !== 'race' && !broken)) return;
    if (broken) this.#breaks++;
    this.#window++;
    if (adaptive) this.#width?.halve();
  }

  /** The strictest order among the clients. */
  #order(): NonceOrder {
    if (this.#members.strict > 0) return 'strict';
    return this.#members.unordered > 0 && this.#members.adaptive === 0 ? 'unordered' : 'adaptive';
  }

  #currentWidth({ pipelined }: Connection): number {
    this.#width ??= new AdaptiveWidth(pipelined ? MAX_WIDTH : SPREAD_WIDTH, MAX_WIDTH);
    return this.#knownWidth();
  }

  /** The width as far as it is known: only sending opens a connection. */
  #knownWidth(): number {
    const order = this.#order();
    if (order === 'strict') return 1;
    return order === 'unordered' ? MAX_WIDTH : (this.#width?.value ?? MAX_WIDTH);
  }

  #connection(): Connection {
    const ordered = this.#order() !== 'unordered';
    const open = this.#connections.get(ordered);
    if (open !== undefined) return open;
    try {
      const connection = this.#transport.connect(this.#origin, { ordered, width: MAX_WIDTH });
      this.#connections.set(ordered, connection);
      return connection;
    } catch (error) {
      return unconnected(error);
    }
  }
}

function goesAlone(ticket: Ticket, { pipelined }: Connection): boolean {
  return ticket.alone || (ticket.fragile && pipelined);
}

/** A transport that cannot even begin fails the calls that want to be sent now; the next ones try it again. */
function unconnected(error: unknown): Connection {
  return {
    pipelined: false,
    send: () => {
      throw error;
    },
    close: async () => {},
  };
}
