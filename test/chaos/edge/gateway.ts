import { Agent, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';

/** A request that an edge has read, by either protocol. */
export type EdgeRequest = IncomingMessage | Http2ServerRequest;
export type EdgeResponse = ServerResponse | Http2ServerResponse;

/** Headers that are about one connection, not about the message: they are not passed on. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'http2-settings']);

/** An answer that has been read to its end. */
interface Whole {
  readonly head: IncomingMessage;
  readonly body: Buffer;
  readonly to: EdgeResponse;
}

/** An answer that a stream of HTTP/2 does not get, or of which it gets only the head; and the code of its RST_STREAM. */
export interface BreaksOff {
  readonly breaksOff: 'reset after' | 'reset within';
  readonly code: number;
}

/** How long an answer waits for another one to be exchanged with, in ms. */
const SWAP_WAIT_MS = 60;

/**
 * Passes requests on to the service over connections of its own, and the answers back: the half of an edge that faces
 * the service.
 */
export class Gateway {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #swaps: boolean;
  readonly #resends: number;
  #held: Whole | undefined;
  #underWay = 0;
  /** How many requests were sent again. */
  resent = 0;

  /**
   * An edge that `swaps` gives two answers each to the other's request: it is broken on purpose. After a 503, and when the service
   * breaks off before its answer, the same bytes are sent again, `resends` times at most. Default 0.
   */
  constructor(port: number, { swaps, resends = 0 }: { readonly swaps: boolean; readonly resends?: number }) {
    this.#port = port;
    this.#swaps = swaps;
    this.#resends = resends;
  }

  get atRest(): boolean {
    return this.#underWay === 0;
  }

  /**
   * The whole request is read first, as most edges do. When the client gives up meanwhile, the service is told by a
   * closed connection. The answer of one that breaks off is not passed back, or only its head.
   */
  forward(request: EdgeRequest, response: EdgeResponse, breaksOff?: BreaksOff): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      if (!isOver(response)) this.#send(request, Buffer.concat(chunks), response, breaksOff, this.#resends);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    request: EdgeRequest,
    body: Buffer,
    response: EdgeResponse,
    breaksOff: BreaksOff | undefined,
    left: number,
  ): void {
    this.#underWay++;
    const sent = requestOf({
      ...{ port: this.#port, host: '127.0.0.1', agent: this.#agent },
      ...{ method: request.method, path: request.url, headers: passedOn(request.headers) },
    });
    const again = () => {
      this.resent++;
      this.#send(request, body, response, breaksOff, left - 1);
    };
    sent.on('response', (answer) => {
      if (answer.statusCode === 503 && left > 0) answer.resume().on('end', again);
      else if (breaksOff !== undefined) breakOffAfter(answer, response, breaksOff);
      else if (this.#swaps) void this.#readWhole(answer, response);
      else passBack(answer, response);
    });
    sent.on('error', () => {
      if (response.headersSent) breakOff(response);
      else if (left > 0 && !isOver(response)) again();
      else badGateway(response);
    });
    sent.on('close', () => this.#underWay--);
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  async #readWhole(answer: IncomingMessage, to: EdgeResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of answer) chunks.push(chunk as Buffer);
    } catch {
      return breakOff(to);
    }
    const whole: Whole = { head: answer, body: Buffer.concat(chunks), to };
    const held = this.#held;
    if (held === undefined) {
      this.#held = whole;
      setTimeout(() => this.#letGo(whole), SWAP_WAIT_MS);
      return;
    }
    this.#held = undefined;
    give(whole, held.to);
    give(held, whole.to);
  }

  /** Nothing came that it could be exchanged with. */
  #letGo(whole: Whole): void {
    if (this.#held !== whole) return;
    this.#held = undefined;
    give(whole, whole.to);
  }
}

function passedOn(headers: EdgeRequest['headers']): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':') && !OF_CONNECTION.has(name)) passed[name] = value;
  }
  const authority = headers[':authority'];
  if (typeof authority === 'string') passed['host'] = authority;
  return passed;
}

function passBack(answer: IncomingMessage, response: EdgeResponse): void {
  if (isOver(response)) return;
  response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
  const sink: Writable = response;
  answer.on('data', (chunk: Buffer) => sink.write(chunk));
  answer.on('end', () => response.end());
  // The service broke off in the middle: so must the edge.
  answer.on('error', () => breakOff(response));
}

function give({ head, body }: Whole, response: EdgeResponse): void {
  if (isOver(response)) return;
  response.writeHead(head.statusCode ?? 502, { ...passedOn(head.headers), 'content-length': String(body.length) });
  response.end(body);
}

const isOver = (response: EdgeResponse): boolean =>
  'stream' in response ? (response.stream?.destroyed ?? true) : response.destroyed;

/** No answer came from the service. It may have served the request. */
function badGateway(response: EdgeResponse): void {
  if (isOver(response)) return;
  response.writeHead(502, { 'content-type': 'text/html' });
  response.end('<html><body>502 Bad Gateway</body></html>');
}

function breakOffAfter(
  { statusCode, headers }: IncomingMessage,
  response: EdgeResponse,
  { breaksOff, code }: BreaksOff,
) {
  if (isOver(response)) return;
  if (breaksOff === 'reset within') response.writeHead(statusCode ?? 502, passedOn(headers));
  setTimeout(() => breakOff(response, code), HEAD_MS);
}

/** A head has left after this time in ms. */
const HEAD_MS = 10;

function breakOff(response: EdgeResponse, code = INTERNAL_ERROR): void {
  if ('stream' in response) response.stream?.close(code);
  else response.destroy();
}

/** The error code of HTTP/2 for a stream that the server cannot go on with. */
const INTERNAL_ERROR = 2;
