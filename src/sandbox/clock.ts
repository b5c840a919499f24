/** Something that happens at a moment of the sandbox's clock. */
interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** The clock stands still at this moment until it is advanced, so that one seed gives the same timestamps in every run. */
const STILL_START = Date.UTC(2026, 0, 15, 12, 0, 0);

/**
 * The service's time, in milliseconds since the epoch. It needs no timers: what has become due is run when the clock is advanced or
 * before the next request is judged, each thing at its own moment.
 */
export class Clock {
  readonly #realTime: boolean;
  /** The time of a still clock; what was added to the machine's time of a running one. */
  #base: number;
  #agenda: Due[] = [];
  /** The moment of the thing that is being run. */
  #moment: number | undefined;

  constructor(realTime: boolean) {
    this.#realTime = realTime;
    this.#base = realTime ? 0 : STILL_START;
  }

  now(): number {
    return this.#moment ?? this.#present();
  }

  /** Moves the clock on and runs what becomes due, in order. */
  advance(ms: number): void {
    this.#base += ms;
    this.catchUp();
  }

  /** Runs `run` when the clock reaches `at`; of equal moments, the first planned comes first. */
  plan(at: number, run: () => void): void {
    // By halves: a still clock gathers one entry for every quote that was ever offered.
    let [low, high] = [0, this.#agenda.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#agenda[middle]?.at ?? at) > at) high = middle;
      else low = middle + 1;
    }
    this.#agenda.splice(low, 0, { at, run });
  }

  /** Runs everything that is due by now, also what it plans in turn. */
  catchUp(): void {
    const present = this.#present();
    for (let next = this.#agenda[0]; next !== undefined && next.at <= present; next = this.#agenda[0]) {
      this.#agenda.shift();
      this.#moment = next.at;
      try {
        next.run();
      } finally {
        this.#moment = undefined;
      }
    }
  }

  #present(): number {
    return this.#realTime ? Date.now() + this.#base : this.#base;
  }
}

/** A moment as the API writes it: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString();
