import { MAX_TIMER_MS } from '../../util/options.js';

export const DAY_MS: number = 24 * 60 * 60 * 1000;

export interface Now {
  now(): number;
}

/** A task and its time: plain data, so it can be saved. */
export interface Planned<Task> {
  readonly at: number;
  readonly task: Task;
}

export interface ClockStart<Task> {
  readonly began: number;
  readonly now: number;
  /** Milliseconds that a running clock was ahead of the machine's, or below 0 behind it. */
  readonly ahead?: number | undefined;
  readonly agenda: readonly Planned<Task>[];
}

/** First moment of a still clock: fixed, so one seed gives the same timestamps in every run. */
const STILL_START_MS = Date.UTC(2026, 0, 15, 12, 0, 0);

/** Last moment of a clock: what is planned from there still has a year of four digits. */
export const LAST_MOMENT_MS: number = Date.UTC(9999, 0, 1);

/**
 * The service's time, in milliseconds since the epoch. It never goes back. Due tasks run when the
 * clock is advanced and before the next request is judged, each at its own moment. A running clock
 * also wakes for them.
 */
export class Clock<Task> {
  readonly began: number;
  readonly #realTime: boolean;
  /** The time of a still clock; the milliseconds that a running one is ahead. */
  #base: number;
  /** The machine's time at the last look of a running clock. */
  #seen = Number.NEGATIVE_INFINITY;
  #agenda: Planned<Task>[] = [];
  /** The moment of the running task. Before the start, the first moment. */
  #moment: number | undefined;
  #run: (task: Task) => void = () => {};
  #delayOf: (task: Task) => number | undefined = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  /** `began`: the moment of the data that it starts with. Default: now. */
  constructor(realTime: boolean, began: number = realTime ? Date.now() : STILL_START_MS) {
    this.began = began;
    this.#realTime = realTime;
    this.#base = realTime ? 0 : began;
    this.#moment = began;
  }

  now(): number {
    return this.#moment ?? this.#present();
  }

  /**
   * Starts the time. `run` gets the tasks that are due; none runs before. `delayOf`: the delay in ms
   * of a task that is planned from now on, in place of the one that its plan says.
   */
  start(run: (task: Task) => void, delayOf: (task: Task) => number | undefined = () => undefined): void {
    this.#run = run;
    this.#delayOf = delayOf;
    this.#moment = undefined;
    this.#wake();
  }

  save(): ClockStart<Task> {
    const { began } = this;
    return { began, now: this.now(), agenda: [...this.#agenda], ...(this.#realTime ? { ahead: this.#base } : {}) };
  }

  /**
   * Continues from a saved state. To be called before the start. If both clocks run with the
   * machine's, the time in between has passed. Otherwise the clock continues from the saved moment.
   */
  restore({ now, ahead, agenda }: Omit<ClockStart<Task>, 'began'>): void {
    this.#seen = Date.now();
    const fromNow = now - this.#seen;
    this.#base = this.#realTime ? Math.max(fromNow, ahead ?? fromNow) : now;
    this.#agenda = [...agenda];
  }

  /**
   * Moves the clock on and runs what becomes due, in order.
   *
   * @throws TypeError for a number that is not possible.
   */
  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new TypeError('advance: must be 0 or more milliseconds');
    if (this.#present() + ms > LAST_MOMENT_MS) throw new TypeError('advance: must not lead beyond the year 9998');
    this.#base += ms;
    this.catchUp();
  }

  /** Runs `task` when the clock reaches `at`, after earlier tasks of the same moment. */
  plan(at: number, task: Task): void {
    const delay = this.#delayOf(task);
    const moment = delay === undefined ? Math.max(at, this.now()) : this.now() + delay;
    // Binary search: a still clock may gather a task for every write.
    let [low, high] = [0, this.#agenda.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#agenda[middle]?.at ?? moment) > moment) high = middle;
      else low = middle + 1;
    }
    this.#agenda.splice(low, 0, { at: moment, task });
    if (low === 0) this.#wake();
  }

  drop(matches: (task: Task) => boolean): void {
    const index = this.#agenda.findIndex(({ task }) => matches(task));
    if (index >= 0) this.#agenda.splice(index, 1);
  }

  /** Runs everything that is due, including tasks that these plan. */
  catchUp(): void {
    // A task that moves the clock must not run others before it has ended.
    if (this.#moment !== undefined) return;
    for (let next = this.#agenda[0]; next !== undefined && next.at <= this.#present(); next = this.#agenda[0]) {
      this.#agenda.shift();
      this.#moment = next.at;
      try {
        this.#run(next.task);
      } finally {
        this.#moment = undefined;
      }
    }
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #present(): number {
    if (!this.#realTime) return this.#base;
    const machine = Date.now();
    // The machine's clock was set back: this one continues from its own time.
    if (machine < this.#seen) this.#base += this.#seen - machine;
    this.#seen = machine;
    return machine + this.#base;
  }

  #wake(): void {
    if (!this.#realTime || this.#stopped || this.#moment !== undefined) return;
    clearTimeout(this.#timer);
    const next = this.#agenda[0];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.catchUp(), Math.min(Math.max(0, next.at - this.#present()), MAX_TIMER_MS));
    // The timer must not keep a program alive.
    this.#timer.unref();
  }
}

/** Writes a moment as the API does: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
