/** The time of a lane, in ms. */
export interface Clock {
  now(): number;
  /** Runs once, after so many ms. */
  after(milliseconds: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

const { setTimeout: setTimer, clearTimeout: clearTimer, performance } = globalThis;

/** The platform's functions, taken once: a test that replaces the timers by its own must not stop the lanes. */
export const platformClock: Clock = {
  now: performance.now.bind(performance),
  after(milliseconds, run) {
    const timer = setTimer(run, milliseconds);
    return { cancel: () => clearTimer(timer) };
  },
};
