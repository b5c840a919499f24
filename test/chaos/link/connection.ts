import { connect, type Socket } from 'node:net';
import { DelayLine } from './delay-line.js';
import type { Direction, Fate, Strike } from './fate.js';
import { garbled } from './garble.js';
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

/** One direction: what has passed, and what is still to strike. */
class Lane {
  readonly line: DelayLine;
  strikes: Strike[];
  seen = 0;

  constructor(direction: Direction, fate: Fate, opensAt: number) {
    this.line = new DelayLine(opensAt, fate.jitter);
    this.strikes = fate.strikes.filter((strike) => strike.direction === direction);
  }
}

/** The sockets of the client (`near`) and of the service (`far`). */
class Ends {
  readonly far: Socket;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly near: Socket,
    servicePort: number,
  ) {
    this.far = connect({ port: servicePort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.far.on('close', () => clearTimeout(this.#linger));
  }

  write(direction: Direction, chunk: Buffer): void {
    const to = direction === 'up' ? this.far : this.near;
    if (to.writable) to.write(chunk);
  }

  /** The service hears that nothing follows. */
  endFar(): void {
    this.far.end();
    this.#linger = setTimeout(() => this.far.destroy(), LINGER_MS);
  }

  /** With a FIN, or with a reset. */
  cutNear(kind: Strike['kind']): void {
    if (kind === 'fin') this.near.end();
    else reset(this.near);
  }

  destroy(): void {
    this.near.destroy();
    this.far.destroy();
  }
}

/** A client's connection, and the one to the service that belongs to it. */
export class LinkConnection {
  readonly #ends: Ends;
  readonly #fate: Fate;
  readonly #listener: ConnectionListener;
  readonly #lanes: Readonly<Record<Direction, Lane>>;
  /** Undefined where bytes are encrypted. */
  readonly #framing: RequestFraming | undefined;
  /** Where requests begin in the chunk that is read now. */
  #starts: number[] = [];
  /** The link has broken it: what the client sends after that is lost. */
  #broken = false;
  #nearClosed = false;
  #farClosed = false;
  /** Something of what the client sent has been passed on. */
  #passedUp = false;

  constructor(near: Socket, servicePort: number, fate: Fate, listener: ConnectionListener) {
    this.#fate = fate;
    this.#listener = listener;
    const opensAt = performance.now() + fate.opensAfter;
    this.#lanes = { up: new Lane('up', fate, opensAt), down: new Lane('down', fate, opensAt) };
    const { onHead } = listener;
    this.#framing =
      onHead && new RequestFraming({ onStart: (offset) => this.#starts.push(offset), onHead: (head) => onHead(head) });
    this.#ends = new Ends(near, servicePort);
    this.#followNear();
    this.#followFar();
    if (fate.refused) this.#refuse();
  }

  /** The client has not closed it. */
  get held(): boolean {
    return !this.#nearClosed;
  }

  destroy(): void {
    this.#lanes.up.line.clear();
    this.#lanes.down.line.clear();
    this.#ends.destroy();
  }

  #refuse(): void {
    this.#listener.onFault('refused');
    this.#broken = true;
    this.#ends.cutNear('reset');
    this.#ends.far.destroy();
  }

  #followNear(): void {
    const { near } = this.#ends;
    near.on('data', (chunk: Buffer) => {
      this.#starts = [];
      this.#framing?.feed(chunk);
      if (!this.#broken) this.#up(chunk);
    });
    near.on('error', () => {});
    near.on('end', () => near.end());
    near.on('close', () => {
      this.#nearClosed = true;
      this.#lanes.down.line.clear();
      // Whatever the client has written before it closed is still on its way.
      if (!this.#broken) this.#endUp();
      this.#settle();
    });
  }

  #followFar(): void {
    const { near, far } = this.#ends;
    const { down } = this.#lanes;
    far.on('data', (chunk: Buffer) => {
      if (!this.#broken && !this.#nearClosed) this.#pass('down', chunk);
    });
    far.on('error', () => {});
    far.on('end', () => {
      if (!this.#broken) down.line.add(() => near.end());
      far.end();
    });
    far.on('close', (failed) => {
      this.#farClosed = true;
      this.#lanes.up.line.clear();
      if (!this.#broken && !this.#nearClosed && failed) down.line.add(() => reset(near));
      this.#settle();
    });
  }

  #up(chunk: Buffer): void {
    const isGarbled = !this.#passedUp && this.#fate.garblesFirst;
    this.#passedUp = true;
    if (isGarbled) this.#listener.onFault(this.#framing === undefined ? 'garbled handshake' : 'garbled first request');
    this.#pass('up', isGarbled ? garbled(chunk) : chunk);
  }

  /** Passes a chunk on as far as nothing strikes in it. */
  #pass(direction: Direction, chunk: Buffer): void {
    const lane = this.#lanes[direction];
    const [strike] = lane.strikes;
    const from = lane.seen;
    if (strike === undefined || strike.at >= from + chunk.length) {
      lane.seen += chunk.length;
      this.#send(direction, chunk);
      return;
    }
    lane.strikes.shift();
    const before = Math.max(0, strike.at - from);
    lane.seen += before;
    this.#send(direction, chunk.subarray(0, before));
    this.#strike(strike, chunk.subarray(before));
  }

  #send(direction: Direction, chunk: Buffer): void {
    if (chunk.length > 0) this.#lanes[direction].line.add(() => this.#ends.write(direction, chunk));
  }

  #strike({ kind, direction, holds }: Strike, rest: Buffer): void {
    const { line } = this.#lanes[direction];
    switch (kind) {
      case 'half':
        line.hold(holds);
        this.#breakBefore(rest, kind, direction);
        return;
      case 'reset':
      case 'fin':
        this.#breakBefore(rest, kind, direction);
        return;
      case 'stall':
        this.#listener.onFault(`stall ${direction}`);
        line.hold(holds);
        this.#pass(direction, rest);
        return;
      case 'garble':
        if (direction === 'down' || this.#framing === undefined) {
          this.#listener.onFault(direction === 'down' ? 'garbled answer' : 'garbled request');
          this.#pass(direction, garbled(rest));
        } else this.#garbleRequest(rest);
    }
  }

  /**
   * The next request becomes one that no service can read, and the connection breaks in the same moment, as it does under TLS. Else the
   * service's 400 could come as the answer to an earlier request: Node's server does not wait for its turn.
   */
  #garbleRequest(rest: Buffer): void {
    const read = this.#lanes.up.seen;
    const start = this.#starts.find((offset) => offset >= read);
    if (start === undefined) {
      // No request begins in this chunk: the next one will do.
      this.#lanes.up.strikes.unshift({ kind: 'garble', direction: 'up', at: read + rest.length, holds: 0 });
      this.#pass('up', rest);
      return;
    }
    const place = start - read;
    this.#lanes.up.seen += rest.length;
    this.#send('up', rest.subarray(0, place));
    this.#lanes.up.strikes = [];
    this.#lanes.up.line.add(
      () => this.#ends.write('up', garbled(rest.subarray(place))),
      () => this.#break('garble', 'up'),
    );
  }

  /** When it is the rest's turn, the connection breaks; the rest may go on to the service alone. */
  #breakBefore(rest: Buffer, kind: Strike['kind'], direction: Direction): void {
    const lane = this.#lanes[direction];
    lane.strikes = [];
    lane.line.add(
      () => this.#break(kind, direction),
      () => this.#ends.write(direction, rest),
    );
  }

  /** Cuts the client off. What it had written may reach the service all the same, late. */
  #break(kind: Strike['kind'], direction: Direction): void {
    if (this.#broken) return;
    this.#listener.onFault(kind === 'garble' ? 'garbled request' : `${kind} ${direction}`);
    this.#broken = true;
    this.#lanes.down.line.clear();
    this.#ends.cutNear(kind);
    const { line } = this.#lanes.up;
    const { lateBy } = this.#fate;
    if (lateBy === undefined || kind === 'half' || kind === 'garble') line.clear();
    else if (!line.empty) {
      this.#listener.onFault('late arrival');
      line.postpone(lateBy);
    }
    this.#endUp();
  }

  /** After all that is on its way, the service hears that nothing follows. */
  #endUp(): void {
    if (this.#farClosed) return;
    this.#lanes.up.line.add(() => this.#ends.endFar());
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
