import type { Changes } from '../../core/basics/changes.js';
import { subjectOf, type Task } from '../../core/clock/task.js';
import type { ExecutionTimes } from '../../kinds/registry/execution-times.js';

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
