import type { Transport } from '../transport/transport.js';
import { VERSION } from '../version.js';
import { Lane, type LaneStats, type NonceOrder } from './lane.js';
import { processWide } from './platform.js';

/** One API key with its secret. */
export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string | (() => string | Promise<string>) | undefined;
}

/** The lanes of the process: one per transport, origin and API key, shared by all clients that have the three in common. */
const lanesOf = processWide(`lanes@${VERSION}`, () => new WeakMap<Transport, Map<string, Lane>>());

/** The lanes that one client uses, one per API key. Closed (or collected as garbage), the client leaves them. */
export class LaneSet {
  readonly #order: NonceOrder;
  readonly #shared: Map<string, Lane>;
  readonly #places: readonly { readonly id: string; readonly lane: Lane; readonly credentials: Credentials }[];

  constructor(transport: Transport, origin: string, credentials: readonly Credentials[], order: NonceOrder) {
    const shared = lanesOf.get(transport) ?? new Map<string, Lane>();
    lanesOf.set(transport, shared);
    this.#shared = shared;
    this.#order = order;
    this.#places = credentials.map((one) => {
      const id = `${origin} ${one.apiKey}`;
      const lane = shared.get(id) ?? new Lane(origin, transport);
      shared.set(id, lane);
      lane.join(order);
      return { id, lane, credentials: one };
    });
  }

  /**
   * The lane and key of one call: the least busy. A key that the caller chose always goes to the same API key, since the service
   * may remember idempotency keys per API key (not shown in `spec.md`).
   */
  choose(callersIdempotencyKey: string | undefined): { lane: Lane; credentials: Credentials } {
    const places = this.#places;
    const [first] = places;
    if (first === undefined) throw new Error('a client has at least one API key');
    if (callersIdempotencyKey !== undefined) {
      return places[stableHash(callersIdempotencyKey) % places.length] ?? first;
    }
    return places.reduce((least, place) => (place.lane.calls < least.lane.calls ? place : least), first);
  }

  stats(): LaneStats[] {
    return this.#places.map(({ lane }) => lane.stats());
  }

  /** Leaves every lane, and closes those that nobody uses any more. */
  async release(): Promise<void> {
    const deserted = this.#places.filter(({ lane }) => lane.leave(this.#order));
    for (const { id, lane } of deserted) if (this.#shared.get(id) === lane) this.#shared.delete(id);
    await Promise.all(deserted.map(({ lane }) => lane.close()));
  }
}

/** FNV-1a over the letters of a UUID, whatever their case. */
function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text.toLowerCase()) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  }
  return hash;
}
