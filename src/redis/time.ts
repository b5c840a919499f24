/** The two clocks of this machine, in ms. */
export interface Clock {
  /** Never steps; may stand still while the machine sleeps. */
  steady(): number;
  /** Since the epoch; may step. */
  wall(): number;
}

export const machineClock: Clock = { steady: () => performance.now(), wall: () => Date.now() };

export const readClock = (clock: Clock) => ({ steady: clock.steady(), wall: clock.wall() });

export const NS_PER_MS = 1_000_000;

/** Returns the delay, up to a quarter shorter or longer: processes must not all ask at once. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + Math.random() / 2);
}
