import { Bare, methodOf } from '../util/members.js';
import { isThenable, processWide } from '../util/platform.js';

/**
 * A user-supplied source of nonces: unsigned 64-bit integers that rise strictly for each API key.
 *
 * The names `done`, `overtaken`, `usable`, `keysArePartnerWide`, `open` and `close` are reserved
 * for the sources of `partner-sdk/redis`, so do not add members of these names to a source.
 *
 * @example
 * const nonce: NonceSource = {
 *   next: (apiKey) => counter.next(apiKey), // in one place for all processes
 * };
 * const client = new PartnerClient({ apiKey, apiSecret, nonce });
 */
export interface NonceSource {
  /**
   * Returns the next nonce of the API key. Called right before a request is signed; until it
   * settles, no other request of the API key is sent. If it fails, or takes longer than
   * `attemptTimeout`, then the call fails with a `ProviderError`.
   */
  next(apiKey: string): bigint | Promise<bigint>;
}

/** A source that several processes share: the lanes and attempts use the members that it has. */
export interface CoordinatedNonceSource extends NonceSource {
  /**
   * The request with this nonce is complete, lost or not sent. Called once for each nonce. A source
   * that has `done` may make a call wait: `attemptTimeout` does not limit its `next`.
   */
  done?(apiKey: string, nonce: bigint): void;
  /**
   * Returns true if any process has drawn a later nonce. Called when the service rejected this one
   * with 401 and this process knows of no later one. A failure counts as false.
   */
  overtaken?(apiKey: string, nonce: bigint): boolean | Promise<boolean>;
  /**
   * Returns the API keys of a client, at least one, with which a call may be sent that is not bound
   * to an API key. If the source has no such method, all of them may be used.
   */
  usable?(apiKeys: readonly string[]): readonly string[] | Promise<readonly string[]>;
  /**
   * Matters with `usable`: true if the service stores idempotency keys for the partner, not for
   * each API key. Otherwise a call with a user-supplied idempotency key is bound to the API key
   * that its hash chooses, and waits for that API key.
   */
  readonly keysArePartnerWide?: boolean;
  /** A client with these API keys begins to use the source. */
  open?(apiKeys: readonly string[]): void;
  /** The client has been closed. Resolves when all that was held for it is given back. */
  close?(apiKeys: readonly string[]): Promise<void>;
}

/** The members of each source, as they were read when it was given. */
const coordinatedSources = new WeakMap<NonceSource, CoordinatedNonceSource>();

/** Reads the members of a source once. */
export function coordinatedSource(source: NonceSource): CoordinatedNonceSource {
  let whole = coordinatedSources.get(source);
  if (whole === undefined) {
    const members = new Bare() as Record<keyof CoordinatedNonceSource, unknown>;
    for (const name of METHODS) members[name] = methodOf(source, name);
    members.keysArePartnerWide = (source as CoordinatedNonceSource).keysArePartnerWide;
    whole = members as CoordinatedNonceSource;
    coordinatedSources.set(source, whole);
    coordinatedSources.set(whole, whole);
  }
  return whole;
}

const METHODS = [
  'next',
  'done',
  'overtaken',
  'usable',
  'open',
  'close',
] as const satisfies readonly (keyof CoordinatedNonceSource)[];

const MAX_NONCE = 2n ** 64n - 1n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The last nonce of each API key, for all clients and both module copies in the process. */
const lastIssued = processWide('nonces', () => new Map<string, bigint>());

/**
 * The default source: nanoseconds since the epoch, strictly rising. If the clock steps back, or two
 * calls share a millisecond, it counts on from the last nonce. It never drops an API key.
 */
export const clockNonces: CoordinatedNonceSource = coordinatedSource({
  next(apiKey: string): bigint {
    const clock = BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
    const last = lastIssued.get(apiKey) ?? 0n;
    const nonce = clock > last ? clock : last + 1n;
    lastIssued.set(apiKey, nonce);
    return nonce;
  },
});

/** The last nonces that each source issued in this process. */
const issuedBySource = new WeakMap<NonceSource, Map<string, bigint>>([[clockNonces, lastIssued]]);

function issuedBy(source: NonceSource): Map<string, bigint> {
  let issued = issuedBySource.get(source);
  if (issued === undefined) {
    issued = new Map();
    issuedBySource.set(source, issued);
  }
  return issued;
}

/** Draws the next nonce and stores it for `wasOvertaken`. */
export function drawNonce(source: NonceSource, apiKey: string): bigint | PromiseLike<bigint> {
  const nonce = source.next(apiKey);
  // It stores its nonces itself.
  if (source === clockNonces) return nonce as bigint;
  return isThenable(nonce) ? nonce.then((drawn) => remember(source, apiKey, drawn)) : remember(source, apiKey, nonce);
}

function remember(source: NonceSource, apiKey: string, nonce: bigint): bigint {
  if (typeof nonce !== 'bigint' || nonce < 0n || nonce > MAX_NONCE) {
    throw new TypeError('the nonce source must return a bigint from 0 to 2^64 - 1');
  }
  const issued = issuedBy(source);
  const last = issued.get(apiKey);
  if (last === undefined || nonce > last) issued.set(apiKey, nonce);
  return nonce;
}

/** True when this process has issued a later nonce: a rejection of this one may be a race. */
export function wasOvertaken(source: NonceSource, apiKey: string, nonce: bigint): boolean {
  const last = issuedBy(source).get(apiKey);
  return last !== undefined && last > nonce;
}
