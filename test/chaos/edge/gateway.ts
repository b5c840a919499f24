import { Agent, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Writable } from 'node:stream';

/** A request that an edge has read, by either protocol. */
export type EdgeRequest = IncomingMessage | Http2ServerRequest;
export type EdgeResponse = ServerResponse | Http2ServerResponse;

/** Headers that are about one connection, not about the message: they are not passed on. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'http2-settings']);

/** An answer that a stream of HTTP/2 does not get, or of which it gets only the head; and the code of its RST_STREAM. */
export interface BreaksOff {
  readonly breaksOff: 'reset after' | 'reset within';
  readonly code: number;
}

/** A head has left after this time in ms. */
const HEAD_MS = 10;

/** The error code of HTTP/2 for a stream that the server cannot go on with. */
const INTERNAL_ERROR = 2;

/**
 * Passes requests on to the service over connections of its own, and the answers back: the half of an edge that faces
 * the service.
 */
export class Gateway {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });
  #underWay = 0;

  constructor(port: number) {
    this.#port = port;
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
      if (!isOver(response)) this.#send(request, Buffer.concat(chunks), response, breaksOff);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, url, headers }: EdgeRequest, body: Buffer, response: EdgeResponse, breaksOff?: BreaksOff): void {
    this.#underWay++;
    const service = { port: this.#port, host: '127.0.0.1', agent: this.#agent };
    const sent = requestOf({ ...service, method, path: url, headers: passedOn(headers) });
    sent.on('response', (answer) => {
      if (isOver(response)) return;
      if (breaksOff === undefined) passBack(answer, response);
      else breakOffAfter(answer, response, breaksOff);
    });
    // No answer came from the service. It may have served the request.
    sent.on('error', () => {
      if (response.headersSent) breakOff(response);
      else if (!isOver(response)) {
        response.writeHead(502, { 'content-type': 'text/html' });
        response.end('<html><body>502 Bad Gateway</body></html>');
      }
    });
    sent.on('close', () => this.#underWay--);
    response.on('close', () => sent.destroy());
    sent.end(body);
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
  response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
  const sink: Writable = response;
  answer.on('data', (chunk: Buffer) => sink.write(chunk));
  answer.on('end', () => response.end());
  // The service broke off in the middle: so must the edge.
  answer.on('error', () => breakOff(response));
}

function breakOffAfter(
  { statusCode = 502, headers }: IncomingMessage,
  to: EdgeResponse,
  { breaksOff, code }: BreaksOff,
) {
  if (breaksOff === 'reset within') to.writeHead(statusCode, passedOn(headers));
  setTimeout(() => breakOff(to, code), HEAD_MS);
}

const isOver = (response: EdgeResponse): boolean =>
  'stream' in response ? (response.stream?.destroyed ?? true) : response.destroyed;

function breakOff(response: EdgeResponse, code = INTERNAL_ERROR): void {
  if ('stream' in response) response.stream?.close(code);
  else response.destroy();
}
