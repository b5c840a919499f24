import type { Credentials } from '../signing/credentials.js';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import type { LaneStats } from '../stats.js';
import type { Transport } from '../transport/transport.js';
import { processWide } from '../util/platform.js';
import { VERSION } from '../version.js';
import { type ApiKeyChoice, chooseApiKey, isDrawnForHeldKey, type LaneAssignment } from './api-key-choice.js';
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
      lane.join(this.#member);
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
    const unused = this.#assignments.filter(({ lane }) => lane.leave(this.#member));
    for (const { id, lane } of unused) if (this.#shared.get(id) === lane) this.#shared.delete(id);
    try {
      await Promise.all(unused.map(({ lane }) => lane.close()));
    } finally {
      await this.#nonces.close?.(this.#apiKeys);
    }
  }
}
