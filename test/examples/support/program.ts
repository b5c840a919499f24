import { type ChildProcess, spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSandbox, type Sandbox, type SandboxOptions } from 'partner-sdk/sandbox';
import { expect } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The path of an example. */
export const exampleOf = (name: string): string => join(ROOT, 'examples', name);

/** A text of a program, and what is to stand in its place. */
export type Change = readonly [was: string, is: string];

/** Makes another program of an example, in a folder of its own. Returns its path. */
export async function changed(example: string, directory: string, changes: readonly Change[]): Promise<string> {
  await cp(dirname(example), directory, { recursive: true });
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  const path = join(directory, basename(example));
  let text = await readFile(path, 'utf8');
  for (const [was, is] of changes) {
    expect(text, 'what is to be changed').toContain(was);
    text = text.replace(was, () => is);
  }
  await writeFile(path, text);
  return path;
}

/** How one run of the program ended. */
export interface Run {
  /** Null when it was killed. */
  readonly code: number | null;
  readonly output: string;
}

/** When a run is killed, if it has not ended before. */
export interface Death {
  /** At this request, with its answer and others on their way. */
  readonly atRequest?: number;
  /** After so many milliseconds. */
  readonly after?: number;
  /** After so many milliseconds without a request: a supervisor would take it for dead, too. */
  readonly silence?: number;
  /** Default: SIGKILL. */
  readonly signal?: NodeJS.Signals;
}

/** An example that works through a file, and the service that it works with. */
export class Program {
  readonly sandbox: Sandbox;
  readonly accountId: string;
  readonly runs: Run[] = [];
  readonly #path: string;
  readonly #file: string;
  #onRequest: () => void = () => {};
  #url = '';

  constructor(path: string, file: string, options: SandboxOptions = {}) {
    this.#path = path;
    this.#file = file;
    this.sandbox = createSandbox({ ...options, onRequest: () => this.#onRequest() });
    this.accountId = this.sandbox.fixtures.accountId;
  }

  /** Returns the URL, which stays the same. */
  async listen(): Promise<string> {
    this.#url ||= (await this.sandbox.listen()).url;
    return this.#url;
  }

  /** Starts the program, or another one with its arguments, and waits for its end. */
  async run(death: Death = {}, command: readonly string[] = [this.#path, this.#file]): Promise<Run> {
    const child = this.#start(command);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
    const spare = this.#doom(child, death);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    spare();
    const run = { code, output };
    this.runs.push(run);
    return run;
  }

  #start(command: readonly string[]): ChildProcess {
    const { apiKey, apiSecret } = this.sandbox.credentials;
    const given = { PARTNER_BASE_URL: this.#url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
    const env = { ...process.env, ...given, PARTNER_ACCOUNT_ID: this.accountId };
    // From where tsconfig.json says what 'partner-sdk' is.
    return spawn(process.execPath, ['--import', 'tsx', ...command], { cwd: ROOT, env });
  }

  /** Returns the function that lets it live. */
  #doom(child: ChildProcess, { atRequest, after, silence, signal = 'SIGKILL' }: Death): () => void {
    const kill = () => void child.kill(signal);
    let silent: ReturnType<typeof setTimeout> | undefined;
    const sudden = after === undefined ? undefined : setTimeout(kill, after);
    let requests = 0;
    this.#onRequest = () => {
      requests += 1;
      if (requests === atRequest) kill();
      clearTimeout(silent);
      if (silence !== undefined) silent = setTimeout(kill, silence);
    };
    return () => {
      clearTimeout(sudden);
      clearTimeout(silent);
      this.#onRequest = () => {};
    };
  }
}
