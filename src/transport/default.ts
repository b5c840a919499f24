import { processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { fetchTransport } from './fetch.js';
import type { Transport } from './transport.js';
import { undiciTransport, undiciWorks } from './undici.js';

/**
 * The transport of clients that are given none: undici where its dispatcher works (Node, Deno), else the platform's
 * fetch (Bun, workers). One for the process, so that such clients share the lanes of their API keys.
 */
export function defaultTransport(): Transport {
  return processWide(`transport@${VERSION}`, () => (undiciWorks() ? undiciTransport() : fetchTransport()));
}
