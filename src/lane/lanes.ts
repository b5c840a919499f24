import { ConfigurationError } from '../errors.js';
import type { Credentials } from '../signing/credentials.js';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import type { Transport } from '../transport/transport.js';
import { isThenable, processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { Lane, type LaneStats } from './lane.js';
import type { LaneMember } from './lane-members.js';

/** The lane and the API key of all attempts of a call. */
export interface LaneAssignment {
  readonly lane: Lane;
  readonly credentials: Credentials;
}

/** The lanes of the process: one per transport, origin and API key, shared by all clients that have the three in common. */
const lanesOf = processWide(`lanes@${VERSION}`, () => new WeakMap<Transport, Map<string, Lane>>());

/** What a client's lanes depend on. */
interface LaneSettings extends LaneMember {
  readonly transport: Transport;
  readonly origin: string;
  readonly credentials: readonly Credentials[];
  readonly nonces: CoordinatedNonceSource;
}

/** The lanes that one client uses, one per API key. Closed (or collected as garbage), the client leaves them. */
export class LaneSet {
  readonly #member: LaneMember;
  readonly #shared: Map<string, Lane>;
  readonly #nonces: CoordinatedNonceSource;
  readonly #apiKeys: readonly string[];
  readonly #assignments: readonly (LaneAssignment & { readonly id: string })[];

  constructor({ transport, origin, credentials, nonceOrder, nonceRefusals, nonces }: LaneSettings) {
    this.#nonces = nonces;
    this.#apiKeys = credentials.map(({ apiKey }) => apiKey);
    nonces.open?.(this.#apiKeys);
    const shared = lanesOf.get(transport) ?? new Map<string, Lane>();
    lanesOf.set(transport, shared);
    this.#shared = shared;
    this.#member = { nonceOrder, nonceRefusals };
    this.#assignments = credentials.map((one) => {
      const id = `${origin} ${one.apiKey}`;
      const lane = shared.get(id) ?? new Lane(origin, transport);
      shared.set(id, lane);
      lane.join(this.#member);
      return { id, lane, credentials: one };
    });
  }

  /**
   * The lane and key of one call: the least busy. An idempotency key that the caller chose always goes to the same API key, in whatever
   * order they were given, since the service may remember idempotency keys per API key: it does not document which.
   *
   * @throws ConfigurationError for such a call when it cannot be known which API key an earlier process used.
   */
  choose(callersKey: string | undefined): LaneAssignment | PromiseLike<LaneAssignment> {
    const assignments = this.#assignments;
    if (this.#nonces.usable === undefined) {
      return callersKey === undefined ? leastBusy(assignments) : assignmentOf(callersKey, assignments);
    }
    if (callersKey !== undefined && this.#nonces.keysArePartnerWide !== true) throw new ConfigurationError(UNSAFE_KEY);
    const usable = this.#nonces.usable(this.#apiKeys);
    return isThenable(usable)
      ? usable.then((keys) => leastBusyOf(keys, assignments))
      : leastBusyOf(usable, assignments);
  }

  stats(): LaneStats[] {
    return this.#assignments.map(({ lane }) => lane.stats());
  }

  /** Leaves every lane, and closes those that nobody uses any more. */
  async release(): Promise<void> {
    const deserted = this.#assignments.filter(({ lane }) => lane.leave(this.#member));
    for (const { id, lane } of deserted) if (this.#shared.get(id) === lane) this.#shared.delete(id);
    try {
      await Promise.all(deserted.map(({ lane }) => lane.close()));
    } finally {
      await this.#nonces.close?.(this.#apiKeys);
    }
  }
}

const UNSAFE_KEY =
  'an idempotencyKey of yours needs keysArePartnerWide: true with API keys that processes take in turn: the service may remember it ' +
  'for the API key that another process holds now, and do the same write twice';

function leastBusyOf(apiKeys: readonly string[], assignments: readonly LaneAssignment[]): LaneAssignment {
  return leastBusy(assignments.filter(({ credentials }) => apiKeys.includes(credentials.apiKey)));
}

function leastBusy(assignments: readonly LaneAssignment[]): LaneAssignment {
  const [first] = assignments;
  if (first === undefined) throw new Error("usable() gave none of the client's API keys");
  return assignments.reduce((least, one) => (one.lane.calls < least.lane.calls ? one : least), first);
}

/** The API key with the highest hash (rendezvous hashing): one that is added or removed moves no more idempotency keys than it must. */
function assignmentOf(key: string, assignments: readonly LaneAssignment[]): LaneAssignment {
  // A UUID is the same whatever the case of its letters.
  const hashes = assignments.map(({ credentials }) => stableHash(`${key.toLowerCase()} ${credentials.apiKey}`));
  return assignments[hashes.indexOf(Math.max(...hashes))] ?? leastBusy(assignments);
}

/** FNV-1a, its bits mixed once more (as MurmurHash 3 does): the last letters must count as much as the first. */
function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
