import type { Changes } from '../core/basics/changes.js';
import { type Cause, Refusal } from '../core/request/refusal.js';

const CAUSE: Cause = { field: 'state', message: 'cannot be saved by the sandbox; nothing was changed' };

const VERDICT = 'not_saved';

/** `Retry-After` in seconds of a request that was refused because changes cannot be stored. */
const RETRY_AFTER_SECONDS = '1';

/**
 * Returns `answer` once the changes that it shows are stored. If they cannot be stored, returns the
 * result of `otherwise`.
 */
export function whenStored<T>(changes: Changes, answer: T, otherwise: () => T): T | Promise<T> {
  try {
    const written = changes.commit();
    return written === undefined ? answer : written.then(() => answer, otherwise);
  } catch {
    return otherwise();
  }
}

/** The refusal of a request whose changes could not be stored. */
export const notSaved = (): Refusal => new Refusal(500, 'internal', [CAUSE], VERDICT);

/** @throws Refusal while changes cannot be stored. */
export function checkStorable({ isBroken }: Changes): void {
  if (!isBroken) return;
  throw new Refusal(503, 'unavailable', [CAUSE], VERDICT, { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
