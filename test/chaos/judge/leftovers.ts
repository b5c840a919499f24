import { getEventListeners } from 'node:events';
import { Socket } from 'node:net';

/** Cleared with what they were for; sockets take a few turns to close, and on a busy machine some time. */
const TIMERS: readonly string[] = ['Timeout', 'Immediate'];

/** What is left of a process's work, but for what was there before. */
export class Leftovers {
  readonly #before = countOf(process.getActiveResourcesInfo());
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

  /** Names of what is there now and was not before, once for each. */
  now(): string[] {
    const resources = countOf(process.getActiveResourcesInfo());
    const kept = [...resources].flatMap(([name, count]) => times(name, count - (this.#before.get(name) ?? 0)));
    return [...kept, ...times('open socket', this.#sockets.size)];
  }

  /** The same, when nothing is left any more, or after so many milliseconds; timers that are there at once count in any case. */
  async afterClosing(patience: number): Promise<string[]> {
    await turns();
    const timers = this.now().filter((name) => TIMERS.includes(name));
    const left = (await this.afterWaiting(patience)).filter((name) => !TIMERS.includes(name));
    return [...timers, ...left];
  }

  /** The same, when nothing is left any more, or after so many milliseconds. */
  async afterWaiting(patience: number): Promise<string[]> {
    const until = performance.now() + patience;
    while (this.now().length > 0 && performance.now() < until) await turns();
    return this.now();
  }
}

/** What still listens on a signal that many calls have shared. */
export function listenersOn(signal: AbortSignal): string[] {
  return getEventListeners(signal, 'abort').map(() => 'listener on the long-lived signal');
}

/** A timer of ours would be counted. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

const times = (name: string, count: number): string[] => Array.from({ length: Math.max(0, count) }, () => name);

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
