import { MAX_TIMER_MS } from '../../util/options.js';
import type { Random } from '../state/random.js';

/** Milliseconds, or the smallest and largest number of them. */
export type Latency = number | readonly [least: number, most: number];

/** Returns the delay of an answer, in milliseconds. */
export function drawDelay(latency: Latency, random: Random): number {
  const [least, most] = typeof latency === 'number' ? [latency, latency] : latency;
  return least + (most - least) * random.fraction();
}

export function isLatency(value: unknown): value is Latency {
  if (!Array.isArray(value)) return isDelay(value);
  const [least, most]: unknown[] = value;
  return value.length === 2 && isDelay(least) && isDelay(most) && least <= most;
}

function isDelay(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS;
}
