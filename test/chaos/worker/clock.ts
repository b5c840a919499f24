import { Dice } from '../plan/dice.js';
import type { Task } from './messages.js';

/** How far a clock may be from the right time, in milliseconds: two of them less far apart than a hold lasts that a Redis without data waits for. */
const OFF = 600;

/** How often a clock is set, and by how much, in milliseconds. */
const EVERY = 2_000;
const STEP = 300;

/**
 * Makes this process's clock wrong: where nonces are shared it is another machine's, which does not agree with the others'; where they are its
 * own, it is set forward and back in between. A process that is killed and started again with keys of its own keeps its clock: nothing
 * but the clock tells it where to go on.
 */
export function unsettleClock({ seed, phase, process, incarnation, nonces, resumable }: Task): void {
  const now = Date.now;
  const dice = new Dice(seed, phase, 'clock', process, incarnation);
  const apart = nonces === 'own' ? 0 : dice.between(-OFF, OFF);
  const steps = nonces === 'own' && !resumable;
  Date.now = () => {
    const step = steps && Math.floor(performance.now() / EVERY) % 2 === 1 ? STEP : 0;
    return Math.round(now() + apart + step);
  };
}
