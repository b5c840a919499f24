import type { Socket } from 'node:net';
import { undiciParts } from './undici-parts.js';

/**
 * A connection that nothing was sent over is closed after this time, as undici closes an idle one.
 * Some edges answer 408 to a connection that stays without a request.
 */
const UNUSED_LIMIT_MS = 4_000;

/** The owner of an unused socket. */
interface UnusedSocketOwner {
  /** Called when the socket has ended, once or twice. */
  onUnusedEnd(error: Error): void;
  /** Called when bytes arrived. The socket is about to close. */
  onUnsolicited(): void;
}

/**
 * Watches an open socket from its opening until undici takes it, at the first request. It does not
 * keep the process running.
 */
export class UnusedSocket {
  readonly #socket: Socket;
  readonly #owner: UnusedSocketOwner;
  readonly #timer: ReturnType<typeof setTimeout>;
  #error: Error | undefined;

  constructor(socket: Socket, owner: UnusedSocketOwner) {
    this.#socket = socket;
    this.#owner = owner;
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
    socket.unref();
    this.#timer = setTimeout(this.#onTimeout, UNUSED_LIMIT_MS);
    this.#timer.unref();
  }

  /** Ends the watch and returns the socket. If the socket has ended, it calls `onUnusedEnd`. */
  take(): Socket | undefined {
    const socket = this.#socket;
    if (socket.readableEnded) this.#onEnd();
    // Node emits `close` one turn of the event loop later.
    if (socket.destroyed) {
      this.#onClose();
      return undefined;
    }
    for (const [event, listener] of this.#listeners) socket.off(event, listener);
    clearTimeout(this.#timer);
    return socket.ref();
  }

  readonly destroy = (reason: Error): void => {
    this.#error ??= reason;
    this.#socket.destroy();
  };

  readonly #onReadable = (): void => {
    if (this.#socket.readableLength === 0 || this.#socket.destroyed) return;
    this.#owner.onUnsolicited();
    this.destroy(new Error('the service sent bytes before any request'));
  };

  readonly #onEnd = (): void => this.destroy(socketError('other side closed'));

  readonly #onTimeout = (): void => this.destroy(new (undiciParts().errors.InformationalError)('it was not used'));

  readonly #onClose = (): void => {
    clearTimeout(this.#timer);
    this.#owner.onUnusedEnd(this.#error ?? socketError('closed'));
  };

  readonly #listeners = [
    ['readable', this.#onReadable],
    ['end', this.#onEnd],
    ['error', this.destroy],
    ['close', this.#onClose],
  ] as const;
}

/** Returns the error that undici gives for the end of a used connection. */
const socketError = (message: string): Error => new (undiciParts().errors.SocketError)(message);
