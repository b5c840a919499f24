import { fetchTransport } from './fetch.js';
import type { Transport } from './transport.js';

/**
 * The platform's fetch, and a transport for each client. Workers forbid that one request waits for
 * the sockets and timers of another, so clients do not share their lanes.
 */
export function defaultTransport(): Transport {
  return fetchTransport();
}

/** A worker can neither trust its own certificate nor show one. Its platform connects. */
export const handshakeAdvice = (_code: string, _error: Error): string => '';
export const proxyAdvice = (_origin: string): string => '';
