import { expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';

const LINE = /^(\d+) workers, (.*): (\d+) calls succeeded, (\d+) were refused$/;

/** The lines that one run printed: succeeded and refused calls, by the keys that the workers had. */
async function outcomes() {
  const { stdout } = await run(program('examples/workers.ts'), []);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => LINE.exec(line)?.slice(1) ?? []);
  return new Map(lines.map(([workers, keys, succeeded, refused]) => [keys, { workers, succeeded, refused }]));
}

it('four worker threads with an API key each have no call refused; with one API key for all some are', async () => {
  let refused = 0;
  for (let round = 0; round < 10 && refused === 0; round++) {
    const byKeys = await outcomes();
    expect(byKeys.get('an API key each')).toEqual({ workers: '4', succeeded: '800', refused: '0' });
    const shared = byKeys.get('one API key for all');
    expect(Number(shared?.succeeded) + Number(shared?.refused)).toBe(800);
    refused = Number(shared?.refused);
  }
  expect(refused).toBeGreaterThan(0);
});
