import { ConfigurationError } from '../partner-error.js';
import { hasMethod } from '../util/members.js';
import type { ReplayGuard } from './guard.js';

/** Does the work of one event; gives whether it succeeded. Never rejects. */
type Work = () => Promise<boolean>;

/** Told what a guard did wrong. */
type GuardFailure = (error: unknown) => unknown;

const CANNOT_FORGET =
  'the replay guard has no forget(id): the redelivery of an event that was not handled will be taken for a repeat';

/**
 * The work under way, by guard and id. By guard rather than by handler, since a program may make several handlers over
 * one guard, in the worst case one for each request.
 */
const UNDER_WAY = new WeakMap<ReplayGuard, Map<string, Promise<boolean>>>();

/**
 * Does the work unless it was done before. A delivery that comes while the same one is still being worked on shares its
 * outcome: it must not be answered 2xx before that has succeeded. Gives whether the event is handled, now or before.
 * Never rejects.
 */
export function once(guard: ReplayGuard, id: string, work: Work, failed: GuardFailure): Promise<boolean> {
  const underWay = workUnderWay(guard);
  const first = underWay.get(id);
  if (first !== undefined) return first;
  const outcome = unlessSeen(guard, id, work, failed).finally(() => underWay.delete(id));
  underWay.set(id, outcome);
  return outcome;
}

function workUnderWay(guard: ReplayGuard): Map<string, Promise<boolean>> {
  const known = UNDER_WAY.get(guard);
  if (known !== undefined) return known;
  const created = new Map<string, Promise<boolean>>();
  UNDER_WAY.set(guard, created);
  return created;
}

async function unlessSeen(guard: ReplayGuard, id: string, work: Work, failed: GuardFailure): Promise<boolean> {
  try {
    if (await seen(guard, id)) return true;
  } catch (error) {
    failed(error);
    // It may have recorded the id and lost only its answer: an event handled twice is better than one lost.
    await forget(guard, id, failed);
    return false;
  }
  if (await work()) return true;
  await forget(guard, id, failed);
  return false;
}

async function seen(guard: ReplayGuard, id: string): Promise<boolean> {
  const answer: unknown = await guard.seen(id);
  if (typeof answer === 'boolean') return answer;
  // A truthy answer of another meaning ('OK' of Redis: recorded just now) would lose every event.
  throw new ConfigurationError('seen(id) of the replay guard must give true (recorded before) or false');
}

async function forget(guard: ReplayGuard, id: string, failed: GuardFailure): Promise<void> {
  try {
    if (!hasMethod(guard, 'forget')) throw new ConfigurationError(CANNOT_FORGET);
    await guard.forget?.(id);
  } catch (error) {
    failed(error);
  }
}
