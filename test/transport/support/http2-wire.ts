import type { Socket } from 'node:net';
import { RawServer } from '../../support/raw-server.js';

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7];
const [END_STREAM, END_HEADERS, ACK] = [1, 4, 1];
const MAX_CONCURRENT_STREAMS = 3;
const PREFACE_BYTES = 24;

/** Header blocks in HPACK: an index of the static table, then literals. */
const STATUS_200 = Buffer.from([0x88]);
const STATUS_204 = Buffer.from([0x89]);
const STATUS_404 = Buffer.from([0x8d]);

export const NO_ERROR = 0;
export const INTERNAL_ERROR = 2;
export const REFUSED_STREAM = 7;
export const CANCEL = 8;

/** A connection of a server that writes the frames of HTTP/2 by hand, so that it may break the rules. */
export class Http2Wire {
  /** The streams of all requests that have arrived, in order. */
  readonly streams: number[] = [];
  /** The streams that the client has reset, with the code. */
  readonly resets = new Map<number, number>();
  readonly socket: Socket;
  readonly number: number;
  #bytes = Buffer.alloc(0);
  #prefaced = false;
  #greeted = false;

  constructor(socket: Socket, number: number, onRequest: (wire: Http2Wire, stream: number) => void) {
    this.socket = socket;
    this.number = number;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#read((stream) => {
        this.streams.push(stream);
        onRequest(this, stream);
      });
    });
  }

  settings(maxConcurrentStreams?: number): void {
    this.#greeted = true;
    const value = Buffer.alloc(maxConcurrentStreams === undefined ? 0 : 6);
    if (maxConcurrentStreams !== undefined) {
      value.writeUInt16BE(MAX_CONCURRENT_STREAMS, 0);
      value.writeUInt32BE(maxConcurrentStreams, 2);
    }
    this.frame(SETTINGS, 0, 0, value);
  }

  answer(stream: number, body: string): void {
    this.head(stream);
    this.data(stream, body, true);
  }

  head(stream: number): void {
    this.frame(HEADERS, END_HEADERS, stream, STATUS_200);
  }

  /** A head after which no body comes. */
  lastHead(stream: number): void {
    this.frame(HEADERS, END_HEADERS | END_STREAM, stream, STATUS_204);
  }

  notFound(stream: number): void {
    this.frame(HEADERS, END_HEADERS | END_STREAM, stream, STATUS_404);
  }

  /** A head with literal headers, each name and value shorter than 127 bytes. */
  headWith(stream: number, headers: readonly (readonly [string, string])[]): void {
    const literals = headers.flatMap(([name, value]) => [
      Buffer.from([0x10, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]);
    this.frame(HEADERS, END_HEADERS, stream, Buffer.concat([STATUS_200, ...literals]));
  }

  /** An interim head: 103, which the static table does not have. */
  interim(stream: number): void {
    const literal = Buffer.concat([Buffer.from([0x08, 3]), Buffer.from('103')]);
    this.frame(HEADERS, END_HEADERS, stream, literal);
  }

  trailers(stream: number): void {
    const literal = Buffer.concat([Buffer.from([0x10, 1]), Buffer.from('a'), Buffer.from([1]), Buffer.from('b')]);
    this.frame(HEADERS, END_HEADERS | END_STREAM, stream, literal);
  }

  data(stream: number, body: string, last: boolean): void {
    this.frame(DATA, last ? END_STREAM : 0, stream, Buffer.from(body));
  }

  reset(stream: number, code: number): void {
    const value = Buffer.alloc(4);
    value.writeUInt32BE(code);
    this.frame(RST_STREAM, 0, stream, value);
  }

  goaway(lastStream: number, code = NO_ERROR): void {
    const value = Buffer.alloc(8);
    value.writeUInt32BE(lastStream, 0);
    value.writeUInt32BE(code, 4);
    this.frame(GOAWAY, 0, 0, value);
  }

  frame(type: number, flags: number, stream: number, payload: Buffer): void {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(type, 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    if (this.socket.writable) this.socket.write(Buffer.concat([head, payload]));
  }

  #read(onRequest: (stream: number) => void): void {
    if (!this.#prefaced) {
      if (this.#bytes.length < PREFACE_BYTES) return;
      this.#bytes = this.#bytes.subarray(PREFACE_BYTES);
      this.#prefaced = true;
    }
    while (this.#bytes.length >= 9) {
      const length = this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < 9 + length) return;
      const [type, flags, stream] = [this.#bytes[3], this.#bytes[4] ?? 0, this.#bytes.readUInt32BE(5)];
      const payload = this.#bytes.subarray(9, 9 + length);
      this.#bytes = this.#bytes.subarray(9 + length);
      if (type === SETTINGS && (flags & ACK) === 0 && this.#greeted) this.frame(SETTINGS, ACK, 0, Buffer.alloc(0));
      if (type === RST_STREAM) this.resets.set(stream, payload.readUInt32BE(0));
      // A request is there when its stream is ended, by its head or by its body.
      if ((type === HEADERS || type === DATA) && (flags & END_STREAM) !== 0) onRequest(stream);
    }
  }
}

export interface WireScript {
  /** Default: it sends its settings. */
  connected?(wire: Http2Wire): void;
  request(wire: Http2Wire, stream: number): void;
}

/** A TLS server that speaks HTTP/2 by hand. `wires` has its connections in order. */
export async function startWire(
  script: WireScript,
): Promise<{ readonly server: RawServer; readonly wires: Http2Wire[] }> {
  const wires: Http2Wire[] = [];
  const server = await RawServer.start(
    (socket, number) => {
      const wire = new Http2Wire(socket, number, (from, stream) => script.request(from, stream));
      wires.push(wire);
      if (script.connected === undefined) wire.settings();
      else script.connected(wire);
    },
    { protocols: ['h2'] },
  );
  return { server, wires };
}
