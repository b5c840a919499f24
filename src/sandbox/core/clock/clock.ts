import { MAX_TIMER_MS } from '../../../util/options.js';
import { Changes, type Part } from '../basics/changes.js';
import { Agenda, type Planned } from './agenda.js';

export const DAY_MS: number = 24 * 60 * 60 * 1000;

export interface Now {
  now(): number;
}

/** The clock's handling of tasks. */
interface ClockWork<Task> {
  /** Runs a task that is due. */
  run(task: Task, cause: number | undefined): void;
  /**
   * The delay in ms of a task that is planned from now on, in place of the one that its plan says.
   */
  delayOf?(task: Task): number | undefined;
  /** `seq` of the timeline's entry that is being worked on. */
  cause?(): number | undefined;
  /** True if a snapshot has the task. Default: it has all. */
  isSaved?(task: Task): boolean;
}

export interface ClockStart<Task> {
  readonly began: number;
  readonly now: number;
  /** Milliseconds that a running clock was ahead of the machine's, or below 0 behind it. */
  readonly ahead?: number | undefined;
  readonly agenda: readonly Omit<Planned<Task>, 'number'>[];
}

/** Time between two looks at the agenda while changes cannot be written down, in ms. */
const BROKEN_WAIT_MS = 1_000;

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
  #began: number;
  #isRunning: boolean;
  /** The time of a clock that stands still; the milliseconds that a running one is ahead. */
  #base: number;
  /** The machine's time at the last look of a running clock. */
  #seen = Number.NEGATIVE_INFINITY;
  #agenda = new Agenda<Task>();
  /** The number of the task that was planned last. */
  #lastNumber = 0;
  readonly #changes: Changes;
  /** The moment of the running task. Before the start, the first moment. */
  #moment: number | undefined;
  #work: ClockWork<Task> = { run: () => {} };
  readonly #alarm = new Alarm();
  /**
   * Moment at which the clock stopped, by `performance.now()`, and how long it stood before that.
   */
  #stoodSince: number;
  #stoodMs = 0;

  /** `began`: the moment of the data that it starts with. Default: now. */
  constructor(
    isRunning: boolean,
    began: number = isRunning ? Date.now() : STILL_START_MS,
    changes: Changes = new Changes(),
  ) {
    this.#changes = changes;
    this.#began = began;
    this.#isRunning = isRunning;
    this.#base = isRunning ? 0 : began;
    this.#moment = began;
    this.#stoodSince = performance.now();
  }

  /** The moment of the data that it started with. */
  get began(): number {
    return this.#began;
  }

  /** True if it moves with the machine's clock. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Milliseconds that it is ahead of the machine's clock, or below 0 behind it. */
  get aheadMs(): number {
    return this.now() - Date.now();
  }

  /** Real milliseconds for which it has stood still. */
  get stoodMs(): number {
    return this.#stoodMs + (this.#isRunning ? 0 : performance.now() - this.#stoodSince);
  }

  /** True while a task runs, and before the beginning. */
  get isAtWork(): boolean {
    return this.#moment !== undefined;
  }

  /** All that is planned, in order. */
  get agenda(): readonly Planned<Task>[] {
    return this.#agenda.list;
  }

  now(): number {
    return this.#moment ?? this.#present();
  }

  /** Begins the work. No task runs before. */
  begin(work: ClockWork<Task>): void {
    this.#work = work;
    this.#moment = undefined;
    this.#wake();
  }

  /** Starts the clock: it moves with the machine's clock from its current time. */
  start(): void {
    if (this.#isRunning) return;
    this.#noteTime();
    this.#stoodMs = this.stoodMs;
    this.#seen = Date.now();
    this.#base -= this.#seen;
    this.#isRunning = true;
    this.#wake();
  }

  /** Stops the clock at its current time. */
  stop(): void {
    if (!this.#isRunning) return;
    this.catchUp();
    this.#noteTime();
    this.#base = this.#present();
    this.#isRunning = false;
    this.#stoodSince = performance.now();
    this.#alarm.clear();
  }

  save(): ClockStart<Task> {
    return { ...this.time(), agenda: [...this.agenda] };
  }

  /** Returns the time in its saved form. */
  time(): Omit<ClockStart<Task>, 'agenda'> {
    return { began: this.#began, now: this.now(), ...(this.#isRunning ? { ahead: this.#base } : {}) };
  }

  /**
   * Continues from a saved state. With `ahead`, a running clock continues as if it had run since
   * then. Otherwise it continues from the saved moment.
   */
  restore({ began, now, ahead, agenda }: ClockStart<Task>): void {
    this.#began = began;
    this.#seen = Date.now();
    const fromNow = now - this.#seen;
    this.#base = this.#isRunning ? Math.max(fromNow, ahead ?? fromNow) : now;
    this.#agenda = new Agenda(agenda.map((planned, index) => ({ ...planned, number: index + 1 })));
    this.#lastNumber = agenda.length;
    this.#wake();
  }

  /**
   * Moves the clock on and runs what becomes due, in order.
   *
   * @throws TypeError for a number that is not possible.
   */
  advance(ms: number): void {
    this.check(ms);
    const before = this.#base;
    this.#base += ms;
    this.#noteTime(() => {
      this.#base = before;
    });
    this.catchUp();
    // What ran has written down its own moment.
    this.#noteTime();
  }

  /** @throws TypeError for a number by which it cannot be moved on. */
  check(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new TypeError('advance: must be 0 or more milliseconds');
    if (this.#present() + ms > LAST_MOMENT_MS) throw new TypeError('advance: must not lead beyond the year 9998');
  }

  /** Moves the clock on to a moment. A moment in the past changes nothing. */
  advanceTo(moment: number): void {
    this.advance(Math.max(0, moment - this.#present()));
  }

  /** Runs `task` when the clock reaches `at`, after earlier tasks of the same moment. */
  plan(at: number, task: Task): void {
    const delay = this.#work.delayOf?.(task);
    const moment = delay === undefined ? Math.max(at, this.now()) : this.now() + delay;
    this.#insert({ at: moment, task, cause: this.#work.cause?.() });
  }

  /** Replaces time or form of the first matching task. Returns false if no task matches. */
  replan(
    matches: (task: Task) => boolean,
    change: (planned: Planned<Task>) => Pick<Planned<Task>, 'at' | 'task'>,
  ): boolean {
    const planned = this.#take(matches);
    if (planned === undefined) return false;
    const { at, task } = change(planned);
    this.#insert({ at: Math.max(at, this.now()), task, cause: planned.cause });
    return true;
  }

  /** Makes all tasks that match due now, in their order. */
  hasten(matches: (task: Task) => boolean): void {
    for (const planned of this.#takeAll(matches)) this.#insert({ ...planned, at: this.now() });
  }

  drop(matches: (task: Task) => boolean): void {
    this.#take(matches);
  }

  dropAll(matches: (task: Task) => boolean): void {
    this.#takeAll(matches);
  }

  /** Runs everything that is due, including tasks that these plan. */
  catchUp(): void {
    // A task that moves the clock must not run others before it has ended.
    if (this.#moment !== undefined) return;
    // Nothing happens while it could not be written down.
    while (!this.#changes.isBroken) {
      const next = this.#agenda.first;
      if (next === undefined || next.at > this.#present()) break;
      this.#agenda.takeFirst();
      this.#noteGone(next);
      this.#moment = next.at;
      try {
        this.#work.run(next.task, next.cause);
      } finally {
        this.#moment = undefined;
      }
    }
    this.#wake();
  }

  /** No task runs by itself any more. */
  close(): void {
    this.#alarm.close();
  }

  #take(matches: (task: Task) => boolean): Planned<Task> | undefined {
    const planned = this.#agenda.take(matches);
    if (planned !== undefined) this.#noteGone(planned);
    return planned;
  }

  #takeAll(matches: (task: Task) => boolean): Planned<Task>[] {
    const taken = this.#agenda.takeAll(matches);
    for (const planned of taken) this.#noteGone(planned);
    return taken;
  }

  #noteGone(planned: Planned<Task>): void {
    if (!this.#isNoted(planned)) return;
    this.#changes.note(
      partOf(planned),
      () => undefined,
      () => this.#agenda.add(planned),
    );
  }

  #isNoted({ task }: Planned<Task>): boolean {
    return this.#changes.isKept && this.#work.isSaved?.(task) !== false;
  }

  #insert(unnumbered: Omit<Planned<Task>, 'number'>): void {
    this.#lastNumber += 1;
    const planned = { ...unnumbered, number: this.#lastNumber };
    this.#agenda.add(planned);
    if (this.#isNoted(planned)) {
      const { number, at, task } = planned;
      this.#changes.note(
        partOf(planned),
        () => ({ number, at, task }),
        () => this.#agenda.remove(number),
      );
    }
    if (this.#agenda.first === planned) this.#wake();
  }

  #present(): number {
    if (!this.#isRunning) return this.#base;
    const machine = Date.now();
    // The machine's clock was set back: this one continues from its own time.
    if (machine < this.#seen) this.#base += this.#seen - machine;
    this.#seen = machine;
    return machine + this.#base;
  }

  #wake(): void {
    if (!this.#isRunning || this.#moment !== undefined) return;
    const { first: next } = this.#agenda;
    const least = this.#changes.isBroken ? BROKEN_WAIT_MS : 0;
    if (next === undefined) this.#alarm.clear();
    else this.#alarm.set(Math.max(least, next.at - this.#present()), () => this.catchUp());
  }

  #noteTime(undo: () => void = () => {}): void {
    this.#changes.note(TIME, () => this.time(), undo);
  }
}

/** The place of the time in the saved state. */
const TIME: Part = ['clock'];

const partOf = ({ number }: { readonly number: number }): Part => ['agenda', String(number)];

/** A timer of the machine. It keeps no program alive. After `close` none is set. */
class Alarm {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** A longer time than timers have ends early. Those below 0 end at once. */
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

/** Writes a moment as the API does: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
