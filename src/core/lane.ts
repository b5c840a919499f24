import type { Connection, Transport } from '../transport/transport.js';
import { isThenable } from './platform.js';

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
  readonly nonceOrder: NonceOrder;
  /** How many attempts may be in flight now. */
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
  readonly #members = new Map<object, NonceOrder>();
  readonly #connections = new Map<boolean, Connection>();
  #order: NonceOrder = 'adaptive';
  #width: number | undefined;
  #clean = 0;
  #window = 0;
  #beginning = false;
  #aloneInFlight = false;
  #races = 0;
  #breaks = 0;

  constructor(origin: string, transport: Transport) {
    this.#origin = origin;
    this.#transport = transport;
  }

  /** A client begins to use the lane. The strictest order among its clients wins. */
  join(member: object, order: NonceOrder): void {
    this.#members.set(member, order);
    this.#order = strictest(this.#members.values());
  }

  /** A client is done with the lane; true when it was the last, and what the lane opened should be closed. */
  leave(member: object): boolean {
    this.#members.delete(member);
    this.#order = strictest(this.#members.values());
    return this.#members.size === 0;
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
      nonceOrder: this.#order,
      width: this.#currentWidth(),
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
    if (this.#goesAlone(ticket)) return this.#inFlight.size === 0;
    return this.#inFlight.size < this.#currentWidth();
  }

  #goesAlone(ticket: Ticket): boolean {
    return ticket.alone || (ticket.fragile && this.#connection().pipelined);
  }

  /** Until this one's bytes are handed to the connection no other draws a nonce: the order of nonces is the order of sending. */
  #begin(ticket: Ticket): void {
    this.#inFlight.set(ticket, this.#window);
    this.#aloneInFlight = this.#goesAlone(ticket);
    this.#beginning = true;
    const begun = ticket.begin(this.#connection());
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
    if (departure === 'clean') {
      if (++this.#clean >= this.#currentWidth()) this.#resize(Math.min(MAX_WIDTH, this.#currentWidth() + 1));
      return;
    }
    const harmful = departure === 'race' || (departure === 'broken' && companions > 0);
    // One race or break is felt by all that were in flight together: they narrow the lane once.
    if (!harmful || !sameWindow) return;
    if (departure === 'broken') this.#breaks++;
    this.#window++;
    this.#resize(Math.max(1, Math.floor(this.#currentWidth() / 2)));
  }

  #resize(width: number): void {
    this.#width = width;
    this.#clean = 0;
  }

  #currentWidth(): number {
    if (this.#order === 'strict') return 1;
    if (this.#order === 'unordered') return MAX_WIDTH;
    this.#width ??= this.#connection().pipelined ? MAX_WIDTH : SPREAD_WIDTH;
    return this.#width;
  }

  #connection(): Connection {
    const ordered = this.#order !== 'unordered';
    let connection = this.#connections.get(ordered);
    if (connection === undefined) {
      connection = connect(this.#transport, this.#origin, ordered);
      this.#connections.set(ordered, connection);
    }
    return connection;
  }
}

function strictest(orders: Iterable<NonceOrder>): NonceOrder {
  const present = new Set(orders);
  if (present.has('strict')) return 'strict';
  return present.has('unordered') && !present.has('adaptive') ? 'unordered' : 'adaptive';
}

/** A transport that cannot even begin fails every call that wants to be sent, and not the lane. */
function connect(transport: Transport, origin: string, ordered: boolean): Connection {
  try {
    return transport.connect(origin, { ordered });
  } catch (error) {
    return {
      pipelined: false,
      send: () => {
        throw error;
      },
      close: async () => {},
    };
  }
}
