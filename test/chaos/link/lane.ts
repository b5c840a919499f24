import type { Direction, Fate, Strike } from './fate.js';

/** One direction of a connection: what is still to strike, and what waits to be done, in order: nothing overtakes. */
export class Lane {
  readonly strikes: Strike[];
  /** Bytes that have passed. */
  seen = 0;
  readonly #waiting: { at: number; readonly run: () => void }[] = [];
  readonly #jitter: () => number;
  #free: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(direction: Direction, { strikes, jitter, opensAfter }: Fate) {
    this.strikes = strikes.filter((strike) => strike.direction === direction);
    this.#jitter = jitter;
    this.#free = performance.now() + opensAfter;
  }

  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Several things are done one right after the other. */
  add(...runs: readonly (() => void)[]): void {
    const idle = this.empty;
    this.#free = Math.max(this.#free, performance.now() + this.#jitter());
    for (const run of runs) this.#waiting.push({ at: this.#free, run });
    if (idle) this.#release();
  }

  /** What is added from now on waits so many milliseconds longer. */
  hold(milliseconds: number): void {
    this.#free = Math.max(this.#free, performance.now()) + milliseconds;
  }

  /** What waits, and what is added from now on, waits so many milliseconds longer. */
  postpone(milliseconds: number): void {
    for (const waiting of this.#waiting) waiting.at += milliseconds;
    this.hold(milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  #release(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const left = next.at - performance.now();
      if (left > 0) {
        this.#timer = setTimeout(() => this.#release(), left);
        return;
      }
      this.#waiting.shift();
      next.run();
    }
  }
}
