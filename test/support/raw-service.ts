import type { Socket } from 'node:net';
import { onChunks, RawServer } from './raw-server.js';
import { type Answer, json, rightAnswer } from './service.js';

export interface RawRequest {
  /** Place in the order of arrival, from 0. */
  readonly index: number;
  /** Number of its connection, from 1. */
  readonly connection: number;
  /** Place on its connection, from 0. */
  readonly place: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * A service on bare sockets, which may answer a request not at all, twice, or with the answer to another one. The answers to the requests
 * that arrive in one piece leave in one piece.
 */
export class RawService {
  readonly requests: RawRequest[] = [];
  readonly sockets: Socket[] = [];
  /** The answers that follow a request. Default: its right one. */
  script: (request: RawRequest) => readonly Answer[] = (request) => [rightFor(request)];
  /** Told of each new connection, before its first request. */
  onConnection: (socket: Socket) => void = () => {};
  #server: RawServer | undefined;

  static async start(): Promise<RawService> {
    const service = new RawService();
    service.#server = await RawServer.start((socket) => service.#connect(socket));
    return service;
  }

  get url(): string {
    return this.#server?.origin ?? '';
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  #connect(socket: Socket): void {
    const connection = this.sockets.push(socket);
    let place = 0;
    this.onConnection(socket);
    onChunks(socket, (requests) => {
      const answers = requests.flatMap(({ line, headers, body }) => {
        const [method = '', path = ''] = line.split(' ');
        const request = { index: this.requests.length, connection, place: place++, method, path, headers, body };
        this.requests.push(request);
        return this.script(request).map(wire);
      });
      if (answers.length > 0 && !socket.destroyed) socket.write(answers.join(''));
    });
  }
}

/** An answer as it goes over the wire. */
export function wire({ status = 200, headers = {}, body = '' }: Answer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} X\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The answer that belongs to a request: what it names stands in it. */
export function rightFor(request: Pick<RawRequest, 'method' | 'path' | 'body'>): Answer {
  const segments = (request.path.split('?')[0] ?? '').split('/').map(decodeURIComponent);
  const [last = '', before = ''] = [segments.at(-1), segments.at(-2)];
  if (before === 'quotes') return json(200, { data: quoteOf(last) });
  if (last === 'execute') return json(200, { data: { id: before, status: 'executing' } });
  return rightAnswer(request);
}

const usd = { symbol: 'USD', type: 'fiat', name: 'US Dollar' };
const btc = { symbol: 'BTC', type: 'crypto', name: 'Bitcoin' };

/** A quote as the service shows it. */
function quoteOf(id: string): Record<string, unknown> {
  const amounts = { from: { ...usd, amount: '100.00' }, to: { ...btc, amount: '0.0016' } };
  const fees = { trade: { ...usd, amount: '0.50' } };
  const rate = { base: btc, quote: usd, price: '61234.10' };
  return { id, status: 'offered', expires_at: '2030-01-01T00:00:00Z', ...amounts, fees, rate };
}
