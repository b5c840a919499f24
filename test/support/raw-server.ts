import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { certificateFor } from './certificate.js';

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

/** One request of HTTP/1.1, as its bytes came. */
interface Framed {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Calls back with the requests that each chunk of a connection completes, in order. */
export function onChunks(socket: Socket, serve: (requests: readonly Framed[]) => void): void {
  let left: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    const requests: Framed[] = [];
    for (let end = left.indexOf('\r\n\r\n'); end >= 0; end = left.indexOf('\r\n\r\n')) {
      const [line = '', ...lines] = left.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(
        lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
      );
      const whole = end + 4 + Number(headers['content-length'] ?? 0);
      if (left.length < whole) break;
      requests.push({ line, headers, body: left.subarray(end + 4, whole) });
      left = left.subarray(whole);
    }
    if (requests.length > 0) serve(requests);
  });
}

/** Calls back with the request line of each request on a connection, in order. */
export function onRequests(socket: Socket, serve: (line: string) => void): void {
  onChunks(socket, (requests) => {
    for (const { line } of requests) serve(line);
  });
}

export function answer(body: string, headers = ''): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}
