import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EDGES, type EdgeName } from './edge/edge.js';
import { SABOTAGES, type Sabotage } from './worker/sabotage.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

function chaos(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', MAIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

interface Together {
  readonly ways: readonly Sabotage[];
  readonly edge: EdgeName;
  readonly calls: number;
  /** Default `one`. */
  readonly phase?: string;
}

/** Each of them shows in one run with the others, with this edge and so many calls. */
const TOGETHER: readonly Together[] = [
  {
    ways: ['writes twice', 'plain error', 'floating rejection', 'timer', 'listener', 'socket', 'hoard'],
    edge: 'direct',
    calls: 450,
  },
  { ways: ['answers without sending'], edge: 'direct', calls: 80 },
  { ways: ['takes silence for a refusal'], edge: 'direct', calls: 80 },
  { ways: ['falling nonces'], edge: 'direct', calls: 80 },
  { ways: ['sends twice', 'repeats by itself'], edge: 'direct', calls: 80 },
  { ways: ['sends twice', 'repeats by itself'], edge: 'http2', calls: 80 },
  { ways: ['repeats unprocessed writes with another key', 'takes writes for unprocessed'], edge: 'http2', calls: 500 },
  { ways: ['repeats with every API key'], edge: 'direct', calls: 80, phase: 'keys' },
  { ways: ['swaps answers'], edge: 'serial', calls: 120 },
  { ways: ['swaps answers'], edge: 'http2', calls: 120 },
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

  it.each(TOGETHER)('finds out what is broken ($edge): $ways', async ({ ways, edge, calls, phase = 'one' }) => {
    const asked = ways.flatMap((way) => ['--sabotage', way]);
    const { code, output } = await chaos('--phase', phase, '--edge', edge, '--calls', String(calls), ...asked);
    for (const way of ways) expect(output).toContain(LINES[way] ?? `\n${SABOTAGES[way]}: `);
    expect(output).toContain(`Repeat it with: npm run chaos -- --seed 1 --edge ${edge} --phase ${phase}`);
    expect(code).toBe(1);
  });

  it('is tried with every way to break a client or an edge', () => {
    expect([...new Set(TOGETHER.flatMap(({ ways }) => ways))].sort()).toEqual(Object.keys(SABOTAGES).sort());
  });

  it('shows how it is used when an option is wrong', async () => {
    const { code, output } = await chaos('--phase', 'none');
    expect(output).toContain('npm run chaos -- [options]');
    expect(code).toBe(2);
  });
});
