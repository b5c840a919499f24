import type { Task } from '../clock/task.js';
import type { State } from '../records/state.js';
import { find } from './find.js';
import type { Found, Kind, OutcomeKind, Owner } from './kind.js';

/** Default delay of `slow`, in ms. */
const SLOW_MS = 60_000;

/** True for this scheduled step of the record. */
export const isStep = (task: Task, step: string, id: string): boolean =>
  task.kind === 'step' && task.step === step && task.id === id;

/**
 * Delays the step: it runs `afterMs` from now, by default in a minute. `summary` describes the delay.
 */
export function slow(summary: string, step: string): OutcomeKind {
  return {
    summary: `${summary} only after \`afterMs\`, by default a minute.`,
    takes: ['afterMs'],
    apply: ({ state: { clock }, id, afterMs = SLOW_MS }) =>
      clock.reschedule(
        (task) => isStep(task, step, id),
        ({ task }) => ({ at: clock.now() + afterMs, task }),
      ),
  };
}

/** Returns the `apply` of an outcome that needs only the resource that the operation has made. */
export function toMade<R, Of extends Owner>(
  kind: () => Kind<R, Of>,
  effect: (state: State, found: Found<R, Of>, reason: string | undefined) => unknown,
): OutcomeKind['apply'] {
  return ({ state, id, reason }) => {
    const found = find(state, kind(), id);
    if (found !== undefined) effect(state, found, reason);
    return found !== undefined;
  };
}
