import { randomIdempotencyKey } from '../request/idempotency-key.js';
import type { Credentials } from '../signing/credentials.js';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import type { LaneStats } from '../stats.js';
import type { Transport } from '../transport/transport.js';
import { isThenable, processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { Lane } from './lane.js';
import type { LaneMember } from './pace.js';
import { keyRecordOf } from './shared-key.js';

/** The lanes of the process: one per transport, origin and API key, shared by clients. */
const lanesOf = processWide(`lanes@${VERSION}`, () => new WeakMap<Transport, Map<string, Lane>>());

/** The client settings that its lanes need. */
interface LaneSettings extends LaneMember {
  readonly transport: Transport;
  readonly origin: string;
  readonly credentials: readonly Credentials[];
  readonly nonces: CoordinatedNonceSource;
}

/** The lanes of one client, one per API key. It leaves them when it is closed or collected. */
export class LaneSet {
  readonly #member: LaneMember;
  readonly #shared: Map<string, Lane>;
  readonly #nonces: CoordinatedNonceSource;
  readonly #apiKeys: readonly string[];
  readonly #assignments: readonly (LaneAssignment & { readonly id: string })[];

  constructor({ transport, origin, credentials, nonceOrder, nonceRefusals, keyIsShared, nonces }: LaneSettings) {
    this.#nonces = nonces;
    this.#apiKeys = credentials.map(({ apiKey }) => apiKey);
    nonces.open?.(this.#apiKeys);
    const shared = lanesOf.get(transport) ?? new Map<string, Lane>();
    lanesOf.set(transport, shared);
    this.#shared = shared;
    this.#member = { nonceOrder, nonceRefusals, keyIsShared };
    this.#assignments = credentials.map((one) => {
      const id = `${origin} ${one.apiKey}`;
      const lane = shared.get(id) ?? new Lane(origin, transport, undefined, keyRecordOf(id));
      shared.set(id, lane);
      lane.members.join(this.#member);
      return { id, lane, credentials: one };
    });
  }

  /** The lane, API key and idempotency key of one call: see `chooseApiKey`. */
  choose(keyed: boolean, callersKey: string | undefined): ApiKeyChoice | PromiseLike<ApiKeyChoice> {
    return chooseApiKey(this.#assignments, this.#nonces, keyed, callersKey);
  }

  /** True for an idempotency key that shows that an earlier call has been sent with it. */
  isRetry(callersKey: string): boolean {
    return this.#nonces.usable !== undefined && isDrawnForHeldKey(callersKey);
  }

  stats(): LaneStats[] {
    return this.#assignments.map(({ lane }) => lane.stats());
  }

  /** Leaves every lane. Closes those without another client. */
  async release(): Promise<void> {
    const unused = this.#assignments.filter(({ lane }) => lane.members.leave(this.#member));
    for (const { id, lane } of unused) if (this.#shared.get(id) === lane) this.#shared.delete(id);
    try {
      await Promise.all(unused.map(({ lane }) => lane.close()));
    } finally {
      await this.#nonces.close?.(this.#apiKeys);
    }
  }
}

/** The lane and the API key of all attempts of a call. */
export interface LaneAssignment {
  readonly lane: Lane;
  readonly credentials: Credentials;
}

/** What a call is sent with, from its first attempt to its last. */
export interface ApiKeyChoice {
  readonly assignment: LaneAssignment;
  /** Undefined for a call that is sent without one. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Chooses the API key of one call, and its idempotency key. The service may store idempotency keys
 * for each API key (this is not documented), so a write with an idempotency key, whoever drew that
 * key, is sent with the API key that its hash chooses: a retry then reaches the memory of the first
 * attempt, from any client and process with the same list of API keys. Calls without an idempotency
 * key are sent with the least busy API key.
 *
 * @param callersKey The caller's own idempotency key, if there is one.
 */
export function chooseApiKey(
  assignments: readonly LaneAssignment[],
  nonces: CoordinatedNonceSource,
  keyed: boolean,
  callersKey: string | undefined,
): ApiKeyChoice | PromiseLike<ApiKeyChoice> {
  const isBound = keyed && nonces.keysArePartnerWide !== true;
  if (nonces.usable === undefined || (isBound && callersKey !== undefined)) {
    const idempotencyKey = keyOf(keyed, callersKey);
    const assignment =
      idempotencyKey === undefined ? leastBusy(assignments) : assignmentOf(idempotencyKey, assignments);
    return { assignment, idempotencyKey };
  }
  const usable = nonces.usable(assignments.map(({ credentials }) => credentials.apiKey));
  const choose = (apiKeys: readonly string[]): ApiKeyChoice => {
    const held = assignments.filter(({ credentials }) => apiKeys.includes(credentials.apiKey));
    if (held.length === 0) throw new Error("usable() returned none of the client's API keys");
    return isBound
      ? drawFor(held, assignments)
      : { assignment: leastBusy(held), idempotencyKey: keyOf(keyed, callersKey) };
  };
  return isThenable(usable) ? usable.then(choose) : choose(usable);
}

const keyOf = (keyed: boolean, callersKey: string | undefined): string | undefined =>
  keyed ? (callersKey ?? randomIdempotencyKey()) : undefined;

/**
 * Draws idempotency keys until the hash over the whole list chooses an API key that this process
 * holds: so another process, with other API keys, still knows where to retry the write.
 */
function drawFor(held: readonly LaneAssignment[], assignments: readonly LaneAssignment[]): ApiKeyChoice {
  for (;;) {
    const idempotencyKey = withChecksum(randomIdempotencyKey());
    const assignment = assignmentOf(idempotencyKey, assignments);
    if (held.includes(assignment)) return { assignment, idempotencyKey };
  }
}

/**
 * True for an idempotency key that `drawFor` has drawn, in whatever process: its last 16 bits are a
 * hash of the others. One in 65,536 other UUIDs is taken for such a key. That does no harm, since
 * its API key is chosen by its hash as well.
 */
export function isDrawnForHeldKey(idempotencyKey: string): boolean {
  return withChecksum(idempotencyKey) === idempotencyKey.toLowerCase();
}

/** Returns the UUID with a hash of its other characters instead of the last four. */
function withChecksum(uuid: string): string {
  const others = uuid.toLowerCase().slice(0, -4);
  return others + (stableHash(others) & 0xffff).toString(16).padStart(4, '0');
}

function leastBusy(assignments: readonly LaneAssignment[]): LaneAssignment {
  return assignments.reduce((least, one) => (one.lane.calls < least.lane.calls ? one : least));
}

/**
 * The API key with the highest hash (rendezvous hashing), in whatever order the client has them: a
 * changed list moves few idempotency keys.
 */
function assignmentOf(idempotencyKey: string, assignments: readonly LaneAssignment[]): LaneAssignment {
  if (assignments.length === 1) return leastBusy(assignments);
  // UUIDs are compared without regard to case.
  const key = idempotencyKey.toLowerCase();
  const rank = ({ credentials: { apiKey } }: LaneAssignment) => ({ apiKey, hash: stableHash(`${key} ${apiKey}`) });
  return assignments.reduce((best, one) => {
    const [first, second] = [rank(best), rank(one)];
    const isHigher = second.hash === first.hash ? second.apiKey > first.apiKey : second.hash > first.hash;
    return isHigher ? one : best;
  });
}

/** FNV-1a with MurmurHash 3's finaliser: the last characters must count as much as the first. */
function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
