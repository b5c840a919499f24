import {
  Agent,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { connect } from 'node:net';

/** Headers of one connection alone. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** How long in ms a new connection rests: until the service has accepted it, what is written on open ones would be read first. */
const ACCEPT_MS = 2;

type Created = Parameters<Agent['createConnection']>[1];

class SettlingAgent extends Agent {
  override createConnection(options: ClientRequestArgs, created: Created): undefined {
    const socket = connect({ host: '127.0.0.1', port: Number(options.port), noDelay: true });
    const fail = (error: Error) => created?.(error, socket);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      // The immediate is for a service in this process: its loop has to come round once more.
      setTimeout(() => setImmediate(() => created?.(null, socket)), ACCEPT_MS);
    });
  }
}

/** A request that an edge has received, and where its answer goes: over HTTP/1.1 or over HTTP/2. */
export type Received = IncomingMessage | Http2ServerRequest;
export type Answer = ServerResponse | Http2ServerResponse;

/** An edge's own connections to the service. Each is kept open and carries one request at a time. */
export class Upstream {
  readonly #agent = new SettlingAgent({ keepAlive: true, maxFreeSockets: 256 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Hands the request on, and the service's answer back. 502 when there is none; one that breaks off is broken off, too. */
  handOn(received: Received, answer: Answer): ClientRequest {
    const { method, url: path, headers } = received;
    const options = { host: '127.0.0.1', port: this.#port, agent: this.#agent, method, path };
    const forwarded = request({ ...options, headers: headersOnTheWay(headers) });
    answer.once('close', () => forwarded.destroy());
    received.on('error', () => forwarded.destroy());
    forwarded.once('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, headersOnTheWay(given.headers));
      // Not `pipeline`: it destroys an HTTP/2 answer that it has ended, also while its last bytes wait for the client.
      given.once('error', () => answer.destroy());
      given.pipe(answer);
    });
    forwarded.once('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    });
    received.pipe(forwarded);
    return forwarded;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function headersOnTheWay(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_THE_CONNECTION.has(name)),
  );
}
