import { MAX_TIMER_MS } from '../../../util/options.js';
import { Agenda, type Scheduled } from './agenda.js';

export const DAY_MS: number = 24 * 60 * 60 * 1000;

export interface Now {
  now(): number;
}

/** Callbacks with which the clock handles tasks. */
interface ClockWork<Task> {
  /** Runs a task that is due. */
  run(task: Task, cause: number | undefined): void;
  /** Returns the delay in ms of a new task. Default: the delay that its caller gave. */
  delayOf?(task: Task): number | undefined;
  /** Returns the `seq` of the timeline entry whose work is running. */
  cause?(): number | undefined;
}

export interface ClockStart<Task> {
  readonly began: number;
  readonly now: number;
  /** Milliseconds by which a running clock was ahead of the machine's clock, negative if behind. */
  readonly ahead?: number | undefined;
  readonly agenda: readonly Omit<Scheduled<Task>, 'number'>[];
}

/** Start of a stopped clock: fixed, so one seed gives the same timestamps in every run. */
const STILL_START_MS = Date.UTC(2026, 0, 15, 12, 0, 0);

/** Latest time of a clock: what is scheduled from there still has a year of four digits. */
export const LAST_MOMENT_MS: number = Date.UTC(9999, 0, 1);

/**
 * The service's time, in milliseconds since the epoch. It never goes back. Due tasks run when the
 * clock is advanced and before each request is processed, each at its own time. A running clock
 * also wakes up for them.
 */
export class Clock<Task> {
  #began: number;
  #isRunning: boolean;
  /** The time of a stopped clock; of a running one, the milliseconds by which it is ahead. */
  #base: number;
  /** The machine's time when a running clock was last read. */
  #seen = Number.NEGATIVE_INFINITY;
  #agenda = new Agenda<Task>();
  #lastNumber = 0;
  /** Time of the running task. Before `begin`, the start time of the clock. */
  #moment: number | undefined;
  #work: ClockWork<Task> = { run: () => {} };
  readonly #alarm = new Alarm();
  /** Time of the last stop, by `performance.now()`. */
  #stoppedSince: number;
  /** Total time in ms for which the clock was stopped before that. */
  #stoppedMs = 0;

  /** `began`: the time at which the data starts. Default: now. */
  constructor(isRunning: boolean, began: number = isRunning ? Date.now() : STILL_START_MS) {
    this.#began = began;
    this.#isRunning = isRunning;
    this.#base = isRunning ? 0 : began;
    this.#moment = began;
    this.#stoppedSince = performance.now();
  }

  /** The time at which the data starts. */
  get began(): number {
    return this.#began;
  }

  /** True if the clock moves with the machine's clock. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Milliseconds by which the clock is ahead of the machine's clock, negative if it is behind. */
  get aheadMs(): number {
    return this.now() - Date.now();
  }

  /** Real milliseconds for which the clock has been stopped. */
  get stoppedMs(): number {
    return this.#stoppedMs + (this.#isRunning ? 0 : performance.now() - this.#stoppedSince);
  }

  /** True while a task runs, and before `begin`. */
  get isBusy(): boolean {
    return this.#moment !== undefined;
  }

  get agenda(): readonly Scheduled<Task>[] {
    return this.#agenda.list;
  }

  now(): number {
    return this.#moment ?? this.#current();
  }

  /** Lets tasks run from now on. */
  begin(work: ClockWork<Task>): void {
    this.#work = work;
    this.#moment = undefined;
    this.#wake();
  }

  /** Starts the clock: it moves with the machine's clock from its current time. */
  start(): void {
    if (this.#isRunning) return;
    this.#stoppedMs = this.stoppedMs;
    this.#seen = Date.now();
    this.#base -= this.#seen;
    this.#isRunning = true;
    this.#wake();
  }

  stop(): void {
    if (!this.#isRunning) return;
    this.catchUp();
    this.#base = this.#current();
    this.#isRunning = false;
    this.#stoppedSince = performance.now();
    this.#alarm.clear();
  }

  save(): ClockStart<Task> {
    const ahead = this.#isRunning ? { ahead: this.#base } : {};
    return { began: this.#began, now: this.now(), ...ahead, agenda: [...this.agenda] };
  }

  /**
   * Continues from a saved state. With `ahead`, a running clock continues as if it had run in the
   * meantime. Otherwise it continues from the saved time.
   */
  restore({ began, now, ahead, agenda }: ClockStart<Task>): void {
    this.#began = began;
    this.#seen = Date.now();
    const fromNow = now - this.#seen;
    this.#base = this.#isRunning ? Math.max(fromNow, ahead ?? fromNow) : now;
    this.#agenda = new Agenda(agenda.map((scheduled, index) => ({ ...scheduled, number: index + 1 })));
    this.#lastNumber = agenda.length;
    this.#wake();
  }

  /**
   * Advances the clock by 0 ms or more, and runs the tasks that become due, in order.
   *
   * @throws Error if the new time would be beyond the year 9998.
   */
  advance(ms: number): void {
    this.check(ms);
    this.#base += ms;
    this.catchUp();
  }

  /** @throws Error if the clock would be beyond the year 9998. */
  check(ms: number): void {
    if (this.#current() + ms > LAST_MOMENT_MS) throw new Error('clock.advance: must not lead beyond the year 9998');
  }

  /** Advances the clock to a time. A time in the past changes nothing. */
  advanceTo(moment: number): void {
    this.advance(Math.max(0, moment - this.#current()));
  }

  /** Schedules `task` for the time `at`, after earlier tasks of the same time. */
  schedule(at: number, task: Task): void {
    const delay = this.#work.delayOf?.(task);
    const moment = delay === undefined ? Math.max(at, this.now()) : this.now() + delay;
    this.#insert({ at: moment, task, cause: this.#work.cause?.() });
  }

  /** Replaces the time or the data of the first matching task. Returns false if no task matches. */
  reschedule(
    matches: (task: Task) => boolean,
    change: (scheduled: Scheduled<Task>) => Pick<Scheduled<Task>, 'at' | 'task'>,
  ): boolean {
    const scheduled = this.#agenda.take(matches);
    if (scheduled === undefined) return false;
    const { at, task } = change(scheduled);
    this.#insert({ at: Math.max(at, this.now()), task, cause: scheduled.cause });
    return true;
  }

  drop(matches: (task: Task) => boolean): void {
    this.#agenda.take(matches);
  }

  dropAll(matches: (task: Task) => boolean): void {
    this.#agenda.takeAll(matches);
  }

  /** Runs all due tasks, including tasks that these schedule for now. */
  catchUp(): void {
    // A task that moves the clock must not run other tasks before it has ended.
    if (this.#moment !== undefined) return;
    for (let next = this.#agenda.first; next !== undefined && next.at <= this.#current(); next = this.#agenda.first) {
      this.#agenda.takeFirst();
      this.#moment = next.at;
      try {
        this.#work.run(next.task, next.cause);
      } finally {
        this.#moment = undefined;
      }
    }
    this.#wake();
  }

  /** Stops the timer: no task runs by itself after this. */
  close(): void {
    this.#alarm.close();
  }

  #insert(unnumbered: Omit<Scheduled<Task>, 'number'>): void {
    this.#lastNumber += 1;
    const scheduled = { ...unnumbered, number: this.#lastNumber };
    this.#agenda.add(scheduled);
    if (this.#agenda.first === scheduled) this.#wake();
  }

  #current(): number {
    if (!this.#isRunning) return this.#base;
    const machine = Date.now();
    // The machine's clock was set back: this clock continues from its own time.
    if (machine < this.#seen) this.#base += this.#seen - machine;
    this.#seen = machine;
    return machine + this.#base;
  }

  #wake(): void {
    if (!this.#isRunning || this.#moment !== undefined) return;
    const { first: next } = this.#agenda;
    if (next === undefined) this.#alarm.clear();
    else this.#alarm.set(next.at - this.#current(), () => this.catchUp());
  }
}

/** A timer of the machine that does not keep the process alive. After `close` it cannot be set. */
class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** Fires early if `ms` is above the maximum of timers, and at once if it is below 0. */
  set(ms: number, run: () => void): void {
    this.clear();
    if (this.#closed) return;
    this.#timer = setTimeout(run, Math.min(Math.max(0, ms), MAX_TIMER_MS));
    this.#timer.unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.#closed = true;
    this.clear();
  }
}

/** Formats a time as the API does: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
