import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingHttpHeaders, request } from 'node:http';
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

/** An edge's own connections to the service. Each is kept open and carries one request at a time. */
export class Upstream {
  readonly #agent = new SettlingAgent({ keepAlive: true, maxFreeSockets: 256 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Begins a request. The caller writes its body and ends it. */
  request(method: string, path: string, headers: IncomingHttpHeaders): ClientRequest {
    return request({
      host: '127.0.0.1',
      port: this.#port,
      agent: this.#agent,
      method,
      path,
      headers: headersOnTheWay(headers),
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The headers that an edge hands on, in both directions. */
export function headersOnTheWay(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_THE_CONNECTION.has(name)),
  );
}
