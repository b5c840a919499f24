import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SABOTAGES, type Sabotage } from './sabotage.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function chaos(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

/** Each of them shows in one run with the others. */
const TOGETHER: readonly (readonly Sabotage[])[] = [
  ['writes twice', 'plain error', 'floating rejection', 'timer', 'listener', 'socket', 'hoard'],
  ['answers without sending'],
  ['takes silence for a refusal'],
  ['falling nonces'],
  ['sends twice', 'repeats by itself'],
];

/** A line of each way, as the report writes it, where several ways share a figure. */
const LINES: Partial<Record<Sabotage, string>> = {
  timer: 'left over: in process 0: Timeout',
  listener: 'left over: in process 0: listener on the long-lived signal',
  socket: 'left over: in process 0: TCPSocketWrap',
};

describe.concurrent('npm run chaos', { timeout: 180_000 }, () => {
  it('ends well where nothing is wrong', async () => {
    const { code, output } = await chaos('--phase', 'one', '--calls', '200', '--seed', '3');
    expect(output).toContain('Nothing doubled, lost, refused, wrong or left over.');
    expect(code).toBe(0);
  });

  it.each(TOGETHER.map((ways) => ({ ways })))('finds out a client that is broken: $ways', async ({ ways }) => {
    const asked = ways.flatMap((way) => ['--sabotage', way]);
    const { code, output } = await chaos('--phase', 'one', '--calls', ways.length > 2 ? '450' : '80', ...asked);
    for (const way of ways) expect(output).toContain(LINES[way] ?? `\n${SABOTAGES[way]}: `);
    expect(output).toContain('Repeat it with: npm run chaos -- --seed 1 --phase one');
    expect(code).toBe(1);
  });

  it('is tried with every way to break a client', () => {
    expect(TOGETHER.flat().sort()).toEqual(Object.keys(SABOTAGES).sort());
  });

  it('shows how it is used when an option is wrong', async () => {
    const { code, output } = await chaos('--phase', 'none');
    expect(output).toContain('npm run chaos -- [options]');
    expect(code).toBe(2);
  });
});
