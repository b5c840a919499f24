import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Client and service on a core each, where there are two and a command to say so: else they take time from each other. */
const CORES = { client: '0', service: '1' };
export const isPinned = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

export type Core = keyof typeof CORES;

/** The command line that runs a file of the project in Node, without a loader. */
export function commandOf(
  core: Core,
  file: string,
  args: readonly string[],
  program = process.execPath,
): [string, ...string[]] {
  const node = [program, file, ...args] as const;
  return isPinned ? ['taskset', '--cpu-list', CORES[core], ...node] : [...node];
}

/** A process that answers one question after another. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #name: string;
  /** Said only when the process fails: some clients warn about the version of Node in each of theirs. */
  #complaints = '';

  private constructor(child: ChildProcess, name: string) {
    this.#child = child;
    this.#name = name;
    child.stderr?.on('data', (text) => {
      this.#complaints += text;
    });
  }

  /** Started, and what it said first. */
  static async start<T>(
    core: Core,
    file: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    program?: string,
  ): Promise<{ process: MeasuredProcess; said: T }> {
    const [command, ...rest] = commandOf(core, file, args, program);
    const child = spawn(command, rest, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...globalThis.process.env, ...env },
    });
    const process = new MeasuredProcess(child, args[0] ?? file);
    return { process, said: await process.#reply<T>() };
  }

  ask<T>(question: string | object): Promise<T> {
    const reply = this.#reply<T>();
    this.#child.send(question);
    return reply;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }

  async #reply<T>(): Promise<T> {
    const ended = new AbortController();
    const gone = () => ended.abort(new Error(`${this.#name}: its process ended\n${this.#complaints}`));
    this.#child.once('exit', gone);
    try {
      const [message] = await once(this.#child, 'message', { signal: ended.signal });
      const { value, error } = message as { value: T; error?: string };
      if (error !== undefined) throw new Error(`${this.#name}: ${error}`);
      return value;
    } finally {
      this.#child.off('exit', gone);
    }
  }
}
