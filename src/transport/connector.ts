import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import * as undici from 'undici';
import { Bare } from '../core/own.js';
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

/** Options of every undici client that is made here. `onSocket` is given each of its sockets. */
export function clientOptions(
  tls: SecureContext | undefined,
  others: object,
  onSocket: (socket: Socket) => void = () => {},
): object {
  const own = connectorOf(tls);
  const connect: Connect = (options, callback) =>
    own(Object.assign(new Bare(), options), (...[error, socket]) => {
      // undici 7 counts wrongly after ERR_TLS_CERT_ALTNAME_INVALID and ends the process at the next connection: the code must not
      // be on the error itself.
      if (error !== null) callback(new Error('no connection', { cause: error }), null);
      else {
        // undici would report that the connection has ended, and forget the alert of TLS that said why.
        socket.once('error', () => socket.destroy());
        onSocket(socket);
        callback(null, socket);
      }
    });
  // The SDK's own deadlines bound heads and bodies; undici's would break a pipeline for the sake of one call.
  return Object.assign(new Bare(), { headersTimeout: 0, bodyTimeout: 0, connect }, others);
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
    connector(options, callback);
  };
}
