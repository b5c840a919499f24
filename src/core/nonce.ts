import { processWide, whenReady } from './platform.js';

/** Where nonces come from: strictly rising unsigned 64-bit integers per API key. May be asynchronous, to be shared by processes. */
export interface NonceSource {
  next(apiKey: string): bigint | Promise<bigint>;
}

const MAX_NONCE = 2n ** 64n - 1n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The last nonce issued to each API key, for every client and both module copies in the process. */
const lastIssued = processWide('nonces', () => new Map<string, bigint>());

/**
 * The default source: nanoseconds since the epoch, strictly rising. When the clock steps back, or two calls share a millisecond,
 * it counts on from the last nonce. Keys are never forgotten: a nonce below an issued one would be refused for ever.
 */
export const clockNonces: NonceSource = {
  next(apiKey: string): bigint {
    const clock = BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
    const last = lastIssued.get(apiKey) ?? 0n;
    const nonce = clock > last ? clock : last + 1n;
    lastIssued.set(apiKey, nonce);
    return nonce;
  },
};

/** The nonces that custom sources issued in this process: a custom source never shares with the default counter. */
const issuedBySource = new WeakMap<NonceSource, Map<string, bigint>>();

function issuedBy(source: NonceSource): Map<string, bigint> {
  if (source === clockNonces) return lastIssued;
  let issued = issuedBySource.get(source);
  if (issued === undefined) {
    issued = new Map();
    issuedBySource.set(source, issued);
  }
  return issued;
}

/** Draws the next nonce and remembers it, so that a refused call can tell whether it was overtaken. */
export function drawNonce(source: NonceSource, apiKey: string): bigint | PromiseLike<bigint> {
  return whenReady(source.next(apiKey), (nonce) => {
    if (typeof nonce !== 'bigint' || nonce < 0n || nonce > MAX_NONCE) {
      throw new TypeError('the nonce source must give a bigint from 0 to 2^64 - 1');
    }
    const issued = issuedBy(source);
    const last = issued.get(apiKey);
    if (last === undefined || nonce > last) issued.set(apiKey, nonce);
    return nonce;
  });
}

/** True when a nonce above this one has been issued to the key: a refusal of this one may be a race. */
export function wasOvertaken(source: NonceSource, apiKey: string, nonce: bigint): boolean {
  const last = issuedBy(source).get(apiKey);
  return last !== undefined && last > nonce;
}
