import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificateFor } from '../../support/certificate.js';

export const CERTIFICATE = certificateFor('localhost');

export interface RawServerOptions {
  /** Over TLS with these protocols; without it plain TCP. */
  readonly protocols?: readonly string[] | undefined;
}

/** A server that speaks bytes: what a connection does is the test's. */
export class RawServer {
  /** How many connections it has accepted. */
  accepted = 0;
  readonly sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #secure: boolean;

  private constructor(server: Server, secure: boolean) {
    this.#server = server;
    this.#secure = secure;
  }

  static async start(
    serve: (socket: Socket, number: number) => void,
    options: RawServerOptions = {},
  ): Promise<RawServer> {
    const { protocols } = options;
    const server =
      protocols === undefined
        ? createServer({ noDelay: true })
        : createTlsServer({ ...CERTIFICATE, ALPNProtocols: [...protocols], noDelay: true });
    const started = new RawServer(server, protocols !== undefined);
    server.on('tlsClientError', () => {});
    server.on(protocols === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      const number = started.accepted++;
      started.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => started.sockets.delete(socket));
      serve(socket, number);
      // Else the end of a connection that the test does not read is not seen.
      socket.resume();
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    return started;
  }

  get origin(): string {
    return `${this.#secure ? 'https' : 'http'}://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Calls back with the request line and the body of each HTTP/1.1 request on a connection, in order. */
export function onRequests(socket: Socket, serve: (line: string, body: string) => void): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (;;) {
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const line = text.slice(0, text.indexOf('\r\n'));
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      serve(line, body);
    }
  });
}

export function answer(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}
