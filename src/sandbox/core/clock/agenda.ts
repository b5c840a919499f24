/** A task and its time: plain data, so it can be saved. */
export interface Planned<Task> {
  readonly at: number;
  readonly task: Task;
  /** `seq` of the timeline's entry that planned it. */
  readonly cause?: number | undefined;
  /** Its number: one that was planned later has a higher. */
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

  /** Takes the first task that matches out. */
  take(matches: (task: Task) => boolean): Planned<Task> | undefined {
    const index = this.#planned.findIndex(({ task }) => matches(task));
    return index < 0 ? undefined : this.#planned.splice(index, 1)[0];
  }

  /** Takes the task with this number out. */
  remove(number: number): void {
    this.#planned = this.#planned.filter((planned) => planned.number !== number);
  }

  /** Takes all tasks that match out, in their order. */
  takeAll(matches: (task: Task) => boolean): Planned<Task>[] {
    const taken = this.#planned.filter(({ task }) => matches(task));
    if (taken.length > 0) this.#planned = this.#planned.filter(({ task }) => !matches(task));
    return taken;
  }
}
