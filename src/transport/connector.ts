import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { afterReading, atLimit, soon } from '../util/platform.js';
import { secureContextOf } from './tls.js';

/** Limit for DNS, TCP and TLS together. It counts in `timeout`, not in `attemptTimeout`. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Within this time after a response, the service is unlikely to be closing the connection. */
export const FRESH_MS = 500;

/** A connection is used for this time, give or take a fifth: a change of DNS is then followed. */
const LIFETIME_MS = 300_000;

/** Returns the time after which a new connection is replaced, in ms of `performance.now()`. */
export const endOfUse = (): number => performance.now() + LIFETIME_MS * (0.8 + 0.4 * Math.random());

/** TCP checks after this idle time if the other side is still there. */
const KEEP_ALIVE_PROBE_MS = 60_000;

/** The protocol of a connection, by its name in TLS (ALPN). */
export type Protocol = 'h2' | 'http/1.1';

/** Listens to the opening of a connection. One of the two is called, once. */
export interface Opening {
  onOpen(socket: Socket, protocol: Protocol): void;
  /** @param unopened Always true: see `PoolOwner`. */
  onFailed(error: Error, unopened: true): void;
}

/** Opens connections to one origin. Certificates are verified, whatever the environment says. */
export class Connector {
  readonly secure: boolean;
  readonly #host: string;
  readonly #port: number;
  readonly #onUnsolicited: () => void;
  readonly #opening = new Set<Socket>();
  /** All sockets that are not closed. */
  readonly #sockets = new Set<Socket>();
  #onAllClosed: (() => void) | undefined;
  #tls: SecureContext | undefined;
  /** The last TLS session. The next connection resumes it, to save a round trip. */
  #session: Buffer | undefined;

  /**
   * @param tls User-supplied certificates. Undefined: those that Node trusts.
   * @param onUnsolicited Called if the service sends bytes on a connection before any request.
   */
  constructor(origin: string, tls: SecureContext | undefined, onUnsolicited: () => void) {
    const { protocol, hostname, port } = new URL(origin);
    this.secure = protocol === 'https:';
    this.#host = hostname.replace(/^\[|\]$/g, '');
    this.#port = port === '' ? (this.secure ? 443 : 80) : Number(port);
    this.#tls = tls;
    this.#onUnsolicited = onUnsolicited;
  }

  /**
   * Opens one connection.
   *
   * @param protocols Protocols to offer to the service, the preferred one first. Without TLS none
   *   is offered.
   */
  open(protocols: readonly Protocol[], opening: Opening): void {
    let socket: Socket;
    try {
      socket = this.#connect(protocols);
    } catch (error) {
      soon(() => opening.onFailed(noConnection(error), true));
      return;
    }
    this.#opening.add(socket);
    this.#sockets.add(socket);
    const giveUp = () => {
      if (this.#opening.has(socket)) socket.destroy(this.#timeout());
    };
    const timer = setTimeout(() => atLimit(giveUp), CONNECT_TIMEOUT_MS);
    // True for the first of the events that end the opening.
    const settles = () => {
      clearTimeout(timer);
      return this.#opening.delete(socket);
    };
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    // Otherwise undici would report the end without the TLS alert that caused it.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#onAllClosed?.();
      if (settles()) opening.onFailed(noConnection(socket.errored ?? new Error('it was closed at once')), true);
    });
    socket.once(this.secure ? 'secureConnect' : 'connect', () => {
      if (settles()) this.#handOver(socket, opening);
    });
  }

  /** Gives up the connections that are being opened. Resolves when all sockets are closed. */
  close(): Promise<void> {
    for (const socket of this.#opening) socket.destroy(new Error('closed'));
    return new Promise((resolve) => {
      this.#onAllClosed = resolve;
      if (this.#sockets.size === 0) resolve();
    });
  }

  #handOver(socket: Socket, opening: Opening): void {
    // Over HTTP/2 the service speaks first.
    if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') {
      opening.onOpen(socket, 'h2');
      return;
    }
    // HTTP/1.1 would take bytes that came with the handshake for the response to its first request.
    afterReading(() => {
      const failure = this.#failureOf(socket);
      if (failure === undefined) {
        opening.onOpen(socket, 'http/1.1');
        return;
      }
      socket.destroy();
      opening.onFailed(failure, true);
    });
  }

  #connect(protocols: readonly Protocol[]): Socket {
    const [host, port] = [this.#host, this.#port];
    if (!this.secure) return connectTcp({ host, port });
    this.#tls ??= secureContextOf(undefined);
    const socket = connectTls({
      host,
      port,
      ALPNProtocols: protocols,
      rejectUnauthorized: true,
      // With a context, Node reads no other TLS settings from the options.
      secureContext: this.#tls,
      servername: isIP(this.#host) === 0 ? this.#host : undefined,
      session: this.#session,
    });
    return socket.on('session', (session) => {
      this.#session = session;
    });
  }

  /** Returns the reason not to use a new HTTP/1.1 connection; undefined if there is none. */
  #failureOf(socket: Socket): Error | undefined {
    if (socket.destroyed) return noConnection(socket.errored ?? new Error('it was closed at once'));
    if (socket.readableLength === 0) return undefined;
    this.#onUnsolicited();
    return new Error('the service sent bytes before any request');
  }

  /** Returns the error that undici reports for a connection that takes too long. */
  #timeout(): Error {
    const message = `no connection to ${this.#host}:${this.#port} within ${CONNECT_TIMEOUT_MS} ms`;
    return Object.assign(new Error(message), { name: 'ConnectTimeoutError', code: 'UND_ERR_CONNECT_TIMEOUT' });
  }
}

export function noConnection(cause: unknown): Error {
  return new Error('no connection', { cause });
}
