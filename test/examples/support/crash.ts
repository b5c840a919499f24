import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from 'partner-sdk/sandbox';
import { expect } from 'vitest';
import { bitcoinAddress } from '../../sandbox/support/addresses.js';
import { seeded } from '../../support/random.js';
import { type Change, changed, exampleOf, Program, type Run } from './program.js';

const EXAMPLE = exampleOf('crash-safe/import-addresses.ts');

/** A line of the program's file. */
export interface Row {
  readonly id: string;
  readonly asset_symbol: string;
  readonly method_id: string;
  readonly key: string;
  readonly address: string;
}

/** How a program is killed again and again. */
interface Storm {
  readonly seed: number;
  /** How often it is killed at random; then only a silent run is. */
  readonly kills: number;
  /** How likely the progress file is removed after it was killed at random. Default 0. */
  readonly forget?: number;
}

/** What is to be run. */
interface Given {
  /** How many addresses. */
  readonly rows: number;
  readonly sandbox?: SandboxOptions;
  /** Makes another program of the example: one that gets something wrong. */
  readonly changes?: readonly Change[];
}

const SILENCE_MS = 2_500;

/** The most requests of a run that is killed. */
const MOST_REQUESTS = 150;

/** More runs than any storm needs. */
const MOST_RUNS = 60;

/** A program that writes the rows of a file, and the service that it writes them to. */
export class Crashing extends Program {
  readonly rows: readonly Row[];
  readonly #file: string;
  readonly #before: ReadonlySet<string>;

  constructor(file: string, program: string, { rows, sandbox }: Given) {
    super(program, file, sandbox);
    this.#file = file;
    const { methodId } = this.sandbox.fixtures;
    this.#before = new Set(this.#everything().map(([name]) => name));
    this.rows = Array.from({ length: rows }, (_, index) => ({
      id: `row-${index + 1}`,
      asset_symbol: 'BTC',
      method_id: methodId,
      key: `customer ${index + 1}`,
      address: bitcoinAddress(index + 1),
    }));
  }

  get progressFile(): string {
    return `${this.#file}.progress`;
  }

  /** The names that were saved, with their addresses, in the order of saving. */
  get saved(): (readonly [name: string, address: string])[] {
    return this.#everything().filter(([name]) => !this.#before.has(name));
  }

  async begin(): Promise<void> {
    await this.write(this.rows);
    await this.listen();
  }

  async write(rows: readonly object[]): Promise<void> {
    await writeFile(this.#file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }

  /** Progress can no more be written. */
  async blockProgress(): Promise<void> {
    await mkdir(`${this.progressFile}.new`);
  }

  /** Kills the program at random moments and starts it again, until it ends by itself and does not ask to be started again. */
  async survive({ seed, kills, forget = 0 }: Storm): Promise<Run> {
    const random = seeded(seed);
    while (this.runs.length < MOST_RUNS) {
      const rounds = this.runs.length;
      if (rounds <= kills && random() < forget) await rm(this.progressFile, { force: true });
      // Early, when it may have sent nothing yet, or at a request.
      const sudden =
        random() < 0.2 ? { after: random() * 1_000 } : { atRequest: 1 + Math.floor(random() * MOST_REQUESTS) };
      const run = await this.run({ silence: SILENCE_MS, ...(rounds < kills ? sudden : {}) });
      this.#expectHonestProgress();
      if (run.code !== null && run.code !== 1) return run;
    }
    throw new Error(`It is not done after ${MOST_RUNS} runs: ${this.runs.at(-1)?.output}`);
  }

  /** Whenever it was killed, there is a whole file or none, and what it says is so. */
  #expectHonestProgress(): void {
    if (!existsSync(this.progressFile)) return;
    const { done } = JSON.parse(readFileSync(this.progressFile, 'utf8')) as { done: string[] };
    const names = new Set(this.saved.map(([name]) => name));
    const nameOf = new Map(this.rows.map(({ id, key }) => [id, key]));
    expect(done.filter((id) => !names.has(nameOf.get(id) ?? ''))).toEqual([]);
  }

  #everything(): [name: string, address: string][] {
    const { accounts } = this.sandbox.snapshot() as unknown as {
      accounts: { id: string; records: { withdrawalAddresses?: [string, { address: string }][] } }[];
    };
    const account = accounts.find(({ id }) => id === this.accountId);
    return (account?.records.withdrawalAddresses ?? []).map(([name, { address }]) => [name, address]);
  }
}

/** The example, or what the changes make of it, and its service, with files of their own. */
export async function crashing(given: Given, use: (crashing: Crashing) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'crash-safe-'));
  const program =
    given.changes === undefined ? EXAMPLE : await changed(EXAMPLE, join(directory, 'program'), given.changes);
  const running = new Crashing(join(directory, 'addresses.jsonl'), program, given);
  try {
    await running.begin();
    await use(running);
  } finally {
    await running.sandbox.close();
    await rm(directory, { recursive: true });
  }
}
