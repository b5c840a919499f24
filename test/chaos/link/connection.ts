import { connect, type Socket } from 'node:net';
import type { Direction, Fate, Strike } from './fate.js';
import { Lane } from './lane.js';
import { RequestFraming, type RequestHead } from './request-framing.js';

/** What a connection tells its link. */
export interface ConnectionListener {
  /** Undefined where bytes are encrypted, so that no request can be read. */
  readonly onHead: ((head: RequestHead) => void) | undefined;
  onFault(kind: string): void;
  /** Nothing of it is left, also nothing that is under way. */
  onOver(): void;
}

/** How long a service may take to close its side once the client's has ended: answers that never come keep it open. */
const LINGER_MS = 500;

/** Forbidden in heads and in JSON, inside strings, too. */
const CONTROL = 0x01;
const GARBLED_BYTES = 6;

/**
 * A copy that begins with bytes that neither HTTP heads nor JSON may contain. HTTP/1.1 is plain here, while TLS breaks a
 * connection of any altered byte: an alteration that could be taken for something valid, such as another digit in an amount,
 * would be a fault that no real link has. Answers are altered anywhere, requests in their first bytes alone: what is no
 * request has no effect.
 */
const garbled = (chunk: Buffer): Buffer => Buffer.from(chunk).fill(CONTROL, 0, Math.min(chunk.length, GARBLED_BYTES));

/** A client's connection (`near`), and the one to the service that belongs to it (`far`). */
export class LinkConnection {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #fate: Fate;
  readonly #listener: ConnectionListener;
  readonly #lanes: Readonly<Record<Direction, Lane>>;
  /** Undefined where bytes are encrypted. */
  readonly #framing: RequestFraming | undefined;
  /** Where requests begin, in bytes of the connection, as far as they are in the chunk that is read now. */
  #starts: number[] = [];
  #read = 0;
  /** The link has broken it: what the client sends after that is lost. */
  #broken = false;
  #nearClosed = false;
  #farClosed = false;

  constructor(near: Socket, servicePort: number, fate: Fate, listener: ConnectionListener) {
    this.#near = near;
    this.#far = connect({ port: servicePort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.#fate = fate;
    this.#listener = listener;
    this.#lanes = { up: new Lane('up', fate), down: new Lane('down', fate) };
    this.#framing = listener.onHead && new RequestFraming(listener.onHead);
    this.#followNear();
    this.#followFar();
    if (!fate.refused) return;
    listener.onFault('refused');
    this.#broken = true;
    reset(near);
    this.#far.destroy();
  }

  /** The client has not closed it. */
  get held(): boolean {
    return !this.#nearClosed;
  }

  destroy(): void {
    this.#lanes.up.clear();
    this.#lanes.down.clear();
    this.#near.destroy();
    this.#far.destroy();
  }

  #followNear(): void {
    const near = this.#near;
    near.on('data', (chunk: Buffer) => {
      const begins = this.#read;
      this.#read += chunk.length;
      this.#starts = (this.#framing?.feed(chunk) ?? []).map((place) => begins + place);
      if (this.#broken) return;
      const isGarbled = begins === 0 && this.#fate.garblesFirst;
      if (isGarbled)
        this.#listener.onFault(this.#framing === undefined ? 'garbled handshake' : 'garbled first request');
      this.#pass('up', isGarbled ? garbled(chunk) : chunk);
    });
    near.on('error', () => {});
    near.on('end', () => near.end());
    near.on('close', () => {
      this.#nearClosed = true;
      this.#lanes.down.clear();
      // Whatever the client has written before it closed is still on its way.
      if (!this.#broken) this.#endUp();
      this.#settle();
    });
  }

  #followFar(): void {
    const [near, far, { down }] = [this.#near, this.#far, this.#lanes];
    far.on('data', (chunk: Buffer) => {
      if (!this.#broken && !this.#nearClosed) this.#pass('down', chunk);
    });
    far.on('error', () => {});
    far.on('end', () => {
      if (!this.#broken) down.add(() => near.end());
      far.end();
    });
    far.on('close', (failed) => {
      this.#farClosed = true;
      this.#lanes.up.clear();
      if (!this.#broken && !this.#nearClosed && failed) down.add(() => reset(near));
      this.#settle();
    });
  }

  /** Passes a chunk on as far as nothing strikes in it. */
  #pass(direction: Direction, chunk: Buffer): void {
    const lane = this.#lanes[direction];
    const [strike] = lane.strikes;
    const before = strike === undefined ? chunk.length : Math.max(0, strike.at - lane.seen);
    this.#send(direction, chunk.subarray(0, before));
    if (strike === undefined || before >= chunk.length) return;
    lane.strikes.shift();
    this.#strike(strike, chunk.subarray(before));
  }

  #send(direction: Direction, chunk: Buffer): void {
    this.#lanes[direction].seen += chunk.length;
    if (chunk.length > 0) this.#lanes[direction].add(() => this.#write(direction, chunk));
  }

  #write(direction: Direction, chunk: Buffer): void {
    const to = direction === 'up' ? this.#far : this.#near;
    if (to.writable) to.write(chunk);
  }

  #strike({ kind, direction, holds }: Strike, rest: Buffer): void {
    const lane = this.#lanes[direction];
    if (kind === 'half' || kind === 'stall') lane.hold(holds);
    if (kind === 'stall') {
      this.#listener.onFault(`stall ${direction}`);
      this.#pass(direction, rest);
    } else if (kind !== 'garble') {
      // When it is the rest's turn, the connection breaks; the rest may go on to the service alone.
      lane.strikes.length = 0;
      lane.add(
        () => this.#break(kind, direction),
        () => this.#write(direction, rest),
      );
    } else if (direction === 'up' && this.#framing !== undefined) this.#garbleRequest(rest);
    else {
      this.#listener.onFault(direction === 'down' ? 'garbled answer' : 'garbled request');
      this.#pass(direction, garbled(rest));
    }
  }

  /**
   * The next request becomes one that no service can read, and the connection breaks in the same moment, as it does under TLS. Else the
   * service's 400 could come as the answer to an earlier request: Node's server does not wait for its turn.
   */
  #garbleRequest(rest: Buffer): void {
    const { up } = this.#lanes;
    const start = this.#starts.find((place) => place >= up.seen);
    if (start === undefined) {
      // No request begins in this chunk: the next one will do.
      up.strikes.unshift({ kind: 'garble', direction: 'up', at: up.seen + rest.length, holds: 0 });
      this.#pass('up', rest);
      return;
    }
    const place = start - up.seen;
    this.#send('up', rest.subarray(0, place));
    up.seen += rest.length - place;
    up.strikes.length = 0;
    up.add(
      () => this.#write('up', garbled(rest.subarray(place))),
      () => this.#break('garble', 'up'),
    );
  }

  /** Cuts the client off. What it had written may reach the service all the same, late. */
  #break(kind: Strike['kind'], direction: Direction): void {
    if (this.#broken) return;
    this.#listener.onFault(kind === 'garble' ? 'garbled request' : `${kind} ${direction}`);
    this.#broken = true;
    const { up, down } = this.#lanes;
    down.clear();
    if (kind === 'fin') this.#near.end();
    else reset(this.#near);
    const { lateBy } = this.#fate;
    if (lateBy === undefined || kind === 'half' || kind === 'garble') up.clear();
    else if (!up.empty) {
      this.#listener.onFault('late arrival');
      up.postpone(lateBy);
    }
    this.#endUp();
  }

  /** After all that is on its way, the service hears that nothing follows. */
  #endUp(): void {
    if (this.#farClosed) return;
    this.#lanes.up.add(() => {
      this.#far.end();
      const linger = setTimeout(() => this.#far.destroy(), LINGER_MS);
      this.#far.once('close', () => clearTimeout(linger));
    });
  }

  #settle(): void {
    if (!this.#nearClosed || !this.#farClosed) return;
    // What waits has nowhere to go any more.
    this.destroy();
    this.#listener.onOver();
  }
}

/** Node never closes a socket that is reset while its end is under way. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
