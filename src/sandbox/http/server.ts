import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  BODILESS,
  type ConnectionAction,
  type HttpAnswer,
  MAX_BODY_BYTES,
  type ReceivedBody,
  type RequestHead,
  type RequestReceiver,
} from '../request/messages.js';
import { CONTROL_PREFIX, type ControlAnswer, type ControlRequest } from './control-plane.js';
import { firstHalf, OwnedTimers, Trickle } from './pacing.js';

type Control = (request: ControlRequest) => Promise<ControlAnswer>;

/** A request that takes longer to arrive is answered 408. It holds up its API key. */
const LIMITS = { requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

export class HttpServer {
  readonly #server: Server;
  readonly #timers = new OwnedTimers();

  constructor(service: RequestReceiver, control: Control) {
    this.#server = createServer(LIMITS, (request, response) => {
      countUntilAnswered(request, response);
      if (request.url?.startsWith(CONTROL_PREFIX)) {
        void answerControl(request, response, control);
        return;
      }
      void service.receive(headOf(request), receivedBody(request)).then(({ action, delayMs }) => {
        this.#timers.after(delayMs, () => act(action, response, this.#timers));
      });
    });
    this.#server.on('clientError', refuseUnreadable);
    // Idle connections stay open until `close`. A client that reuses one just as it closes would
    // see a fault that was not asked for.
    this.#server.keepAliveTimeout = 0;
  }

  /** Returns the port. Rejects if it cannot listen there. */
  listen(port: number, host: string): Promise<number> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException): void => {
        const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message;
        reject(new Error(`The sandbox cannot listen on ${host}:${port}: ${why}`, { cause: error }));
      };
      server.once('error', refuse);
      server.listen(port, host, () => {
        server.removeListener('error', refuse);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Ends all connections, including those that wait for an answer. */
  close(): Promise<void> {
    this.#timers.close();
    return new Promise((resolve) => {
      // Closing a server that never listened gives an error: it is closed in either case.
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

/** Number of requests of each connection whose answer is not complete. */
const unanswered = new WeakMap<Duplex, number>();

function countUntilAnswered({ socket }: IncomingMessage, response: ServerResponse): void {
  const count = (change: number) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + change);
  count(1);
  response.once('close', () => count(-1));
}

/** Refuses unreadable bytes, unless an earlier request would take that for its answer. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || (unanswered.get(socket) ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

const STATUS_OF_UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Pages of other origins may not load these answers, not even as an image or a script. */
const CONTROL_HEADERS = {
  'content-type': 'application/json',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** The control plane takes no part in order, faults, latency and journal. */
async function answerControl(request: IncomingMessage, response: ServerResponse, control: Control): Promise<void> {
  const received = await receivedBody(request);
  if (received.kind === 'broken') return;
  const { method = '', url: target = '' } = request;
  const body = received.kind === 'complete' ? Buffer.from(received.bytes).toString('utf8') : '(too large)';
  const answer = await control({ method, target, header: headerOf(request), body });
  write({ ...answer, headers: CONTROL_HEADERS }, response).end(answer.body);
}

function headOf(request: IncomingMessage): RequestHead {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    origin: originOf(request),
    header: headerOf(request),
  };
}

/** A client may name any host, or none. */
function originOf({ headers }: IncomingMessage): string {
  const url = `http://${headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).origin : 'http://localhost';
}

function headerOf({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

function receivedBody(request: IncomingMessage): Promise<ReceivedBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A body that is too large is read to its end, so the refusal reaches a client that is still
      // sending.
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      if (length > MAX_BODY_BYTES) resolve({ kind: 'too_large' });
      else resolve({ kind: 'complete', bytes: Buffer.concat(chunks) });
    });
    // Node reports a sender that went away by `error` and `close`. After `end` neither has an
    // effect.
    request.on('error', () => resolve({ kind: 'broken' }));
    request.on('close', () => resolve({ kind: 'broken' }));
  });
}

/** Node never closes a socket that is reset while it is ending. */
function reset(socket: Socket | null): void {
  if (socket?.writableEnded) socket.destroy();
  else socket?.resetAndDestroy();
}

function act(action: ConnectionAction, response: ServerResponse, timers: OwnedTimers): void {
  switch (action.kind) {
    case 'answer':
      write(action.answer, response).end(action.answer.body);
      return;
    case 'cut':
      atItsTurn(response, () => {
        write(action.answer, response).write(firstHalf(action.answer.body), () => response.destroy());
      });
      return;
    case 'slow':
      atItsTurn(response, () => {
        write(action.answer, response).flushHeaders();
        trickle(new Trickle(action.answer.body, action.bytesPerSecond), response, timers);
      });
      return;
    case 'reset':
      atItsTurn(response, () => reset(response.socket));
      return;
    case 'silence':
      return;
  }
}

function write({ status, headers, body }: HttpAnswer, response: ServerResponse): ServerResponse {
  // A 205 needs the length 0, or the end of the connection would end it. A 204 may not have a
  // length, a 304 needs none.
  if (BODILESS.includes(status) && status !== 205) return response.writeHead(status, headers);
  return response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
}

/** Sends a body byte by byte. Ends if the client goes away or the timers end. */
function trickle(body: Trickle, response: ServerResponse, timers: OwnedTimers): void {
  let cancel = (): void => {};
  response.once('close', () => cancel());
  const next = (): void => {
    if (body.done) {
      response.end();
      return;
    }
    cancel = timers.after(body.wait(), () => {
      response.write(body.take());
      next();
    });
  };
  next();
}

/** On a pipelined connection the answers before must be sent before a broken or slow one. */
function atItsTurn(response: ServerResponse, run: () => void): void {
  if (response.socket) run();
  else response.once('socket', run);
}
