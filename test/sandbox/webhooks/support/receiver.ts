import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One delivery as it came in. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Answers a delivery that has come in whole, in whatever way. */
export type Behaviour = (response: ServerResponse, delivery: Received) => void;

/** Answers with this status and no body. */
export const answering =
  (status: number): Behaviour =>
  (response) =>
    void response.writeHead(status).end();

/** Never answers. */
export const stalling: Behaviour = () => {};

/** A partner's endpoint on a real socket. */
export class Receiver {
  readonly received: Received[] = [];
  behave: Behaviour;
  /** How many deliveries it has in hand, and the most that it ever had. */
  inHand = 0;
  mostInHand = 0;
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  private constructor(behave: Behaviour) {
    this.behave = behave;
    this.#server = createServer((request, response) => this.#take(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#open.delete(socket));
    });
  }

  /** Opens one for a test, which closes it at its end. */
  static async open(behave: Behaviour = answering(204), port = 0): Promise<Receiver> {
    const receiver = new Receiver(behave);
    await new Promise<void>((resolve) => receiver.#server.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/webhooks`;
  }

  /** Connections that neither side has ended. */
  get openSockets(): number {
    return this.#open.size;
  }

  /** The ids of the events, in the envelopes. */
  get ids(): (string | undefined)[] {
    return this.received.map(({ body }) => JSON.parse(body).id);
  }

  /** Resolves as soon as so many deliveries have come in. */
  arrived(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      this.#wake();
    });
  }

  async close(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.inHand += 1;
    this.mostInHand = Math.max(this.mostInHand, this.inHand);
    response.on('close', () => {
      this.inHand -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers, rawHeaders } = request;
      const delivery = { path: url, headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8') };
      this.received.push(delivery);
      this.behave(response, delivery);
      this.#wake();
    });
  }

  #wake(): void {
    const isThere = ({ count }: { count: number }): boolean => this.received.length >= count;
    for (const { resolve } of this.#waiting.filter(isThere)) resolve();
    this.#waiting = this.#waiting.filter((one) => !isThere(one));
  }
}
