import { MILLISECONDS } from '../../../util/options.js';
import type { Task } from '../../core/clock/task.js';
import type { ExecutionTimes } from '../../kinds/lifecycles/execution-times.js';
import type { ScenarioKind, Stage, Stop } from './scenario.js';

type StepName = keyof ExecutionTimes;

const EXECUTING_STEPS: readonly StepName[] = [
  'quote.finish',
  'onchain_quote.finish',
  'conversion.settle',
  'conversion.pay_in',
  'transfer.process',
  'transfer.finish',
  'withdrawal.send',
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

const nameOf = (task: Task): string => (task.kind === 'step' ? task.step : task.kind);

/**
 * Gives steps that are planned from now on another time. The end makes those that wait due at once.
 */
export function holdSteps({ state: { clock }, stepTimes }: Stage, steps: readonly StepName[], ms: number): Stop {
  const before = stepTimes.present;
  const isHeld = (task: Task): boolean => steps.some((name) => name === nameOf(task));
  const planned = new Set(clock.agenda.map(({ task }) => task).filter(isHeld));
  stepTimes.set(Object.fromEntries(steps.map((name) => [name, ms])));
  return () => {
    const kept = Object.entries(stepTimes.present).filter(([name]) => !steps.some((step) => step === name));
    const restored = steps.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]] as const]));
    stepTimes.restore(Object.fromEntries([...kept, ...restored]));
    clock.hasten((task) => isHeld(task) && !planned.has(task));
  };
}

/** A step that takes minutes. */
const SLOW_MS = 300_000;
const LAG_MS = 500;

export const slowExecution: ScenarioKind = {
  summary:
    'Quotes, conversions, transfers and withdrawals that begin are under way for minutes; the end lets all that waits happen at once.',
  options: { ms: { rule: MILLISECONDS, text: 'Time of each step; by default 300,000.' } },
  start: (stage, { ms = SLOW_MS }) => holdSteps(stage, EXECUTING_STEPS, ms),
};

export const staleReads: ScenarioKind = {
  summary: 'Reads do not see a write for a while; the end shows all, and puts the lag back that was there.',
  options: { ms: { rule: MILLISECONDS, text: 'Time for which a write is not seen; by default 500.' } },
  start({ readLag }, { ms = LAG_MS }) {
    const before = readLag.ms;
    readLag.set(ms);
    return () => {
      if (readLag.ms === ms) readLag.set(before);
    };
  },
};
