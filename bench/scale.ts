import type { Durations } from './calls/visit.js';

/** How much is measured. */
export interface Scale {
  readonly rounds: number;
  readonly durations: Durations;
  /** Times that each client's memory is measured. */
  readonly memory: number;
  readonly starts: number;
  readonly compilations: number;
}

export const FULL: Scale = {
  rounds: 5,
  durations: { youngCalls: 8_000, window: 300, longestWarmUp: 4_000, measure: 700 },
  memory: 3,
  starts: 15,
  compilations: 5,
};

/** Enough to see that something has gone wrong, not for a figure to keep. */
export const SHORT: Scale = {
  rounds: 2,
  durations: { youngCalls: 2_000, window: 150, longestWarmUp: 600, measure: 200 },
  memory: 1,
  starts: 5,
  compilations: 1,
};
