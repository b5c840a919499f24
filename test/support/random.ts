import { Random } from '../../src/sandbox/core/basics/random.js';

/** Numbers between 0 and 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  const random = new Random(seed);
  return () => random.fraction();
}
