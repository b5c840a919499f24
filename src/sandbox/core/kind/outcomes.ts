import type { Task } from '../clock/task.js';
import type { OutcomeKind } from './kind.js';

/** Default delay of `slow`, in ms. */
const SLOW_MS = 60_000;

/** True for this scheduled step of the record. */
export const isStep = (task: Task, step: string, id: string): boolean =>
  task.kind === 'step' && task.step === step && task.id === id;

/**
 * Delays the step: it runs `ms` from now, by default in a minute. `summary` describes the delay.
 */
export function slow(summary: string, step: string): OutcomeKind {
  return {
    summary: `${summary} only after \`ms\`, by default a minute.`,
    takes: ['ms'],
    apply: ({ state: { clock }, id, ms = SLOW_MS }) =>
      clock.reschedule(
        (task) => isStep(task, step, id),
        ({ task }) => ({ at: clock.now() + ms, task }),
      ),
  };
}
