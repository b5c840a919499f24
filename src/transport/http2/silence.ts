import type { Socket } from 'node:net';

/** Time in ms in which nothing arrives while streams wait, after which a connection is likely to be dead. */
const SILENCE_MS = 1_000;

/** Watches whether anything arrives on a connection after something was sent over it. */
export class Silence {
  readonly #socket: Socket;
  /** What had arrived when the first request was sent that nothing has arrived since. */
  #bytesRead = 0;
  /** When that was, in ms of `performance.now()`. */
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** A request is about to be sent. */
  onSent(): void {
    const { bytesRead } = this.#socket;
    if (bytesRead === this.#bytesRead) return;
    this.#bytesRead = bytesRead;
    this.#since = performance.now();
  }

  /** Nothing has arrived for so long that an answer that is late will hardly come. */
  get long(): boolean {
    return this.#socket.bytesRead === this.#bytesRead && performance.now() - this.#since >= SILENCE_MS;
  }
}
