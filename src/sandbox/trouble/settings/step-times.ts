import type { Changes } from '../../core/basics/changes.js';
import { subjectOf, type Task } from '../../core/clock/task.js';
import type { ExecutionTimes } from '../../kinds/registry/execution-times.js';

/** The durations of steps that differ from the documented ones. */
export class StepTimes {
  readonly #base: ExecutionTimes;
  readonly #changes: Changes;
  #times: ExecutionTimes;
  /** Durations that scenarios set, by name of the scenario. The newest scenario has priority. */
  readonly #held = new Map<string, ExecutionTimes>();
  #current: ExecutionTimes;

  constructor(base: ExecutionTimes = {}, changes: Changes) {
    this.#changes = changes;
    this.#base = base;
    this.#times = base;
    this.#current = base;
  }

  /** All durations that are set, by step. */
  get current(): ExecutionTimes {
    return this.#current;
  }

  /** Sets some durations. They also replace those that a scenario set. */
  set(times: ExecutionTimes): void {
    this.#times = { ...this.#times, ...times };
    for (const [scenario, held] of this.#held) {
      const others = Object.entries(held).filter(([step]) => !Object.hasOwn(times, step));
      this.#held.set(scenario, Object.fromEntries(others));
    }
    this.#combine();
  }

  /** Sets durations that apply until `release`. */
  hold(scenario: string, times: ExecutionTimes): void {
    this.#held.set(scenario, times);
    this.#combine();
  }

  /** Removes the durations that a scenario set. */
  release(scenario: string): void {
    this.#held.delete(scenario);
    this.#combine();
  }

  /** Restores the durations of `createSandbox`. */
  reset(): void {
    this.#times = this.#base;
    this.#held.clear();
    this.#combine();
  }

  /** Returns the duration that is set for a task, if any. */
  of(task: Task): number | undefined {
    return (this.#current as Readonly<Record<string, number | undefined>>)[subjectOf(task).task];
  }

  #combine(): void {
    this.#current = Object.assign({}, this.#times, ...this.#held.values());
    this.#changes.announce('executionTimes');
  }
}
