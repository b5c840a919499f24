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

/**
 * Scheduled tasks in the order of their times. Tasks with the same time keep the order in which
 * they were scheduled.
 */
export class Agenda<Task> {
  #planned: Scheduled<Task>[];

  constructor(planned: readonly Scheduled<Task>[] = []) {
    this.#planned = [...planned];
  }

  get list(): readonly Scheduled<Task>[] {
    return this.#planned;
  }

  get first(): Scheduled<Task> | undefined {
    return this.#planned[0];
  }

  takeFirst(): Scheduled<Task> | undefined {
    return this.#planned.shift();
  }

  add(planned: Scheduled<Task>): void {
    // Binary search: a stopped clock may gather a task for every write.
    let [low, high] = [0, this.#planned.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(this.#planned[middle] ?? planned, planned)) high = middle;
      else low = middle + 1;
    }
    this.#planned.splice(low, 0, planned);
  }

  /** Removes and returns the first task that matches. */
  take(matches: (task: Task) => boolean): Scheduled<Task> | undefined {
    const index = this.#planned.findIndex(({ task }) => matches(task));
    return index < 0 ? undefined : this.#planned.splice(index, 1)[0];
  }

  /** Removes the task with this number. */
  remove(number: number): void {
    this.#planned = this.#planned.filter((planned) => planned.number !== number);
  }

  /** Removes and returns all tasks that match, in their order. */
  takeAll(matches: (task: Task) => boolean): Scheduled<Task>[] {
    const taken = this.#planned.filter(({ task }) => matches(task));
    if (taken.length > 0) this.#planned = this.#planned.filter(({ task }) => !matches(task));
    return taken;
  }
}
