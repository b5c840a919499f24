import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { program } from '../../support/processes/program.js';

/** The built command. */
export const MAIN = program('src/command/main.ts');

/** How a command ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a user runs it. Nothing of the tests' own environment reaches it. */
export class RunningCommand {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ran>;

  constructor(words: readonly string[], env: NodeJS.ProcessEnv = {}, input: string | Buffer = '') {
    this.child = spawn(process.execPath, [MAIN, ...words], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    this.child.stdin.on('error', () => {}).end(input);
    const closed = new Promise<number | null>((resolve) => this.child.once('close', resolve));
    this.ended = closed.then((code) => {
      const { stdout, stderr } = this;
      expectNoSecret(env, stdout + stderr);
      return { code, stdout, stderr };
    });
  }
}

function expectNoSecret(env: NodeJS.ProcessEnv, text: string): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!/SECRET|SIGNATURE|OTP/.test(name) || value.trim().length < 8) continue;
    expect(text, `${name} is shown`).not.toContain(value.trim());
  }
}

export const run = (words: readonly string[], env?: NodeJS.ProcessEnv, input?: string | Buffer): Promise<Ran> =>
  new RunningCommand(words, env, input).ended;

/** A sandbox that listens, and the environment of a command that calls it. */
export async function service(options: Parameters<typeof createSandbox>[0] = {}) {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen();
  const { apiKey, apiSecret } = sandbox.credentials;
  const env = { PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
  return { sandbox, url, env };
}

/** The error of a call: the last line of its standard error. */
export const errorOf = ({ stderr }: Ran): Record<string, unknown> =>
  JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

/** The key that a call has told. */
export const keyOf = ({ stderr }: Pick<Ran, 'stderr'>): string => /^Idempotency-Key: (\S+)$/m.exec(stderr)?.[1] ?? '';
