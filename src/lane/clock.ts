/** The time of a lane, in ms. */
export interface Clock {
  now(): number;
  after(milliseconds: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

const { setTimeout: setTimer, clearTimeout: clearTimer, performance } = globalThis;

/** Stores the platform's own functions: a test that replaces the timers must not stop the lanes. */
export const platformClock: Clock = {
  now: performance.now.bind(performance),
  after(milliseconds, run) {
    const timer = setTimer(run, milliseconds);
    return { cancel: () => clearTimer(timer) };
  },
};
