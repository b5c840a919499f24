import { ConfigurationError } from '../errors.js';
import type { Credentials } from '../signing/credentials.js';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import { isThenable } from '../util/platform.js';
import type { Lane } from './lane.js';

/** The lane and the API key of all attempts of a call. */
export interface LaneAssignment {
  readonly lane: Lane;
  readonly credentials: Credentials;
}

/**
 * Returns the API key of one call, and its lane: the least busy. An idempotency key from the caller
 * always goes to the same API key, in whatever order the client has them. The service may remember
 * idempotency keys per API key: this is not documented.
 *
 * @throws ConfigurationError with such a key, if the API key of an earlier process is unknown.
 */
export function chooseApiKey(
  assignments: readonly LaneAssignment[],
  nonces: CoordinatedNonceSource,
  callersKey: string | undefined,
): LaneAssignment | PromiseLike<LaneAssignment> {
  if (nonces.usable === undefined) {
    return callersKey === undefined ? leastBusy(assignments) : assignmentOf(callersKey, assignments);
  }
  if (callersKey !== undefined && nonces.keysArePartnerWide !== true) throw new ConfigurationError(UNSAFE_KEY);
  const usable = nonces.usable(assignments.map(({ credentials }) => credentials.apiKey));
  return isThenable(usable) ? usable.then((keys) => leastBusyOf(keys, assignments)) : leastBusyOf(usable, assignments);
}

const UNSAFE_KEY =
  'an idempotencyKey of yours needs keysArePartnerWide: true with API keys that processes take in turn: the service may remember it ' +
  'for the API key that another process holds now, and do the same write twice';

function leastBusyOf(apiKeys: readonly string[], assignments: readonly LaneAssignment[]): LaneAssignment {
  return leastBusy(assignments.filter(({ credentials }) => apiKeys.includes(credentials.apiKey)));
}

function leastBusy(assignments: readonly LaneAssignment[]): LaneAssignment {
  const first = assignments[0];
  if (first === undefined) throw new Error("usable() gave none of the client's API keys");
  if (assignments.length === 1) return first;
  return assignments.reduce((least, one) => (one.lane.calls < least.lane.calls ? one : least), first);
}

/** The API key with the highest hash (rendezvous hashing): a changed list moves few keys. */
function assignmentOf(key: string, assignments: readonly LaneAssignment[]): LaneAssignment {
  // UUIDs are compared without regard to case.
  const hashes = assignments.map(({ credentials }) => stableHash(`${key.toLowerCase()} ${credentials.apiKey}`));
  return assignments[hashes.indexOf(Math.max(...hashes))] ?? leastBusy(assignments);
}

/** FNV-1a with MurmurHash 3's finaliser: the last characters must count as much as the first. */
function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
