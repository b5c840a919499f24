import { describe, expect, it } from 'vitest';
import { newKeyRecord, SharedKey } from '../../src/lane/shared-key.js';
import { seeded } from '../support/random.js';
import { VirtualClock } from './support/virtual-clock.js';

describe('a refused call whose API key is shared', () => {
  it.each([false, true])(
    'ends with the 401 when the wait does not fit its deadline (after a success: %s)',
    (isProven) => {
      const key = new SharedKey(newKeyRecord(), new VirtualClock(seeded(1)));
      if (isProven) key.accepted(200, 0);
      key.refused();
      // The first wait is 25 ms at least, and 50 at most.
      expect(key.waitOf(1, 1, undefined, 24)).toBeUndefined();
      expect(key.waitOf(1, 1, undefined, 51)).toBeDefined();
    },
  );
});
