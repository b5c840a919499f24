import type { Timer, TimerListener } from './timers.js';

export type { Timer, TimerListener };

/**
 * In bundles each timer is one of the platform: workers end the timers of a request with the
 * request, so requests cannot share one.
 */
export function startTimer(milliseconds: number, listener: TimerListener): Timer {
  const timer = setTimeout(() => listener.onTimer(), milliseconds);
  return { cancel: () => clearTimeout(timer) };
}
