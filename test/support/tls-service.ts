import type { ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type SecureServerOptions } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Responding } from './give.js';
import { rightAnswer } from './service.js';

/** What TLS may negotiate: HTTP/1.1 alone, or HTTP/2 as well. */
export const TLS_PROTOCOLS = ['https', 'http2'] as const;

/** A service over TLS at `localhost` that takes every request, and gives its right answer. It checks neither nonces nor signatures. */
export class TlsService {
  readonly requests: string[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request: Http2ServerRequest, response: Responding) => this.#answer(request, response));
    for (const event of ['tlsClientError', 'sessionError']) server.on(event, () => undefined);
  }

  static async start(protocol: (typeof TLS_PROTOCOLS)[number], options: SecureServerOptions): Promise<TlsService> {
    const server = protocol === 'https' ? createServer(options) : createSecureServer({ ...options, allowHTTP1: true });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new TlsService(server);
  }

  get url(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  #answer(request: Http2ServerRequest, response: Responding): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path } = request;
      this.requests.push(`HTTP/${request.httpVersion} ${method} ${path}`);
      const { status = 200, headers, body } = rightAnswer({ method, path, body: Buffer.concat(chunks) });
      // What is used of the two kinds of answers is the same.
      (response as ServerResponse).writeHead(status, headers).end(body);
    });
  }
}
