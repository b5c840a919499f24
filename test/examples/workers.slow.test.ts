import { expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';

const LINE = /^(\d+) workers, (.*): (\d+) calls succeeded, (\d+) were rejected$/;

/** The lines that one run printed: succeeded and rejected calls, by the API keys that the workers had. */
async function outcomes() {
  const { stdout } = await run(program('examples/workers.ts'), []);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => LINE.exec(line)?.slice(1) ?? []);
  return new Map(lines.map(([workers, keys, succeeded, rejected]) => [keys, { workers, succeeded, rejected }]));
}

it('four worker threads with an API key each have no call rejected; with one API key for all some are', async () => {
  let rejected = 0;
  for (let round = 0; round < 10 && rejected === 0; round++) {
    const byKeys = await outcomes();
    expect(byKeys.get('an API key each')).toEqual({ workers: '4', succeeded: '800', rejected: '0' });
    const shared = byKeys.get('one API key for all');
    expect(Number(shared?.succeeded) + Number(shared?.rejected)).toBe(800);
    rejected = Number(shared?.rejected);
  }
  expect(rejected).toBeGreaterThan(0);
});
