import { createServer, type Server } from 'node:http';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { isHttp2, type Reply } from './answering.js';
import type { Incoming } from './receiving.js';
import type { TlsIdentity } from './sandbox/listen-options.js';

type Handler = (request: Incoming, response: Reply) => void;

/**
 * Time limit in ms for the arrival of a request; a slower one is answered 408, since it blocks its
 * API key.
 */
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

/** Number of requests of each connection whose answers are not complete. */
const unanswered = new WeakMap<Duplex, number>();

function countUntilAnswered(socket: Duplex, response: Reply): void {
  const count = (change: number) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + change);
  count(1);
  response.once('close', () => count(-1));
}

/**
 * Refuses unreadable bytes, unless the client would take that for the answer to an earlier request.
 */
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
