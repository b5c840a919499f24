import type { FailOptions, TroubleOptions } from './trouble.js';

/** Turns the flat options of `fail` into those of a trouble. */
export function troubleOf(options: FailOptions): TroubleOptions {
  const { operation, match, when, times, forMs, afterMs, probability, ...does } = options;
  return { match: { operation, ...match }, when, times, forMs, afterMs, probability, does };
}
