/** A task and its time: plain data, so it can be saved. */
export interface Scheduled<Task> {
  readonly at: number;
  readonly task: Task;
  /** `seq` of the timeline entry that scheduled it. */
  readonly cause?: number | undefined;
  /** Number of the task. A task that was scheduled later has a higher number. */
  readonly number: number;
}

function isLater(one: Scheduled<unknown>, other: Scheduled<unknown>): boolean {
  return one.at > other.at || (one.at === other.at && one.number > other.number);
}

/** Scheduled tasks in the order of their times; of one time, in the order of their scheduling. */
export class Agenda<Task> {
  #scheduled: Scheduled<Task>[];

  constructor(scheduled: readonly Scheduled<Task>[] = []) {
    this.#scheduled = [...scheduled];
  }

  get list(): readonly Scheduled<Task>[] {
    return this.#scheduled;
  }

  get first(): Scheduled<Task> | undefined {
    return this.#scheduled[0];
  }

  takeFirst(): Scheduled<Task> | undefined {
    return this.#scheduled.shift();
  }

  add(scheduled: Scheduled<Task>): void {
    // Binary search: a stopped clock may gather a task for every write.
    let [low, high] = [0, this.#scheduled.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(this.#scheduled[middle] ?? scheduled, scheduled)) high = middle;
      else low = middle + 1;
    }
    this.#scheduled.splice(low, 0, scheduled);
  }

  /** Removes and returns the first task that matches. */
  take(matches: (task: Task) => boolean): Scheduled<Task> | undefined {
    const index = this.#scheduled.findIndex(({ task }) => matches(task));
    return index < 0 ? undefined : this.#scheduled.splice(index, 1)[0];
  }

  /** Removes and returns all tasks that match, in their order. */
  takeAll(matches: (task: Task) => boolean): Scheduled<Task>[] {
    const taken = this.#scheduled.filter(({ task }) => matches(task));
    if (taken.length > 0) this.#scheduled = this.#scheduled.filter(({ task }) => !matches(task));
    return taken;
  }
}
