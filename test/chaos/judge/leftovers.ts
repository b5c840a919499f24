import { Socket } from 'node:net';

/** Cleared with what they were for; sockets take a few turns to close, and on a busy machine some time. */
const TIMERS: readonly string[] = ['Timeout', 'Immediate'];

/** What is left of a process's work, but for what was there before. */
export class Leftovers {
  readonly #before = process.getActiveResourcesInfo();
  readonly #sockets = new Set<Socket>();

  constructor() {
    // Sockets that keep no process running are not among its active resources; those of TLS are announced on no channel.
    const sockets = this.#sockets;
    const connect: unknown = Reflect.get(Socket.prototype, 'connect');
    if (typeof connect !== 'function') throw new Error('sockets cannot be followed');
    Socket.prototype.connect = function (this: Socket, ...given: readonly unknown[]): Socket {
      sockets.add(this);
      this.once('close', () => sockets.delete(this));
      return connect.apply(this, given);
    };
  }

  /** Names of what is there and was not before, when nothing is left any more, or after so many milliseconds; timers that are there at once count in any case. */
  async afterClosing(patience: number): Promise<string[]> {
    await turns();
    const timers = this.#now().filter((name) => TIMERS.includes(name));
    const until = performance.now() + patience;
    while (this.#now().length > 0 && performance.now() < until) await turns();
    return [...timers, ...this.#now().filter((name) => !TIMERS.includes(name))];
  }

  #now(): string[] {
    const kept = process.getActiveResourcesInfo();
    for (const name of this.#before) if (kept.includes(name)) kept.splice(kept.indexOf(name), 1);
    return [...kept, ...Array.from(this.#sockets, () => 'open socket')];
  }
}

/** A timer of ours would be counted. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
