import type { Timer, TimerListener } from './timers.js';

export type { Timer, TimerListener };

/** A timer of its own for each: workers end the timers of a request with the request. */
export function startTimer(milliseconds: number, listener: TimerListener): Timer {
  const timer = setTimeout(() => listener.onTimer(), milliseconds);
  return { cancel: () => clearTimeout(timer) };
}
