import type { FailOptions, TroubleOptions } from './trouble.js';

/** Turns the flat options of `fail` into those of a trouble. */
export function troubleOf({
  operation,
  match,
  when,
  times: wanted,
  forMs,
  afterMs,
  probability,
  ...does
}: FailOptions): TroubleOptions {
  return { match: { operation, ...match }, when, times: wanted, forMs, afterMs, probability, does };
}
