import { test } from 'vitest';
import { expectConserved } from './support/expect-conserved.js';

test(
  'whatever happens in whatever order: nothing is made or lost, nothing is below 0, a restart changes nothing (250 sequences)',
  () => expectConserved(1),
  600_000,
);
