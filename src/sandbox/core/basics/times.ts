import * as z from 'zod/mini';
import { countAboveZero } from './checked.js';

/** How often trouble applies. */
export type Times = number | 'always';

/** `Infinity` is taken for `always`: programs in JavaScript write it without a thought. */
export const times = z.union([countAboveZero, z.literal('always'), z.literal(Number.POSITIVE_INFINITY)], {
  error: 'must be a whole number of 1 or more, or "always"',
});

/** Returns a number to count with: `Infinity` for `always`. */
export const countOf = (times: Times): number => (times === 'always' ? Number.POSITIVE_INFINITY : times);

/** Returns a count as it is shown: JSON has no `Infinity`. */
export const shownCount = (count: number): Times => (count === Number.POSITIVE_INFINITY ? 'always' : count);
