import type { Connection, Transport } from '../transport/transport.js';
import { type Linked, LinkedList } from './linked-list.js';
import type { Pipe } from './pipe.js';
import { Pipes } from './pipes.js';
import { afterPolling, isThenable } from './platform.js';
import { AdaptiveWidth } from './width.js';

/** How strictly requests of one API key arrive in the order of their nonces: see `docs/lanes.md`. */
export type NonceOrder = 'adaptive' | 'strict' | 'unordered';

/** The widest a lane gets: as many exchanges share one connection at most. */
const MAX_WIDTH = 64;

/** Where a lane begins whose transport spreads exchanges over connections of its own: there, late arrivals are likely. */
const SPREAD_WIDTH = 8;

/** A lane does not get narrower than that by slow answers: it would be slower for all to keep a few from waiting behind them. */
const HELD_UP_WIDTH = 16;

/** While somebody waits behind the head of a pipeline it is looked at so often at least, in milliseconds: patience may get shorter. */
const MAX_LOOK = 250;

/** One attempt that wants to be sent. */
export interface Ticket extends Linked<Ticket> {
  /** The repeat after a race: nothing else is in flight that could overtake it. */
  readonly alone: boolean;
  /** A write that must not be repeated: nothing begins before it is over, and it shares its connection with nothing. */
  readonly fragile: boolean;
  /** Nothing would repeat it after a race: it is not left on a connection that later ones may overtake. */
  readonly unrepeated: boolean;
  /** The lane's own note while it is in flight. */
  flight: Flight | undefined;
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
  /** Connections set aside because one slow answer held up the rest: later attempts went over a new one. */
  readonly stalls: number;
  /**
   * Connections that were closed because bytes arrived on them that no request had asked for. More than a few mean that something between
   * here and the service answers too often: its answers may also reach the wrong call.
   */
  readonly unsolicited: number;
}

/** What a lane notes of an attempt in flight. */
export interface Flight {
  readonly pipe: Pipe;
  /** The window of widths it began in. */
  readonly window: number;
  begunAt: number;
}

/**
 * The order of one API key at one origin: attempts wait in order of arrival and draw their nonces one after the other, right before
 * their bytes are written. The width halves on a race, on a broken pipeline and on one that was held up for long, and grows by one per
 * clean window.
 */
export class Lane {
  /** Calls that have chosen this lane and are not over, also while they wait to be repeated. */
  calls = 0;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #pipes: Pipes;
  /** In order of arrival; an aborted call leaves from the middle. */
  readonly #waiting = new LinkedList<Ticket>();
  readonly #urgent = new LinkedList<Ticket>();
  #inFlight = 0;
  /** How many clients want each order: the strictest wins. */
  readonly #members: Record<NonceOrder, number> = { strict: 0, adaptive: 0, unordered: 0 };
  #watch: ReturnType<typeof setTimeout> | undefined;
  #lookingNow = false;
  #width: AdaptiveWidth | undefined;
  #window = 0;
  #beginning = false;
  /** What is in flight and lets nothing else begin. */
  #alone: Ticket | undefined;
  #races = 0;
  #breaks = 0;

  constructor(origin: string, transport: Transport) {
    this.#origin = origin;
    this.#transport = transport;
    this.#pipes = new Pipes(origin, transport, MAX_WIDTH);
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

  close(): Promise<void> {
    clearTimeout(this.#watch);
    return this.#pipes.close();
  }

  /** Waits for a place; `begin` is called when it comes. */
  enter(ticket: Ticket): void {
    (ticket.alone ? this.#urgent : this.#waiting).add(ticket);
    this.#pump();
  }

  /** Leaves the queue; false when the ticket has begun. */
  withdraw(ticket: Ticket): boolean {
    const waited = this.#waiting.remove(ticket) || this.#urgent.remove(ticket);
    if (waited) this.#pump();
    return waited;
  }

  /** The attempt is over on the wire: its answer is whole, or its connection is gone. */
  depart(ticket: Ticket, departure: Departure): void {
    const { flight } = ticket;
    if (flight === undefined) return;
    ticket.flight = undefined;
    this.#inFlight--;
    if (this.#alone === ticket) this.#alone = undefined;
    this.#adapt(departure, flight);
    this.#pipes.end(flight.pipe, ticket.unrepeated);
    this.#pumpOnceAnswersAreChecked(flight.pipe);
  }

  /** The attempt takes longer than it may: its repeat, and whatever comes later, must not wait behind it. */
  heldUpBy(ticket: Ticket): void {
    const pipe = ticket.flight?.pipe;
    if (pipe === undefined || pipe !== this.#replaceable() || pipe.inFlight === 1) return;
    this.#pipes.setAside(pipe);
    this.#pump();
  }

  /** Others are in flight on the same connection. */
  sharesConnection(ticket: Ticket): boolean {
    const pipe = ticket.flight?.pipe;
    return pipe?.connection.pipelined === true && pipe.inFlight > 1;
  }

  /** A refusal that turned out, afterwards, to be a race with another process. */
  countRace(): void {
    this.#races++;
  }

  stats(): LaneStats {
    return {
      origin: this.#origin,
      transport: this.#transport.name,
      nonceOrder: this.#order(),
      width: this.#knownWidth(),
      inFlight: this.#inFlight,
      waiting: this.#waiting.size + this.#urgent.size,
      races: this.#races,
      breaks: this.#breaks,
      stalls: this.#pipes.stalls,
      unsolicited: this.#pipes.unsolicited,
    };
  }

  /**
   * An answer is checked right after its attempt has departed. If it is not its call's own, the connection is closed, and what must not be
   * repeated must not be on it by then.
   */
  #pumpOnceAnswersAreChecked({ connection, inFlight }: Pipe): void {
    const next = inFlight === 0 && connection.pipelined ? (this.#urgent.first ?? this.#waiting.first) : undefined;
    if (next !== undefined && goesAlone(next, connection)) afterPolling(() => this.#pump());
    else this.#pump();
  }

  #pump(): void {
    while (!this.#beginning) {
      const queue = this.#urgent.size > 0 ? this.#urgent : this.#waiting;
      const ticket = queue.first;
      if (ticket === undefined) break;
      const pipe = this.#pipes.use(this.#order() !== 'unordered');
      if (!this.#mayBegin(ticket, pipe)) break;
      if (pipe === this.#replaceable() && this.#pipes.patienceLeft(pipe) <= 0) {
        // Again and again it would never come to it.
        if (!this.#lookingNow) this.#look(0);
        return;
      }
      queue.remove(ticket);
      this.#begin(ticket, pipe);
    }
    this.#watchHead();
  }

  #mayBegin(ticket: Ticket, { connection, inFlight }: Pipe): boolean {
    if (this.#alone !== undefined) return false;
    return inFlight < (goesAlone(ticket, connection) ? 1 : this.#currentWidth(connection));
  }

  /** Until this one's bytes are handed to the connection no other draws a nonce: the order of nonces is the order of sending. */
  #begin(ticket: Ticket, pipe: Pipe): void {
    const flight: Flight = { pipe, window: this.#window, begunAt: performance.now() };
    this.#pipes.begin(pipe, ticket.unrepeated);
    ticket.flight = flight;
    this.#inFlight++;
    if (goesAlone(ticket, pipe.connection)) this.#alone = ticket;
    this.#beginning = true;
    const begun = ticket.begin(pipe.connection);
    if (!isThenable(begun)) {
      this.#beginning = false;
      return;
    }
    begun.then(() => {
      this.#beginning = false;
      flight.begunAt = performance.now();
      this.#pump();
    });
  }

  #adapt(departure: Departure, { pipe, window, begunAt }: Flight): void {
    // A narrower lane has fewer behind the next slow answer, and fewer that the service may not have read when later ones come.
    const held = pipe.endHold();
    if (held === 'long' && pipe.proven) this.#narrow(HELD_UP_WIDTH);
    if (departure === 'clean') {
      // Those behind a slow answer were held up: their time says nothing of what is usual.
      if (!pipe.setAside || held !== undefined) this.#pipes.answered(pipe, performance.now() - begunAt);
      if (this.#order() === 'adaptive') this.#width?.clean();
      return;
    }
    if (departure === 'race') {
      this.#races++;
      if (pipe.markLeftBehind()) this.#narrow();
    }
    // Only a shared connection breaks for others; where each has its own, one that ends says nothing about the order.
    const broken = departure === 'broken' && pipe.inFlight > 1 && pipe.connection.pipelined;
    // One race or break is felt by all that were in flight together: they narrow the lane once.
    if (window !== this.#window || (departure !== 'race' && !broken)) return;
    if (broken) this.#breaks++;
    this.#narrow();
  }

  #narrow(least = 1): void {
    this.#window++;
    if (this.#order() === 'adaptive') this.#width?.halve(least);
  }

  // ---- one slow answer, and those behind it ----

  /** Looks after the head of the pipeline while somebody waits behind it. One timer per lane, and none per attempt. */
  #watchHead(): void {
    const pipe = this.#watch === undefined ? this.#holdingUp() : undefined;
    if (pipe !== undefined) this.#look(Math.min(MAX_LOOK, Math.max(1, this.#pipes.patienceLeft(pipe))));
  }

  #look(milliseconds: number): void {
    clearTimeout(this.#watch);
    this.#lookingNow = milliseconds === 0;
    this.#watch = setTimeout(() => {
      // After the sockets have been read: a program that was busy for a while has answers waiting there.
      afterPolling(() => this.#lookAtHead());
    }, milliseconds);
    this.#watch.unref?.();
  }

  #lookAtHead(): void {
    this.#watch = undefined;
    this.#lookingNow = false;
    const pipe = this.#holdingUp();
    if (pipe !== undefined && this.#pipes.patienceLeft(pipe) <= 0) this.#pipes.setAside(pipe);
    this.#pump();
  }

  /** The connection on which somebody waits behind another, if later attempts may overtake it. */
  #holdingUp(): Pipe | undefined {
    const pipe = this.#replaceable();
    const waiting = this.#waiting.size + this.#urgent.size;
    return pipe !== undefined && (pipe.inFlight > 1 || (pipe.inFlight === 1 && waiting > 0)) ? pipe : undefined;
  }

  #replaceable(): Pipe | undefined {
    return this.#order() === 'adaptive' && this.#alone === undefined ? this.#pipes.replaceable() : undefined;
  }

  // ---- order and width ----

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
}

function goesAlone(ticket: Ticket, { pipelined }: Connection): boolean {
  return ticket.alone || (ticket.fragile && pipelined);
}
