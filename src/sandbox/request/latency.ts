import { MAX_TIMER_MS } from '../../util/options.js';
import type { Random } from '../state/random.js';

/** Milliseconds, or the smallest and largest number of them. */
export type Latency = number | readonly [least: number, most: number];

/** Draws the delay of each answer. */
export class LatencySource {
  readonly #least: number;
  readonly #most: number;
  readonly #random: Random;

  constructor(latency: Latency, random: Random) {
    [this.#least, this.#most] = typeof latency === 'number' ? [latency, latency] : latency;
    this.#random = random;
  }

  /** Returns the delay of the next answer, in milliseconds. */
  draw(): number {
    return this.#least + (this.#most - this.#least) * this.#random.fraction();
  }
}

export function isLatency(value: unknown): value is Latency {
  if (!Array.isArray(value)) return isDelay(value);
  const [least, most]: unknown[] = value;
  return value.length === 2 && isDelay(least) && isDelay(most) && least <= most;
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS;
}
