import { MAX_TIMER } from '../core/checks.js';

/** Something that happens at a moment of the sandbox's clock: plain data, so that it can be saved. */
export interface Planned<Task> {
  readonly at: number;
  readonly task: Task;
}

/** Where a clock goes on from. */
export interface ClockStart<Task> {
  /** Its time, in milliseconds since the epoch. */
  readonly now: number;
  readonly agenda: readonly Planned<Task>[];
}

/** The clock stands still at this moment until it is advanced, so that one seed gives the same timestamps in every run. */
const STILL_START = Date.UTC(2026, 0, 15, 12, 0, 0);

/**
 * The service's time, in milliseconds since the epoch; it never goes back. What has become due is run when the clock is advanced and
 * before the next request is judged, each thing at its own moment; a running clock also wakes by itself for it.
 */
export class Clock<Task> {
  readonly #realTime: boolean;
  /** The time of a still clock; what was added to the machine's time of a running one. */
  #base: number;
  #latest = Number.NEGATIVE_INFINITY;
  #agenda: Planned<Task>[] = [];
  /** The moment of the thing that is being run. */
  #moment: number | undefined;
  #run: (task: Task) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt: number | undefined;
  #stopped = false;

  constructor(realTime: boolean) {
    this.#realTime = realTime;
    this.#base = realTime ? 0 : STILL_START;
  }

  now(): number {
    return this.#moment ?? this.#present();
  }

  /** Sets what is done with tasks. None runs before. */
  start(run: (task: Task) => void): void {
    this.#run = run;
    this.#wake();
  }

  /** Goes on from another time, with another agenda. */
  restore({ now, agenda }: ClockStart<Task>): void {
    this.#base = this.#realTime ? now - Date.now() : now;
    this.#latest = now;
    this.#agenda = [...agenda];
    this.#wake();
  }

  get agenda(): readonly Planned<Task>[] {
    return this.#agenda;
  }

  /** Moves the clock on and runs what becomes due, in order. */
  advance(ms: number): void {
    this.#base += ms;
    this.catchUp();
  }

  /** Runs `task` when the clock reaches `at`; of equal moments, the first planned comes first. */
  plan(at: number, task: Task): void {
    // By halves: a still clock may gather an entry for every write.
    let [low, high] = [0, this.#agenda.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#agenda[middle]?.at ?? at) > at) high = middle;
      else low = middle + 1;
    }
    this.#agenda.splice(low, 0, { at, task });
    if (low === 0) this.#wake();
  }

  /** Runs everything that is due by now, also what it plans in turn. */
  catchUp(): void {
    // A task that looks at the clock must not run others in its middle.
    if (this.#moment !== undefined) return;
    const present = this.#present();
    for (let next = this.#agenda[0]; next !== undefined && next.at <= present; next = this.#agenda[0]) {
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
    this.#latest = Math.max(this.#latest, this.#realTime ? Date.now() + this.#base : this.#base);
    return this.#latest;
  }

  /** One timer for the next thing that is due: only a running clock moves by itself. */
  #wake(): void {
    const next = this.#agenda[0];
    if (!this.#realTime || this.#stopped || this.#moment !== undefined || next?.at === this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = next?.at;
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#awake(), Math.min(Math.max(0, next.at - this.#present()), MAX_TIMER));
    // A program that has nothing else to do must be able to end.
    this.#timer.unref();
  }

  #awake(): void {
    this.#wakesAt = undefined;
    this.catchUp();
  }
}

/** A moment as the API writes it: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
