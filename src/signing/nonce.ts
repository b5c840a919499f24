import { Bare, methodOf, readMember } from '../util/own.js';
import { isThenable, processWide } from '../util/platform.js';

/**
 * Where nonces come from: strictly rising unsigned 64-bit integers per API key. `next` is all that a source of one process needs; the
 * other members are for sources that several processes share, as those of `partner-sdk/redis` are.
 */
export interface NonceSource {
  /**
   * The next nonce of the key, drawn right before the request is signed and written; while it is awaited no other request of the key
   * is sent. A failure is the call's `ProviderError`, and so is a wait beyond `attemptTimeout`; a source with `done`, which may have to
   * wait for its turn, sets its own limit below the call's `timeout`.
   */
  next(apiKey: string): bigint | Promise<bigint>;
  /** The request with this nonce is over: answered, lost, or never sent. Called once for each nonce that was given. */
  done?(apiKey: string, nonce: bigint): void;
  /**
   * Whether any process was given a nonce above this one; asked when the service refused it with 401 and this process knows of none. A
   * failure counts as no.
   */
  overtaken?(apiKey: string, nonce: bigint): boolean | Promise<boolean>;
  /**
   * Those of a client's API keys, one at least, that this process may use now. A failure is the call's `ProviderError`. Absent: all.
   */
  usable?(apiKeys: readonly string[]): readonly string[] | Promise<readonly string[]>;
  /**
   * With `usable`: true when the service remembers idempotency keys for the partner and not for each API key. Unless it is, calls with an
   * idempotency key of the caller's are refused: their repeat by another process would go out on another API key.
   */
  readonly keysArePartnerWide?: boolean;
  /** A client with these API keys begins to use the source. */
  open?(apiKeys: readonly string[]): void;
  /** That client has been closed. Resolves when what was held for it has been given back. */
  close?(apiKeys: readonly string[]): Promise<void>;
}

/** Each source that was given, with its members as they were read then. */
const wholeSources = new WeakMap<NonceSource, NonceSource>();

/** The source with every member of the interface, undefined where it has none: `Object.prototype` may have one of that name. */
export function wholeSource(source: NonceSource): NonceSource {
  let whole = wholeSources.get(source);
  if (whole === undefined) {
    const members = new Bare() as Record<keyof NonceSource, unknown>;
    for (const name of METHODS) members[name] = methodOf(source, name);
    members.keysArePartnerWide = readMember(source, 'keysArePartnerWide');
    whole = members as NonceSource;
    wholeSources.set(source, whole);
    wholeSources.set(whole, whole);
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
] as const satisfies readonly (keyof NonceSource)[];

const MAX_NONCE = 2n ** 64n - 1n;
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The last nonce issued to each API key, for every client and both module copies in the process. */
const lastIssued = processWide('nonces', () => new Map<string, bigint>());

/**
 * The default source: nanoseconds since the epoch, strictly rising. When the clock steps back, or two calls share a millisecond,
 * it counts on from the last nonce. Keys are never forgotten: a nonce below an issued one would be refused for ever.
 */
export const clockNonces: NonceSource = wholeSource({
  next(apiKey: string): bigint {
    const clock = BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND;
    const last = lastIssued.get(apiKey) ?? 0n;
    const nonce = clock > last ? clock : last + 1n;
    lastIssued.set(apiKey, nonce);
    return nonce;
  },
});

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
  const nonce = source.next(apiKey);
  return isThenable(nonce) ? nonce.then((drawn) => remember(source, apiKey, drawn)) : remember(source, apiKey, nonce);
}

function remember(source: NonceSource, apiKey: string, nonce: bigint): bigint {
  if (typeof nonce !== 'bigint' || nonce < 0n || nonce > MAX_NONCE) {
    throw new TypeError('the nonce source must give a bigint from 0 to 2^64 - 1');
  }
  const issued = issuedBy(source);
  const last = issued.get(apiKey);
  if (last === undefined || nonce > last) issued.set(apiKey, nonce);
  return nonce;
}

/** True when a nonce above this one has been issued to the key: a refusal of this one may be a race. */
export function wasOvertaken(source: NonceSource, apiKey: string, nonce: bigint): boolean {
  const last = issuedBy(source).get(apiKey);
  return last !== undefined && last > nonce;
}
