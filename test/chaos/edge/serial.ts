import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { RequestFraming } from '../link/request-framing.js';
import type { Edge } from './edge.js';
import { Gateway } from './gateway.js';

/** How long a connection may be idle, in ms, which the edge does not tell: short enough that it happens in a run. */
const KEEP_ALIVE_MS = 1_000;

/** Bytes of one connection: those of a later request wait until the earlier one has been answered. */
class InTurn extends Duplex {
  readonly #socket: Socket;
  readonly #waiting: { readonly bytes: Buffer; readonly begins: boolean }[] = [];
  #answering = false;
  #ended = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    let starts: number[] = [];
    let seen = 0;
    const framing = new RequestFraming({ onStart: (offset) => starts.push(offset), onHead() {} });
    socket.on('data', (chunk: Buffer) => {
      starts = [];
      framing.feed(chunk);
      const places = [0, ...starts.map((offset) => offset - seen), chunk.length];
      for (const [index, place] of places.slice(0, -1).entries()) {
        const bytes = chunk.subarray(place, places[index + 1]);
        if (bytes.length > 0) this.#waiting.push({ bytes, begins: index > 0 });
      }
      seen += chunk.length;
      this.#release();
    });
    socket.on('end', () => {
      this.#ended = true;
      this.#release();
    });
    socket.on('error', () => {});
    socket.on('close', () => this.destroy());
  }

  /** The request that was let through has its answer: the next one may follow. */
  answered(): void {
    this.#answering = false;
    this.#release();
    if (!this.#answering) this.#idle = setTimeout(() => this.#socket.end(), KEEP_ALIVE_MS);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#socket.writable) done();
    else this.#socket.write(chunk, () => done());
  }

  override _final(done: () => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#socket.destroy();
    done(error);
  }

  #release(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.begins) {
        if (this.#answering) return;
        this.#answering = true;
        clearTimeout(this.#idle);
      }
      this.#waiting.shift();
      this.push(next.bytes);
    }
    if (this.#ended) this.push(null);
  }
}

/** A proxy as most are: it reads the next request of a connection only after the answer to the one before. */
export class SerialEdge implements Edge {
  readonly wire = undefined;
  readonly #http = createHttpServer({ keepAliveTimeout: 0 });
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #gateway: Gateway;

  private constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      const turns = new InTurn(socket);
      turns.on('error', () => {});
      // An HTTP server takes any duplex for a connection.
      this.#http.emit('connection', turns);
    });
    this.#http.on('request', (request, response: ServerResponse) => {
      const turns: unknown = request.socket;
      response.on('close', () => {
        if (turns instanceof InTurn) turns.answered();
      });
      gateway.forward(request, response);
    });
  }

  /** It sends a request again `resends` times at most, as `Gateway` does. Default 0. */
  static async start(
    servicePort: number,
    options: { readonly swaps: boolean; readonly resends?: number },
  ): Promise<SerialEdge> {
    const edge = new SerialEdge(new Gateway(servicePort, options));
    await new Promise<void>((resolve) => edge.#server.listen(0, '127.0.0.1', resolve));
    return edge;
  }

  get faults(): ReadonlyMap<string, number> {
    const { resent } = this.#gateway;
    return new Map(resent === 0 ? [] : [['edge: sent again', resent]]);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get atRest(): boolean {
    return this.#gateway.atRest;
  }

  async close(): Promise<void> {
    this.#gateway.close();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
