import type { Clock } from '../../../src/redis/time.js';

/** Clocks that a test moves. */
export class TestClock implements Clock {
  steadyNow = 5_000;
  wallNow = 1_700_000_000_000;
  steady = () => this.steadyNow;
  wall = () => this.wallNow;

  /** Both go on. */
  pass(milliseconds: number): void {
    this.steadyNow += milliseconds;
    this.wallNow += milliseconds;
  }
}
