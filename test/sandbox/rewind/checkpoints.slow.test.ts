import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';

test('at most 100 checkpoints are kept; one of them may be replaced', () => {
  const sandbox = createSandbox();
  for (let index = 0; index < 100; index += 1) sandbox.checkpoints.add(`c${index}`);
  expect(() => sandbox.checkpoints.add('one more')).toThrow('there are 100 already');
  expect(sandbox.checkpoints.add('c3').name).toBe('c3');
});
