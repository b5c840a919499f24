import type { Changes } from '../core/basics/changes.js';
import { type Cause, Refusal } from '../core/request/refusal.js';

const CAUSE: Cause = { field: 'state', message: 'cannot be saved by the sandbox; nothing was changed' };

const VERDICT = 'not_saved';

/** Seconds after which a refused request may be sent again. */
const RETRY_AFTER_SECONDS = '1';

/** Goes on with `answer` when the changes that it tells of are written down, else with another. */
export function whenKept<T>(changes: Changes, answer: T, otherwise: () => T): T | Promise<T> {
  try {
    const written = changes.commit();
    return written === undefined ? answer : written.then(() => answer, otherwise);
  } catch {
    return otherwise();
  }
}

/** The refusal of a request whose changes could not be written down. */
export const notSaved = (): Refusal => new Refusal(500, 'internal', [CAUSE], VERDICT);

/** @throws Refusal if nothing can be written down at present. */
export function checkKept({ isBroken }: Changes): void {
  if (!isBroken) return;
  throw new Refusal(503, 'unavailable', [CAUSE], VERDICT, { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
