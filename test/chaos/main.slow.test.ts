import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EDGES } from './plan/phases.js';
import { SABOTAGES, type Sabotage } from './worker/sabotage.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function chaos(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

/** Each of them shows in one run with the others: phase, calls and ways. */
const TOGETHER: readonly [string, number, ...Sabotage[]][] = [
  ['one', 120, 'plain error', 'floating rejection', 'timer', 'listener', 'socket'],
  ['one', 80, 'answers without sending'],
  ['one', 80, 'takes silence for a refusal'],
  ['one', 120, 'swaps answers'],
  ['one', 80, 'falling nonces'],
  ['one', 80, 'sends twice'],
  ['one', 80, 'repeats by itself'],
  ['one', 80, 'changes keys'],
  ['keys', 80, 'writes with every API key'],
];

/** A line of each way, as the report writes it, where several ways share a figure. */
const LINES: Partial<Record<Sabotage, string>> = {
  timer: 'left over: in process 0: Timeout',
  listener: 'left over: in process 0: listener on the long-lived signal',
  socket: 'left over: in process 0: TCPSocketWrap',
};

describe.concurrent('npm run chaos', { timeout: 540_000 }, () => {
  it.each(EDGES)('ends well where nothing is wrong (%s)', async (edge) => {
    const { code, output } = await chaos('--phase', 'one', '--calls', '200', '--seed', '3', '--edge', edge);
    expect(output).toContain('Nothing doubled, lost, refused, wrong or left over.');
    expect(code).toBe(0);
  });

  it.each(TOGETHER)('finds out in the phase "%s" what is broken', async (phase, calls, ...ways) => {
    const asked = ways.flatMap((way) => ['--sabotage', way]);
    const { code, output } = await chaos('--phase', phase, '--edge', 'direct', '--calls', String(calls), ...asked);
    for (const way of ways) expect(output).toContain(LINES[way] ?? `\n${SABOTAGES[way]}: `);
    expect(output).toContain(`Repeat it with: npm run chaos -- --seed 1 --edge direct --phase ${phase}`);
    expect(code).toBe(1);
  });

  it('shows how it is used when an option is wrong', async () => {
    const { code, output } = await chaos('--phase', 'none');
    expect(output).toContain('npm run chaos -- [options]');
    expect(code).toBe(2);
  });
});
