import type { Server } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { MAX_BODY_BYTES, type RequestReceiver } from '../core/request/messages.js';
import { act, type Reply, write } from './answering.js';
import { type ControlAnswer, type ControlRequest, isControlTarget, refused } from './control/control-messages.js';
import { makeServer } from './listener.js';
import { OwnedTimers } from './pacing.js';
import { headerOf, headersOf, headOf, type Incoming, maxControlBytes, receivedBody, tooLarge } from './receiving.js';
import type { TlsIdentity } from './sandbox/listen-options.js';

/** Number of event loop turns in which a closing server can send its last answers. */
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
  async close(): Promise<void> {
    this.#timers.close();
    const server = this.#server;
    if (server === undefined) return;
    // Closing a server that never listened reports an error, but it is closed then, too.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // HTTP/2 needs some turns to send what has just ended, such as an event stream.
    for (let turn = 0; turn < SENDING_TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
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

/** Pages of other origins may not load these answers, not even as an image or a script. */
const CONTROL_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Answers for the control plane, whose calls have no order, faults, latency and journal entries.
 */
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
          ...{ method, target, header, headers: () => headersOf(request), signal: closed.signal },
          body: Buffer.from(received.bytes).toString('utf8'),
        });
  if (closed.signal.aborted) return;
  if (answer.events === undefined || method === 'HEAD') {
    write({ ...answer, headers: { ...CONTROL_HEADERS, ...answer.headers } }, response).end(answer.body);
  } else {
    await sendEvents(answer.events, response, CONTROL_HEADERS, closed.signal);
  }
}

/** The common members of responses of both HTTP versions. */
interface EventSink {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  write(text: string): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Sends texts as they come, as fast as the client reads them, until either side ends. */
async function sendEvents(
  events: AsyncIterable<string>,
  response: Reply,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const sink: EventSink = response;
  sink.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for await (const text of events) {
    if (signal.aborted) return;
    if (!sink.write(text)) await readOn(sink);
  }
  if (!signal.aborted) sink.end();
}

/** Resolves when the client has read everything written, or has closed the connection. */
function readOn(sink: EventSink): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      sink.off('drain', go);
      sink.off('close', go);
      resolve();
    };
    sink.on('drain', go);
    sink.on('close', go);
  });
}
