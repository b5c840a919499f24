import type { Random } from '../state/random.js';
import type { FaultOptions } from './faults.js';

/** Seconds of `Retry-After` under chaos: as a service that is soon back says. */
const RETRY_AFTER = 1;

/** Pace of a slow answer under chaos: slow, but a client with ordinary time limits gets most answers. */
const BYTES_PER_SECOND = 1_000;

/** What goes wrong under chaos, each as likely as the others; `Sandbox.chaos` tells it. */
const MIX: readonly FaultOptions[] = [
  { when: 'before', fault: 429 },
  { when: 'before', fault: 429, retryAfter: RETRY_AFTER },
  { when: 'before', fault: 503 },
  { when: 'before', fault: 503, retryAfter: RETRY_AFTER },
  { when: 'before', fault: 'reset' },
  { when: 'before', fault: 'timeout' },
  { when: 'before', fault: 'html' },
  { when: 'after', fault: 'reset' },
  { when: 'after', fault: 'timeout' },
  { when: 'after', fault: 503 },
  { when: 'after', fault: 504 },
  { when: 'after', fault: 'html' },
  { when: 'after', fault: 'truncate' },
  { when: 'after', fault: 'garbage' },
  { when: 'after', fault: 'content_type' },
  { when: 'after', fault: 'slow', bytesPerSecond: BYTES_PER_SECOND },
];

/** Faults of every kind at random. */
export class Chaos {
  readonly #random: Random;
  readonly #asked = new Set<{ readonly probability: number }>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the function that takes it back. */
  add(probability: number): () => void {
    if (!isProbability(probability)) throw new TypeError('chaos: probability must be above 0, at most 1');
    const asked = { probability };
    this.#asked.add(asked);
    return () => {
      this.#asked.delete(asked);
    };
  }

  clear(): void {
    this.#asked.clear();
  }

  /** What is going to strike the next request: decided once, so that the probability holds for before and after together. */
  draw(): FaultOptions | undefined {
    for (const { probability } of this.#asked) {
      const luck = this.#random.fraction();
      if (luck < probability) return MIX[Math.floor((luck / probability) * MIX.length)];
    }
    return undefined;
  }
}

export function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}
