import { describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';

const script = program('test/calls/support/closed-client.ts');

/** Runs in a process of its own: the heap of the test holds much else. */
async function heapTexts(way: string): Promise<{ before: string[]; after: string[] }> {
  const { stdout } = await run(script, [way], { node: ['--expose-gc'], patience: 300_000 });
  return JSON.parse(stdout) as { before: string[]; after: string[] };
}

describe('of a closed client that the program keeps, with the promises of its calls, the heap holds no secret', {
  timeout: 360_000,
}, () => {
  it.each([
    ['as text', 'text', ['secret 0']],
    ['for each API key', 'list', ['secret 0', 'secret 1', 'secret 2']],
    // Not even while the client is open: they are not kept longer than their calls.
    ['by a function, each time another', 'function', []],
  ])('given %s', async (_, way, known) => {
    const { before, after } = await heapTexts(way);
    // While the client is open, texts are found, so the search can find them.
    expect(before).toEqual(expect.arrayContaining(known));
    expect(after).toEqual([]);
  });
});
