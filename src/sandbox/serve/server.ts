import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterPolling } from '../../util/platform.js';
import { MAX_BODY_BYTES, type RequestReceiver } from '../core/request/messages.js';
import { act, isHttp2, type Reply, write } from './answering.js';
import { type ControlAnswer, type ControlRequest, isControlTarget, refused } from './control/control-messages.js';
import { OwnedTimers } from './pacing.js';
import { headerOf, headersOf, headOf, type Incoming, maxControlBytes, receivedBody, tooLarge } from './receiving.js';
import type { TlsIdentity } from './sandbox/listen-options.js';

/** Number of event loop turns in which a closing server can send its last responses. */
const SENDING_TURNS = 3;

type Control = (request: ControlRequest) => Promise<ControlAnswer>;

export class HttpServer {
  readonly #service: RequestReceiver;
  readonly #control: Control;
  readonly #timers = new OwnedTimers();
  readonly #sockets = new Set<Socket>();
  #server: Server | Http2SecureServer | undefined;

  constructor(service: RequestReceiver, control: Control) {
    this.#service = service;
    this.#control = control;
  }

  /** Returns the port. Rejects if it cannot listen there. With an identity it uses TLS. */
  listen(port: number, host: string, identity?: TlsIdentity): Promise<number> {
    const scheme = identity === undefined ? 'http' : 'https';
    const server = makeServer(identity, (request, response) => this.#answer(request, response, scheme));
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    return new Promise((resolve, reject) => {
      const refuse = (error: NodeJS.ErrnoException): void => {
        const why = error.code === 'EADDRINUSE' ? 'the port is taken; port 0 takes any free one' : error.message;
        reject(new Error(`The sandbox cannot listen on ${host}:${port}: ${why}`, { cause: error }));
      };
      server.once('error', refuse);
      server.listen(port, host, () => {
        server.removeListener('error', refuse);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Ends all connections, including those that wait for a response. */
  async close(): Promise<void> {
    this.#timers.close();
    const server = this.#server;
    if (server === undefined) return;
    // Closing a server that never listened reports an error, but it is closed then, too.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // HTTP/2 needs some turns to send what has just ended, such as an event stream.
    for (let turn = 0; turn < SENDING_TURNS; turn += 1) await new Promise<void>(afterPolling);
    for (const socket of this.#sockets) socket.destroy();
    return closed;
  }

  #answer(request: Incoming, response: Reply, scheme: 'http' | 'https'): void {
    if (isControlTarget(request.url)) {
      void answerControl(request, response, this.#control);
      return;
    }
    void this.#service
      .receive(headOf(request, scheme), receivedBody(request, MAX_BODY_BYTES))
      .then(({ action, delayMs }) => this.#timers.after(delayMs, () => act(action, response, this.#timers)));
  }
}

/** Pages of other origins may not load these responses, not even as an image or a script. */
const CONTROL_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers calls of the control plane, without order, faults, latency and journal entries. */
async function answerControl(request: Incoming, response: Reply, control: Control): Promise<void> {
  const { method = '', url: target = '' } = request;
  const received = await receivedBody(request, maxControlBytes(target));
  if (received.kind === 'broken') return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const header = headerOf(request);
  const answer =
    received.kind === 'too_large'
      ? refused(413, tooLarge(target))
      : await control({
          method,
          target,
          header,
          headers: () => headersOf(request),
          signal: closed.signal,
          body: Buffer.from(received.bytes).toString('utf8'),
        });
  if (closed.signal.aborted) return;
  if (answer.events === undefined || method === 'HEAD') {
    write({ ...answer, headers: { ...CONTROL_HEADERS, ...answer.headers } }, response).end(answer.body);
  } else {
    await sendEvents(answer.events, response);
  }
}

/** Sends each string as it arrives, as fast as the client reads, until either side disconnects. */
async function sendEvents(events: AsyncIterable<string>, response: Reply): Promise<void> {
  for (const [name, value] of Object.entries(CONTROL_HEADERS)) response.setHeader(name, value);
  response.setHeader('content-type', 'text/event-stream');
  try {
    await pipeline(events, response);
  } catch {
    // The client has closed the connection.
  }
}

type Handler = (request: Incoming, response: Reply) => void;

/** Milliseconds for a request to arrive, since it blocks its API key. A slower one gets 408. */
const REQUEST_TIMEOUT_MS = 30_000;

const LIMITS = { requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: 1_000 };

/**
 * Makes an HTTP server. With an identity it uses TLS, and HTTP/2 or HTTP/1.1 by ALPN.
 *
 * @throws TypeError for an identity that OpenSSL does not accept.
 */
export function makeServer(identity: TlsIdentity | undefined, handle: Handler): Server | Http2SecureServer {
  const onRequest: Handler = (request, response) => {
    if (isHttp2(response)) limitArrival(request);
    else countUntilAnswered(request.socket, response);
    handle(request, response);
  };
  const server = identity === undefined ? createServer(LIMITS, onRequest) : secureServer(identity, onRequest);
  server.on('clientError', refuseUnreadable);
  // Idle connections stay open until `close`. A client that reuses one just when it closes would
  // get an error that no fault caused.
  return Object.assign(server, { keepAliveTimeout: 0 });
}

function secureServer({ key, cert }: TlsIdentity, onRequest: Handler): Http2SecureServer {
  try {
    // These limits are not options of `createSecureServer`.
    return Object.assign(createSecureServer({ key, cert, allowHTTP1: true }, onRequest), LIMITS);
  } catch (error) {
    throw new TypeError('listen: key and cert of tls cannot be used together', { cause: error });
  }
}

/** Resets an HTTP/2 stream whose request takes too long. For HTTP/1.1 Node does this. */
function limitArrival(request: Incoming): void {
  const timer = setTimeout(() => request.destroy(), REQUEST_TIMEOUT_MS);
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
}

/** Number of requests of each connection whose responses are not complete. */
const unanswered = new WeakMap<Duplex, number>();

function countUntilAnswered(socket: Duplex, response: Reply): void {
  const count = (change: number) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + change);
  count(1);
  response.once('close', () => count(-1));
}

/** Rejects unreadable bytes, unless that would look like the response to an earlier request. */
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
