import { expect, test } from 'vitest';
import { SizedMap } from '../../../src/sandbox/core/basics/sized-map.js';

test('a map with limits forgets its oldest entries, and their sizes count no more', () => {
  const map = new SizedMap<number, string>(3, 10);
  for (const [key, size] of [9, 9, 1, 0, 8].entries()) map.add(key, `size ${size}`, size);
  expect(map.values()).toEqual(['size 1', 'size 0', 'size 8']);
});
