import { checkGiven } from '../../../util/options.js';
import type { Changes } from '../../core/basics/changes.js';
import { subjectOf, type Task } from '../../core/clock/task.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import { EXECUTION_TIMES_RULES, type ExecutionTimes } from '../../kinds/registry/execution-times.js';

/** The durations of steps that differ from the documented ones. */
export class StepTimes {
  readonly #base: ExecutionTimes;
  readonly #changes: Changes;
  #current: ExecutionTimes;

  constructor(base: ExecutionTimes = {}, changes: Changes) {
    this.#changes = changes;
    this.#base = base;
    this.#current = base;
  }

  /** All durations that are set, by step. */
  get current(): ExecutionTimes {
    return this.#current;
  }

  /** Sets some durations. */
  set(times: ExecutionTimes): void {
    this.#put({ ...this.#current, ...times });
  }

  /** Restores the durations of `createSandbox`. */
  reset(): void {
    this.#put(this.#base);
  }

  /** Returns the duration that is set for a task, if any. */
  of(task: Task): number | undefined {
    return (this.#current as Readonly<Record<string, number | undefined>>)[subjectOf(task).task];
  }

  #put(times: ExecutionTimes): void {
    this.#current = times;
    this.#changes.announce('executionTimes');
  }
}

/** `sandbox.executionTimes`: the durations of steps of quotes and other resources. */
export interface SandboxExecutionTimes {
  /**
   * Sets durations of steps, like the option `executionTimes` of `createSandbox`. Steps that are
   * not named, or are scheduled already, keep their times. Returns all durations that are set.
   *
   * @throws TypeError for an unknown step or a wrong time.
   */
  set(times: ExecutionTimes): ExecutionTimes;
  /** Returns the durations that are set, by step. */
  get(): ExecutionTimes;
  /** Restores the durations of `createSandbox`. */
  clear(): void;
}

/** Durations of the steps of quotes and other lifecycles. */
export const executionTimes: GroupOf<{ readonly trouble: { readonly stepTimes: StepTimes } }, SandboxExecutionTimes> = {
  name: 'executionTimes',
  methods: {
    set: {
      takes: { times: GIVEN },
      run({ trouble: { stepTimes } }, times) {
        stepTimes.set(checkGiven('executionTimes.set', times, EXECUTION_TIMES_RULES, TypeError));
        return { ...stepTimes.current };
      },
    },
    get: { get: '', run: ({ trouble: { stepTimes } }) => ({ ...stepTimes.current }) },
    clear: { run: ({ trouble: { stepTimes } }) => stepTimes.reset() },
  },
};
