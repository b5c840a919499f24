import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The path of a source as plain JavaScript, with all of ours that it imports: no process of it compiles TypeScript at its
 * start, which takes a second of CPU. Built before the tests of a file and removed after them.
 */
export function program(source: string): string {
  // Inside the project, where the dependencies are found.
  const folder = join(ROOT, `node_modules/.cache/partner-sdk-tests-${randomUUID()}`);
  const outfile = join(folder, 'program.mjs');
  beforeAll(async () => {
    const node = { platform: 'node', format: 'esm', target: 'node20' } as const;
    await build({ entryPoints: [join(ROOT, source)], outfile, bundle: true, packages: 'external', ...node });
    return () => rm(folder, { recursive: true, force: true });
  });
  return outfile;
}

export interface RunOptions {
  /** Options of Node. */
  readonly node?: readonly string[];
  /** More environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the process is killed. */
  readonly patience?: number;
}

/** What a process printed that ended by itself with code 0, and how many ms it lived on after its last word. */
export async function run(
  file: string,
  args: readonly string[],
  { node = [], env = {}, patience = 18_000 }: RunOptions = {},
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
