import { expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';

it('ends each call rightly whatever bytes come, with a heap of 128 MB', async () => {
  const { stdout } = await run(program('test/fuzz/main.ts'), ['--seed', '1', '--seconds', '10'], {
    node: ['--max-old-space-size=128'],
    patience: 300_000,
  });
  expect(stdout).toContain('Every call ended in time');
}, 360_000);
