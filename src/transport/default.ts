import { processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { fetchTransport } from './fetch.js';
import type { Transport } from './transport.js';
import { undiciTransport, undiciWorks } from './undici.js';

export { handshakeAdvice, proxyAdvice } from './connection-advice.js';

/**
 * The transport of clients without the option: undici where it works (Node, Deno, Bun from 1.4),
 * else the platform's fetch (older Bun, workers). There is one for the process, so these clients
 * share the lanes of their API keys.
 */
export function defaultTransport(): Transport {
  return processWide(`transport@${VERSION}`, () => (undiciWorks() ? undiciTransport() : fetchTransport()));
}
