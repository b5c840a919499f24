import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Upstream } from './upstream.js';

/** An HTTP/1.1 proxy that begins with the next request of a connection when the one before has been answered, as nginx, HAProxy and Caddy do. */
export class SerialEdge {
  readonly #upstream: Upstream;
  readonly #server: Server;
  /** When the last request of each connection has been answered. */
  readonly #answered = new WeakMap<Socket, Promise<void>>();

  private constructor(upstream: Upstream, idle: number) {
    this.#upstream = upstream;
    this.#server = createServer({ keepAliveTimeout: idle }, (message, response) => this.#take(message, response));
  }

  /** Before the service at this port. A connection without a request is closed after `idle` ms. */
  static async start(port: number, idle = 75_000): Promise<SerialEdge> {
    const edge = new SerialEdge(new Upstream(port), idle);
    await new Promise<void>((resolve) => edge.#server.listen(0, '127.0.0.1', resolve));
    return edge;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    this.#upstream.close();
  }

  #take(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    const before = this.#answered.get(socket) ?? Promise.resolve();
    this.#answered.set(
      socket,
      before.then(() => this.#handle(message, response)),
    );
  }

  /** Resolves when the answer has been written, or its connection is gone. */
  #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (message.socket.destroyed) return Promise.resolve();
    const over = new Promise<void>((resolve) => response.once('close', resolve));
    this.#upstream.handOn(message, response);
    return over;
  }
}
