/** The bound of the first wait, in milliseconds: about the time a restart or a failover takes to be noticed. */
const FIRST = 200;

/** The bound of the longest wait: with the default total of 30 s a fourth attempt still fits. */
const LONGEST = 8_000;

/**
 * The wait before the next attempt, in milliseconds: exponential with full jitter, so that clients which failed together do not come
 * back together. `repeats`: how many have been made already.
 */
export function backoff(repeats: number): number {
  return Math.random() * Math.min(LONGEST, FIRST * 2 ** repeats);
}
