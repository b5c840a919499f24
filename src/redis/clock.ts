/** The two clocks of this machine, in milliseconds. */
export interface Clock {
  /** Never steps; may stand still while the machine sleeps. */
  steady(): number;
  /** Since the epoch; may step. */
  wall(): number;
}

export const machineClock: Clock = { steady: () => performance.now(), wall: () => Date.now() };

export const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/** The wall clock in nanoseconds. */
export function wallNanoseconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.wall())) * BigInt(NANOSECONDS_PER_MILLISECOND);
}
