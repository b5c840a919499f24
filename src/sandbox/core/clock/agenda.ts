/** A task and its time: plain data, so it can be saved. */
export interface Planned<Task> {
  readonly at: number;
  readonly task: Task;
  /** `seq` of the timeline's entry that planned it. */
  readonly cause?: number | undefined;
  /** Number of the task. Tasks that were planned later have higher numbers. */
  readonly number: number;
}

function isLater(one: Planned<unknown>, other: Planned<unknown>): boolean {
  return one.at > other.at || (one.at === other.at && one.number > other.number);
}

/**
 * Planned tasks, in the order of their times. Those of one moment stay in the order of planning.
 */
export class Agenda<Task> {
  #planned: Planned<Task>[];

  constructor(planned: readonly Planned<Task>[] = []) {
    this.#planned = [...planned];
  }

  get list(): readonly Planned<Task>[] {
    return this.#planned;
  }

  get first(): Planned<Task> | undefined {
    return this.#planned[0];
  }

  takeFirst(): Planned<Task> | undefined {
    return this.#planned.shift();
  }

  add(planned: Planned<Task>): void {
    // Binary search: a still clock may gather a task for every write.
    let [low, high] = [0, this.#planned.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(this.#planned[middle] ?? planned, planned)) high = middle;
      else low = middle + 1;
    }
    this.#planned.splice(low, 0, planned);
  }

  /** Removes the first task that matches, and returns it. */
  take(matches: (task: Task) => boolean): Planned<Task> | undefined {
    const index = this.#planned.findIndex(({ task }) => matches(task));
    return index < 0 ? undefined : this.#planned.splice(index, 1)[0];
  }

  /** Removes the task with this number. */
  remove(number: number): void {
    this.#planned = this.#planned.filter((planned) => planned.number !== number);
  }

  /** Removes all tasks that match, and returns them in their order. */
  takeAll(matches: (task: Task) => boolean): Planned<Task>[] {
    const taken = this.#planned.filter(({ task }) => matches(task));
    if (taken.length > 0) this.#planned = this.#planned.filter(({ task }) => !matches(task));
    return taken;
  }
}
