import type { Connection, Transport } from '../transport/transport.js';
import { Patience } from './patience.js';
import { Pipe } from './pipe.js';

/** How many connections of a lane may at once be waiting for a slow answer, set aside, besides the one that is used. */
const MAX_SET_ASIDE = 7;

/**
 * The connections of one lane. Answers come in the order of the requests, so that a slow one holds up those behind it. They are left to
 * wait: their requests have arrived, and a repeat would only be a second one. Later attempts go over a new connection, which is safe for
 * the order of nonces since all that was sent over the old one was sent long ago.
 */
export class Pipes {
  /** Connections that were set aside so far. */
  stalls = 0;
  /** Connections that were closed for bytes that no request had asked for. */
  unsolicited = 0;
  readonly #origin: string;
  readonly #transport: Transport;
  readonly #width: number;
  /** The connections that are used: the ordered one, the unordered one. */
  readonly #used = new Map<boolean, Pipe>();
  readonly #setAside = new Set<Pipe>();
  readonly #patience = new Patience();
  readonly #onUnsolicited = () => {
    this.unsolicited++;
  };

  /** @param width The most attempts that will be in flight on one. */
  constructor(origin: string, transport: Transport, width: number) {
    this.#origin = origin;
    this.#transport = transport;
    this.#width = width;
  }

  /** The connection for the next attempt. */
  use(ordered: boolean): Pipe {
    const open = this.#used.get(ordered);
    if (open !== undefined) return open;
    try {
      const pipe = new Pipe(this.#connect(ordered));
      this.#used.set(ordered, pipe);
      return pipe;
    } catch (error) {
      return new Pipe(unconnected(error));
    }
  }

  #connect(ordered: boolean): Connection {
    return this.#transport.connect(this.#origin, { ordered, width: this.#width, onUnsolicited: this.#onUnsolicited });
  }

  /** The ordered connection when it may be set aside now; undefined otherwise. */
  replaceable(): Pipe | undefined {
    const pipe = this.#setAside.size < MAX_SET_ASIDE ? this.#used.get(true) : undefined;
    return pipe?.mayBeOvertaken() ? pipe : undefined;
  }

  /** Milliseconds until this pipe has been held up for too long; 0 or less when it has. */
  patienceLeft(pipe: Pipe): number {
    const now = performance.now();
    return (pipe.heldUpSince() ?? now) + this.#patience.milliseconds(pipe.proven) - now;
  }

  begin(pipe: Pipe, unrepeated: boolean): void {
    pipe.begin(unrepeated);
    for (const old of this.#setAside) old.overtake();
  }

  /** An attempt is over. Set aside, the connection is closed after its last. */
  end(pipe: Pipe, unrepeated: boolean): void {
    pipe.end(unrepeated);
    if (pipe.inFlight > 0 || !this.#setAside.delete(pipe)) return;
    const rash = pipe.wasRash();
    if (rash !== undefined) this.#patience.learn(rash);
    // Nobody is left to hear of a transport that cannot close.
    pipe.connection.close().catch(() => {});
  }

  /** An answer came after so many milliseconds. */
  answered(pipe: Pipe, milliseconds: number): void {
    pipe.proven = true;
    if (!pipe.setAside) for (const old of this.#setAside) old.outrun();
    this.#patience.observe(milliseconds);
  }

  /** Later attempts go over another connection. */
  setAside(pipe: Pipe): void {
    pipe.putAside();
    this.#used.delete(true);
    this.#setAside.add(pipe);
    this.stalls++;
  }

  async close(): Promise<void> {
    const pipes = [...this.#used.values(), ...this.#setAside];
    this.#used.clear();
    this.#setAside.clear();
    await Promise.all(pipes.map(({ connection }) => connection.close()));
  }
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
