import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Program } from './programs.setup.js';

export const program = (source: Program): string => join(inject('programs'), source.replace(/ts$/, 'mjs'));

export interface RunOptions {
  readonly node?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the process is killed. */
  readonly patience?: number;
}

/** What a process printed that ended by itself with code 0, and how many ms it lived on after its last word. */
export async function run(
  file: string,
  args: readonly string[],
  { node = [], env = {}, patience = 50_000 }: RunOptions = {},
): Promise<{ readonly stdout: string; readonly lingered: number }> {
  const child = spawn(process.execPath, [...node, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let [stdout, stderr, said] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
    said = performance.now();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const watchdog = setTimeout(() => child.kill('SIGKILL'), patience);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(watchdog);
  if (code !== 0) throw new Error(`the process ended with ${code} after ${stdout.slice(-500)}: ${stderr}`);
  return { stdout, lingered: performance.now() - said };
}
