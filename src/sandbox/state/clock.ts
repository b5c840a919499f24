import { MAX_TIMER_MS } from '../../util/options.js';

/** What tells the sandbox's time. */
export interface Now {
  now(): number;
}

/** Something that happens at a moment of the sandbox's clock: plain data, so that it can be saved. */
export interface Planned<Task> {
  readonly at: number;
  readonly task: Task;
}

/** Where a clock goes on from. */
export interface ClockStart<Task> {
  /** When it first began, in milliseconds since the epoch. */
  readonly began: number;
  /** Its time, in milliseconds since the epoch. */
  readonly now: number;
  /** How many milliseconds a running clock was ahead of the machine's, below 0 behind it; absent for one that stood still. */
  readonly ahead?: number | undefined;
  readonly agenda: readonly Planned<Task>[];
}

/** A still clock begins at this moment, so that one seed gives the same timestamps in every run. */
const STILL_START = Date.UTC(2026, 0, 15, 12, 0, 0);

/** The last moment that a clock may be advanced to: what is planned from there still has a year of four digits. */
export const LAST_MOMENT: number = Date.UTC(9999, 0, 1);

/**
 * The service's time, in milliseconds since the epoch; it never goes back. What has become due is run when the clock is advanced and
 * before the next request is judged, each thing at its own moment; a running clock also wakes by itself for it.
 */
export class Clock<Task> {
  /** The moment that the data of the seed is as of. */
  readonly began: number;
  readonly #realTime: boolean;
  /** The time of a still clock; what a running one is ahead of the machine's. */
  #base: number;
  /** The machine's time when a running clock last looked at it. */
  #seen = Number.NEGATIVE_INFINITY;
  #agenda: Planned<Task>[] = [];
  /** The moment of the thing that is being run; before the start, the beginning. */
  #moment: number | undefined;
  #run: (task: Task) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  /** `began`: when the data was made that it is to go on with; default: now. */
  constructor(realTime: boolean, began: number = realTime ? Date.now() : STILL_START) {
    this.began = began;
    this.#realTime = realTime;
    this.#base = realTime ? 0 : began;
    this.#moment = began;
  }

  now(): number {
    return this.#moment ?? this.#present();
  }

  /** Lets the time go, and sets what is done with tasks. None runs before. */
  start(run: (task: Task) => void): void {
    this.#run = run;
    this.#moment = undefined;
    this.#wake();
  }

  /** What it takes to go on from here. */
  save(): ClockStart<Task> {
    const { began } = this;
    return { began, now: this.now(), agenda: [...this.#agenda], ...(this.#realTime ? { ahead: this.#base } : {}) };
  }

  /**
   * To be called before the start: goes on from another time, with another agenda. Where both clocks run with the machine's, the time
   * in between has passed, as for any service that was restarted; otherwise it goes on from the very moment.
   */
  restore({ now, ahead, agenda }: Omit<ClockStart<Task>, 'began'>): void {
    this.#seen = Date.now();
    const fromNow = now - this.#seen;
    this.#base = this.#realTime ? Math.max(fromNow, ahead ?? fromNow) : now;
    this.#agenda = [...agenda];
  }

  /** Moves the clock on and runs what becomes due, in order. Throws a `TypeError` when it cannot be moved by so much. */
  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new TypeError('advance: must be 0 or more milliseconds');
    if (this.#present() + ms > LAST_MOMENT) throw new TypeError('advance: must not lead beyond the year 9998');
    this.#base += ms;
    this.catchUp();
  }

  /** Runs `task` when the clock reaches `at`; of equal moments, the first planned comes first. Nothing can be planned for the past. */
  plan(at: number, task: Task): void {
    const moment = Math.max(at, this.now());
    // By halves: a still clock may gather an entry for every write.
    let [low, high] = [0, this.#agenda.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#agenda[middle]?.at ?? moment) > moment) high = middle;
      else low = middle + 1;
    }
    this.#agenda.splice(low, 0, { at: moment, task });
    if (low === 0) this.#wake();
  }

  /** Drops the first planned task that matches, if there is one. */
  drop(matches: (task: Task) => boolean): void {
    const index = this.#agenda.findIndex(({ task }) => matches(task));
    if (index >= 0) this.#agenda.splice(index, 1);
  }

  /** Runs everything that is due by now, also what it plans in turn. */
  catchUp(): void {
    // A task that moves the clock must not run others in its middle: they come after it.
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

  /** Wakes no more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #present(): number {
    if (!this.#realTime) return this.#base;
    const machine = Date.now();
    // The machine's clock was set back: this one goes on from where it was.
    if (machine < this.#seen) this.#base += this.#seen - machine;
    this.#seen = machine;
    return machine + this.#base;
  }

  /** One timer for the next thing that is due: only a running clock moves by itself. */
  #wake(): void {
    if (!this.#realTime || this.#stopped || this.#moment !== undefined) return;
    clearTimeout(this.#timer);
    const next = this.#agenda[0];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.catchUp(), Math.min(Math.max(0, next.at - this.#present()), MAX_TIMER_MS));
    // A program that has nothing else to do must be able to end.
    this.#timer.unref();
  }
}

/** A moment as the API writes it: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
