import { ConfigurationError } from '../partner-error.js';
import { BoundedMap } from '../util/bounded-map.js';
import { checkOptions, MILLISECONDS, type Rules, wholeNumber } from '../util/options.js';

/**
 * Stores the `deliveryId` of each handled event, so that a duplicate is not handled again.
 * `memoryReplayGuard()` serves a single process. Several processes share a guard over a store:
 * `redisReplayGuard()` of `partner-sdk/redis`, or one over your database.
 *
 * Each endpoint needs its own guard or key prefix, because two endpoints may get the same event.
 *
 * The id is recorded before the event is handled, and removed again if the handler fails. That
 * leaves three gaps, which `redisReplayGuard()` closes. Two of them may lose an event:
 *
 * - A process that dies in between leaves the id of an event that was not handled. A memory guard
 *   dies with it, so the redelivery is handled; in a store the id stays until it expires. A guard
 *   with `handled` records the id briefly first, and for good once the event is handled.
 * - A duplicate that reaches another process while the first delivery is being handled gets 2xx
 *   before the outcome is known. If the handler then fails, the service may not deliver again.
 *   Within one process such a duplicate waits for the first. If `seen` returns `'handling'`, the
 *   response is 503, so the service delivers again.
 *
 * The third may cause an event to be handled twice:
 *
 * - If `seen` fails, the id is removed: the failed call may have recorded it, and losing an event
 *   is worse than handling it twice. If an earlier delivery had recorded the id, that record is
 *   removed as well, and the next redelivery is handled again.
 *
 * To close all three, let the handler record `deliveryId` in the same transaction as its effect.
 * The guard is then `{ seen: () => false, forget: () => {} }`.
 *
 * @example
 * // Events are recorded by the handler itself, in the transaction of their effect.
 * const guard: ReplayGuard = { seen: () => false, forget: () => {} };
 * const receive = webhookHandler({ secret, guard, onEvent: (event) => settle(event) });
 */
export interface ReplayGuard {
  /**
   * Records the id and returns true if it was recorded before. Both must be one atomic step,
   * because two deliveries may arrive at once. `'handling'` says that another process is handling
   * it now, so the response is 503. Any other value, for example the `'OK'` of a Redis client, is
   * rejected, and the response is 500.
   */
  seen(id: string): boolean | 'handling' | Promise<boolean | 'handling'>;
  /**
   * Called when the event has been handled, before the response. If it fails, `onError` is called,
   * and the response is still 200.
   */
  handled?(id: string): unknown;
  /**
   * Removes the id, so the redelivery is handled. Called if the handler failed, and if `seen`
   * itself failed, because it may have recorded the id. Without it, the redelivery of an event
   * whose handler failed counts as a duplicate. That event is lost, which is reported to `onError`.
   */
  forget?(id: string): unknown;
}

/** Options of `memoryReplayGuard`. */
export interface MemoryReplayGuardOptions {
  /** The largest number of ids; above it, the oldest is dropped. Default 100,000, at least 1. */
  readonly limit?: number | undefined;
  /** Time in ms after which an id counts as new again. Default: no limit. At most 2,147,483,647. */
  readonly ttl?: number | undefined;
}

/** A guard that can remove an id. */
type MemoryGuard = ReplayGuard & Required<Pick<ReplayGuard, 'forget'>>;

/** A function, for the same reason as the rules of the handlers. */
const rules = () =>
  ({
    limit: { ...wholeNumber(1), default: 100_000 },
    ttl: { ...MILLISECONDS, default: Number.POSITIVE_INFINITY },
  }) satisfies Rules<MemoryReplayGuardOptions>;

/**
 * Returns a bounded replay guard in the memory of this process. It knows nothing of other processes
 * or after a restart, so use a shared store if handling an event twice does harm.
 *
 * @example
 * const guard = memoryReplayGuard({ limit: 100_000, ttl: 86_400_000 });
 * const receive = webhookHandler({ secret, guard, onEvent: (event) => settle(event) });
 *
 * @throws ConfigurationError if an option is unknown or wrong.
 */
export function memoryReplayGuard(options: MemoryReplayGuardOptions = {}): MemoryGuard {
  const { limit, ttl } = checkOptions('memoryReplayGuard', options, rules(), ConfigurationError);
  // By a steady clock: the time of day may be set back.
  const hasExpired = (time: number): boolean => performance.now() - time >= ttl;
  const recorded = new BoundedMap<string, number>(limit, [], hasExpired);
  return {
    seen: (id) => {
      const time = recorded.get(id);
      if (time !== undefined && !hasExpired(time)) return true;
      recorded.set(id, performance.now());
      return false;
    },
    forget: (id) => void recorded.delete(id),
  };
}

/** Running handlers by guard and id: a program may create a `Receiver` for each request. */
const inProgress = new WeakMap<ReplayGuard, Map<string, Promise<Handling>>>();

/** `handled`: now or before. `handling`: by another process, at this moment. */
export type Handling = 'handled' | 'failed' | 'handling';

/**
 * Handles a delivery unless it was handled before. A duplicate that arrives while the first
 * delivery is being handled shares its outcome: it must not get 2xx before the handler has
 * succeeded. Never rejects.
 *
 * @param handle Never rejects.
 * @param onGuardFailure Gets the failures of the guard, and how the handling has ended.
 */
export function handleOnce(
  guard: ReplayGuard,
  id: string,
  handle: () => Promise<Handling>,
  onGuardFailure: (error: unknown, ending: Handling) => unknown,
): Promise<Handling> {
  const handling = inProgress.get(guard) ?? new Map<string, Promise<Handling>>();
  inProgress.set(guard, handling);
  const running =
    handling.get(id) ?? handleUnlessSeen(guard, id, handle, onGuardFailure).finally(() => handling.delete(id));
  handling.set(id, running);
  return running;
}

async function handleUnlessSeen(
  guard: ReplayGuard,
  id: string,
  handle: () => Promise<Handling>,
  onGuardFailure: (error: unknown, ending: Handling) => unknown,
): Promise<Handling> {
  let ending: Handling = 'failed';
  try {
    const seen = await hasSeen(guard, id);
    if (seen !== false) return seen === true ? 'handled' : 'handling';
    ending = await handle();
  } catch (error) {
    // `seen` may have recorded the id before it failed: an event handled twice is better than one
    // lost.
    ending = 'failed';
    onGuardFailure(error, ending);
  }
  // The event is handled, whatever the guard does: a 500 would have it handled again.
  try {
    if (ending === 'handled') await guard.handled?.(id);
    else if (guard.forget === undefined) onGuardFailure(new ConfigurationError(CANNOT_FORGET), ending);
    else await guard.forget(id);
  } catch (error) {
    onGuardFailure(error, ending);
  }
  return ending;
}

async function hasSeen(guard: ReplayGuard, id: string): Promise<boolean | 'handling'> {
  const answer: unknown = await guard.seen(id);
  if (typeof answer === 'boolean' || answer === 'handling') return answer;
  // A truthy value of another meaning (Redis: 'OK', just recorded) would lose every event.
  throw new ConfigurationError("seen(id) of the replay guard must return true (recorded before), false or 'handling'");
}

const CANNOT_FORGET =
  'the replay guard has no forget(id): if an event was not handled, its redelivery will be dropped as a duplicate';
