import * as z from 'zod/mini';
import { MILLISECONDS } from '../../../util/options.js';
import { subjectOf, type Task, type TaskSubject } from '../../core/clock/task.js';
import type { ExecutionTimes } from '../../kinds/registry/execution-times.js';
import type { ScenarioKind, ScenarioName, ScenarioParts } from './scenario.js';

type StepName = keyof ExecutionTimes;

const EXECUTING_STEPS: readonly StepName[] = [
  'quote.finish',
  'onchain_quote.finish',
  'conversion.settle',
  'conversion.pay_in',
  'transfer.process',
  'transfer.finish',
  'withdrawal.finish',
];

/** The steps that pay out. */
export const SETTLING_STEPS: readonly StepName[] = [
  'conversion.complete',
  'conversion.pay_out',
  'deposit.credit',
  'expected_deposit.credit',
  'transfer.finish',
  'withdrawal.finish',
];

const taskSubject = z.object({ task: z.string(), id: z.string(), account: z.optional(z.string()) });

/** `planned`: the tasks that were scheduled before the scenario, which keep their times. */
export const heldSteps = z.object({ planned: z.array(taskSubject) });

export type HeldSteps = z.output<typeof heldSteps>;

/** Sets another duration for steps that are scheduled from now on. */
export function holdSteps(
  { state: { clock }, stepTimes }: ScenarioParts,
  scenario: ScenarioName,
  steps: readonly StepName[],
  ms: number,
): HeldSteps {
  const planned = clock.agenda.map(({ task }) => subjectOf(task)).filter((subject) => isOneOf(steps, subject));
  stepTimes.hold(scenario, Object.fromEntries(steps.map((name) => [name, ms])));
  return { planned };
}

/** Restores the durations of steps. Those that wait because of the scenario become due at once. */
export function releaseSteps(
  { state: { clock }, stepTimes }: ScenarioParts,
  scenario: ScenarioName,
  steps: readonly StepName[],
  { planned }: HeldSteps,
): void {
  stepTimes.release(scenario);
  const keeping = new Set(planned.map(textOf));
  const waits = (task: Task): boolean => {
    const subject = subjectOf(task);
    return isOneOf(steps, subject) && !keeping.has(textOf(subject));
  };
  clock.makeDue(waits);
}

const isOneOf = (steps: readonly string[], { task }: TaskSubject): boolean => steps.includes(task);

const textOf = ({ task, account, id }: TaskSubject): string => `${task} ${account} ${id}`;

/** Default duration in ms of a step. */
const SLOW_MS = 300_000;

export const slowExecution: ScenarioKind<HeldSteps> = {
  summary:
    'New quotes, conversions, transfers and withdrawals take minutes. When it stops, those that wait finish at once.',
  options: { ms: { rule: MILLISECONDS, text: 'Time of each step; by default 300,000.' } },
  saved: heldSteps,
  start: (parts, { ms = SLOW_MS }, name) => holdSteps(parts, name, EXECUTING_STEPS, ms),
  stop: (parts, undo, name) => releaseSteps(parts, name, EXECUTING_STEPS, undo),
};
