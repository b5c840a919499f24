import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import type { SandboxFixtures } from '../../../src/sandbox/index.js';
import { program } from '../../support/processes/program.js';

const main = program('src/sandbox/cli/main.ts');

/** The words before the command's own. */
export const COMMAND: readonly [string, string] = [process.execPath, main];

/** Neither what the tests' own terminal prefers decides, nor CI, where Node shows no colours. */
function environment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NO_COLOR, FORCE_COLOR, CI, ...others } = process.env;
  return { ...others, ...variables };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
type Event = any;

/** Where the variables of the text stand with `--json`. */
const inJson = {
  PARTNER_BASE_URL: ({ url }: Event): string => url,
  PARTNER_API_KEY: ({ credentials }: Event): string => credentials.apiKey,
  PARTNER_API_SECRET: ({ credentials }: Event): string => credentials.apiSecret,
  PARTNER_WEBHOOK_SECRET: ({ webhook }: Event): string => webhook.signing_secret,
};
type VariableName = keyof typeof inJson;

/** How a command ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The command as a user runs it. */
export class RunningCommand {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<Ending>;

  constructor(words: readonly string[], variables: NodeJS.ProcessEnv = {}, before: readonly string[] = []) {
    const [program = '', ...others] = [...before, ...COMMAND, ...words];
    this.child = spawn(program, others, { env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    this.#ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** The lines of the output that are complete. */
  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  /** The lines of the output with `--json`. */
  get events(): Event[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  /** Resolves when the output so far satisfies `condition`; rejects when the command ends before. */
  async until(condition: (command: this) => boolean): Promise<void> {
    let isOver = false;
    const over = this.#ended.then(() => {
      isOver = true;
    });
    while (!condition(this)) {
      if (isOver) throw new Error(`the command has ended: ${this.stdout}${this.stderr}`);
      await Promise.race([once(this.child.stdout, 'data'), over]);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves when it has ended and all output was read. */
  ended(): Promise<Ending> {
    return this.#ended;
  }

  /** A variable that it has announced, whatever the form of its output. */
  variable(name: VariableName): string {
    if (this.stdout.startsWith('{')) return inJson[name](this.events[0]);
    return new RegExp(`^export ${name}=(.*)$`, 'm').exec(this.stdout)?.[1] ?? '';
  }

  fixture(name: keyof SandboxFixtures): string {
    if (this.stdout.startsWith('{')) return this.events[0].fixtures[name];
    return new RegExp(`^# ${name} (.*)$`, 'm').exec(this.stdout)?.[1] ?? '';
  }
}

/** Starts the command, which is killed at the end of the test if it still runs. */
export function start(
  words: readonly string[],
  variables?: NodeJS.ProcessEnv,
  before?: readonly string[],
): RunningCommand {
  const command = new RunningCommand(words, variables, before);
  onTestFinished(async () => {
    command.kill('SIGKILL');
    await command.ended();
  });
  return command;
}

/** Starts it on a free port and waits until it listens. */
export async function startListening(words: readonly string[] = [], variables?: NodeJS.ProcessEnv) {
  const command = start(['--port', '0', ...words], variables);
  await command.until(({ lines }) => lines.length > 0);
  return command;
}

/** Runs it to its end. */
export async function runToEnd(words: readonly string[], variables?: NodeJS.ProcessEnv) {
  const command = start(words, variables);
  const ending = await command.ended();
  const { stdout, stderr } = command;
  return { ...ending, stdout, stderr };
}

/** Runs it to an end of this code, which prints nothing; gives what it complains of. */
export async function complaint(words: readonly string[], code = 1): Promise<string> {
  const { stderr, ...others } = await runToEnd(words);
  expect(others).toEqual({ code, signal: null, stdout: '' });
  return stderr;
}

/** Ends it, well. */
export async function end(command: RunningCommand, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  command.kill(signal);
  expect(await command.ended()).toEqual({ code: 0, signal: null });
}

/** Calls a method of its control plane. */
export function control(command: RunningCommand, method: string, args: readonly unknown[]): Promise<Response> {
  return fetch(`${command.variable('PARTNER_BASE_URL')}/_sandbox/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
}
