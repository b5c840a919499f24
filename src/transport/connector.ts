import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import * as undici from 'undici';
import { Bare } from '../core/own.js';
import { afterPolling } from '../core/platform.js';
import { hidePollution } from '../core/pollution.js';
import { secureContextOf } from './tls.js';

/** Time in ms for DNS, TCP and TLS; no attempt has begun by then, so `attemptTimeout` does not cover it. The total `timeout` does. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Options of `node:net` and `node:tls` that are set to be absent: undici spreads ours into a plain object, on which they would be looked up
 * on `Object.prototype`. With a `secureContext` nothing else of TLS is read from there.
 */
const ABSENT = [
  ...['allowHalfOpen', 'autoSelectFamily', 'autoSelectFamilyAttemptTimeout', 'blockList', 'captureRejections'],
  ...[
    'construct',
    'decodeStrings',
    'defaultEncoding',
    'destroy',
    'emitClose',
    'enableTrace',
    'encoding',
    'family',
    'fd',
  ],
  ...[
    'final',
    'handle',
    'hints',
    'keepAlive',
    'keepAliveInitialDelay',
    'localPort',
    'lookup',
    'manualStart',
    'noDelay',
  ],
  ...['objectMode', 'onread', 'pipe', 'pskCallback', 'read', 'readable', 'readableHighWaterMark', 'readableObjectMode'],
  ...[
    'requestOCSP',
    'server',
    'servername',
    'signal',
    'writable',
    'writableHighWaterMark',
    'writableObjectMode',
    'write',
  ],
  ...['writev', 'useH2c', 'maxCachedSessions'],
];

type Connect = undici.buildConnector.connector;

/** What a connection is told of its sockets. */
export interface SocketListener {
  onSocket?(socket: Socket): void;
  /** A socket is closed, since bytes arrived on it that no request had asked for. */
  onUnsolicited(): void;
}

/** Options of every undici client that is made here. */
export function clientOptions(tls: SecureContext | undefined, others: object, listener: SocketListener): object {
  const own = connectorOf(tls);
  const connect: Connect = (options, callback) =>
    own(Object.assign(new Bare(), options), (...[error, socket]) => {
      // undici 7 counts wrongly after ERR_TLS_CERT_ALTNAME_INVALID and ends the process at the next connection: the code must not
      // be on the error itself.
      if (error !== null) callback(new Error('no connection', { cause: error }), null);
      else {
        // undici would report that the connection has ended, and forget the alert of TLS that said why.
        socket.once('error', () => socket.destroy());
        onceRead(() => {
          const failure = failureOf(socket, listener);
          if (failure !== undefined) {
            socket.destroy();
            callback(failure, null);
            return;
          }
          listener.onSocket?.(socket);
          callback(null, socket);
        });
      }
    });
  // The SDK's own deadlines bound heads and bodies; undici's would break a pipeline for the sake of one call.
  return Object.assign(new Bare(), { headersTimeout: 0, bodyTimeout: 0, connect }, others);
}

/**
 * Runs after Node has read what the service sent with the handshake: Node polls its sockets once between two turns of `setImmediate`. The
 * first request on the connection would take such bytes for its answer.
 */
function onceRead(run: () => void): void {
  afterPolling(() => afterPolling(run));
}

/** Why nothing may be sent over a new socket; undefined when all is well. */
function failureOf(socket: Socket, { onUnsolicited }: SocketListener): Error | undefined {
  if (socket.destroyed)
    return new Error('no connection', { cause: socket.errored ?? new Error('it was closed at once') });
  if (socket.readableLength === 0) return undefined;
  onUnsolicited();
  return new Error('the service sent bytes before any request');
}

/** undici closes a connection with this error when an answer begins on it while no request waits for one. */
export function isUnsolicited(error: Error): boolean {
  return error.message === 'bad response';
}

/** Verifies the server's certificate, also where `NODE_TLS_REJECT_UNAUTHORIZED` says not to. */
function connectorOf(tls: SecureContext | undefined): Connect {
  let connector: Connect | undefined;
  return (options, callback) => {
    connector ??= undici.buildConnector(
      Object.assign(new Bare(), Object.fromEntries(ABSENT.map((name) => [name, undefined])), {
        timeout: CONNECT_TIMEOUT_MS,
        // HTTP/2 sends bodies after the heads of later requests: nonces would arrive out of order.
        allowH2: false,
        rejectUnauthorized: true,
        secureContext: options.protocol === 'https:' ? (tls ?? secureContextOf(undefined)) : undefined,
      }),
    );
    // undici takes `timeout` for itself, so `node:net` would find another one.
    const putBack = hidePollution();
    try {
      connector(options, callback);
    } finally {
      putBack?.();
    }
  };
}
