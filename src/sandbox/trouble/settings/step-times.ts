import type { Changes } from '../../core/basics/changes.js';
import { subjectOf, type Task } from '../../core/clock/task.js';
import type { ExecutionTimes } from '../../kinds/registry/execution-times.js';

/** The times of steps that differ from those of the documentation. */
export class StepTimes {
  readonly #base: ExecutionTimes;
  readonly #changes: Changes;
  #times: ExecutionTimes;
  /** Times that scenarios set, by name of the scenario; of two the newer one counts. */
  readonly #held = new Map<string, ExecutionTimes>();
  #current: ExecutionTimes;

  constructor(base: ExecutionTimes = {}, changes: Changes) {
    this.#changes = changes;
    this.#base = base;
    this.#times = base;
    this.#current = base;
  }

  /** All times that are set, by step. */
  get current(): ExecutionTimes {
    return this.#current;
  }

  /** Sets some times, also in place of those that a scenario set. */
  set(times: ExecutionTimes): void {
    this.#times = { ...this.#times, ...times };
    for (const [scenario, held] of this.#held) {
      const others = Object.entries(held).filter(([step]) => !Object.hasOwn(times, step));
      this.#held.set(scenario, Object.fromEntries(others));
    }
    this.#combine();
  }

  /** Sets times that last until `release`. */
  hold(scenario: string, times: ExecutionTimes): void {
    this.#held.set(scenario, times);
    this.#combine();
  }

  /** Ends the times that a scenario set. */
  release(scenario: string): void {
    this.#held.delete(scenario);
    this.#combine();
  }

  /** Sets the times of `createSandbox`. */
  reset(): void {
    this.#times = this.#base;
    this.#held.clear();
    this.#combine();
  }

  /** Returns the time that was set for a task, if one was. */
  of(task: Task): number | undefined {
    return (this.#current as Readonly<Record<string, number | undefined>>)[subjectOf(task).task];
  }

  #combine(): void {
    this.#current = Object.assign({}, this.#times, ...this.#held.values());
    this.#changes.announce('executionTimes');
  }
}
