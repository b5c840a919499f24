import { createHash } from 'node:crypto';
import { ConfigurationError } from '../partner-error.js';
import { checkOptions, MILLISECONDS, type Rules, wholeNumber } from '../util/options.js';

/**
 * Remembers which deliveries were handled, so that a repeated one is not handled again. `memoryReplayGuard()` is one
 * for a single process; several processes share one over a database. With Redis:
 *
 * ```ts
 * const guard: ReplayGuard = {
 *   seen: async (id) => (await redis.set(`webhook:${id}`, '1', { NX: true, EX: 7 * 86_400 })) === null,
 *   forget: (id) => redis.del(`webhook:${id}`),
 * };
 * ```
 *
 * An endpoint needs a guard (or a key prefix) of its own: two endpoints may get deliveries of the same id.
 *
 * The id is recorded before the event is handled and taken back when that fails. Four gaps are left. Two may lose an
 * event:
 *
 * - A process that dies in between leaves an id recorded that was not handled. A memory guard dies with it, so the
 *   redelivery is handled; in a store the id stays until it expires.
 * - A repeat that reaches another process while the first delivery is still being handled is answered 2xx before the
 *   outcome is known, so nothing may come again when the handler then fails. Within one process such a repeat waits for
 *   the first.
 *
 * Two may have an event handled twice:
 *
 * - When `seen` fails, the id is taken back, since the failed call may have recorded it, and an event lost is worse
 *   than one handled twice. An id that an earlier delivery, or another process, had recorded goes with it: the next
 *   redelivery is handled again.
 * - The id of a flat payload (`event_type` beside the members) is the header `X-Webhook-ID`, which is not signed:
 *   whoever has captured a signed body can repeat it under another id, or under none. A handler knows an exact repeat
 *   by its signature, whatever its headers say, for 2 × `tolerance`. So one captured delivery can be handled once more
 *   by each other process, and by this one after a restart. With the scheme `body`, which signs no timestamp, it can be
 *   handled again every 10 minutes, for ever.
 *
 * The first three close when the handler itself records the event's id, in the same transaction as its effect, and the
 * guard leaves that to it: `{ seen: () => false, forget: () => {} }`. The last closes when what is recorded there comes
 * from the signed body, say which resource came into which status.
 */
export interface ReplayGuard {
  /**
   * Records the id, and tells whether it was recorded before. Both in one step, since two deliveries may come at once.
   * Anything but `true` or `false` (the `'OK'` of a Redis client, say) is refused, and the delivery is answered 500.
   */
  seen(id: string): boolean | Promise<boolean>;
  /**
   * Takes the id back, so that the redelivery is handled. Called when the handler failed, and when `seen` itself
   * failed, since then nobody knows whether it recorded. Without it the redelivery of an event whose handler failed is
   * taken for a repeat: that event is lost, which is reported to `onError`.
   */
  forget?(id: string): unknown;
}

/** What `memoryReplayGuard` is given. */
export interface MemoryReplayGuardOptions {
  /** How many ids are kept; beyond it the oldest goes. Default 10,000, at least 1. */
  readonly limit?: number | undefined;
  /**
   * Time in ms after which an id counts as new again. Default: no limit but `limit`. Above 0, at most 2,147,483,647.
   */
  readonly ttl?: number | undefined;
}

/** The time of day, by which a delivery is fresh, and the steady clock of the memory may differ a little. */
const CLOCK_SLACK_MS = 1_000;

const RULES = {
  limit: { ...wholeNumber(1), default: 10_000 },
  ttl: { ...MILLISECONDS, default: Number.POSITIVE_INFINITY },
} satisfies Rules<MemoryReplayGuardOptions>;

/**
 * A replay guard in the memory of this process, bounded, the oldest id out first. It knows nothing of other processes
 * and nothing after a restart: where a second handling does harm, use a shared store.
 *
 * @throws ConfigurationError when an option is unknown or wrong.
 */
export function memoryReplayGuard(options: MemoryReplayGuardOptions = {}): Required<ReplayGuard> {
  const { limit, ttl } = checkOptions('memoryReplayGuard', options, RULES, ConfigurationError);
  return new MemoryReplayGuard(limit, ttl);
}

class MemoryReplayGuard implements Required<ReplayGuard> {
  /** When each id was recorded, oldest first. An id is kept as its hash: the sender chooses how long it is. */
  readonly #recorded = new Map<string, number>();
  readonly #limit: number;
  readonly #ttl: number;

  constructor(limit: number, ttl: number) {
    this.#limit = limit;
    this.#ttl = ttl;
  }

  seen(id: string): boolean {
    // Not the time of day, which may be set back.
    const now = performance.now();
    const hash = hashOf(id);
    const time = this.#recorded.get(hash);
    if (time !== undefined && now - time < this.#ttl) return true;
    // Taken out first, so that it goes to the end of the order.
    this.#recorded.delete(hash);
    this.#recorded.set(hash, now);
    this.#dropOldest(now);
    return false;
  }

  forget(id: string): void {
    this.#recorded.delete(hashOf(id));
  }

  #dropOldest(now: number): void {
    for (const [oldest, time] of this.#recorded) {
      if (this.#recorded.size <= this.#limit && now - time < this.#ttl) return;
      this.#recorded.delete(oldest);
    }
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64');
}

/** Proven signatures kept for one guard. A sender cannot make them up: there are as many as real deliveries. */
const MAX_SIGNATURES = 100_000;

/** The memories of proven signatures, by guard and by how long they remember, in ms. */
const SIGNATURES = new WeakMap<ReplayGuard, Map<number, ReplayGuard>>();

/**
 * What remembers the proven signatures of the deliveries that this guard sees: by guard rather than by handler, since a
 * program may make several handlers over one guard. A delivery may be signed `tolerance` ahead of the clock and
 * repeated until it is as old, so twice as long is enough.
 */
export function signatureMemory(guard: ReplayGuard, tolerance: number): ReplayGuard {
  const memories = SIGNATURES.get(guard) ?? new Map<number, ReplayGuard>();
  SIGNATURES.set(guard, memories);
  const memory = memories.get(tolerance) ?? new MemoryReplayGuard(MAX_SIGNATURES, 2 * tolerance + CLOCK_SLACK_MS);
  memories.set(tolerance, memory);
  return memory;
}
