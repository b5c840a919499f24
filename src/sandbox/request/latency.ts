import { MAX_TIMER_MS } from '../../util/options.js';
import type { Random } from '../state/random.js';

/** Milliseconds, or the least and the most of them. */
export type Latency = number | readonly [least: number, most: number];

/** How long each answer is held back. */
export class LatencySource {
  readonly #least: number;
  readonly #most: number;
  readonly #random: Random;

  constructor(latency: Latency, random: Random) {
    [this.#least, this.#most] = typeof latency === 'number' ? [latency, latency] : latency;
    this.#random = random;
  }

  /** Milliseconds for the next answer. */
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
