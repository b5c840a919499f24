import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode } from '../../../util/system-error.js';
import type { StateKeeper } from '../../drive/snapshot/keeping.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** The JSON file of `--state`. Only this process may use it until it ends. */
export class StateFile {
  /** Name as the user gave it. */
  readonly name: string;
  /** Undefined if the file was absent, or empty as `mktemp` makes it. */
  readonly content: unknown;
  readonly #path: string;

  /** @throws Failure if the file is in use, cannot be read, or is not JSON. */
  constructor(name: string) {
    this.name = name;
    this.#path = targetOf(name);
    checkRegular(name, this.#path);
    takeLock(`${this.#path}.lock`);
    this.content = readValue(name, this.#path);
  }

  /** Replaces the file in one step: after a kill there is the old file or the new one. */
  save(state: object): void {
    const temporary = `${this.#path}.tmp`;
    try {
      // A killed process may have left a temporary file.
      rmSync(temporary, { force: true });
      writeFileSync(temporary, JSON.stringify(state), { mode: 0o600 });
      renameSync(temporary, this.#path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new Failure(1, `the state cannot be saved in ${quoted(this.name)}: ${reasonOf(error)}`);
    }
  }
}

/** Resolves a symbolic link: the file that it points to is replaced, the link is kept. */
function targetOf(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return resolve(name);
  }
}

/** Replacing a device or a pipe would turn it into a file. */
function checkRegular(name: string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw new Failure(1, `--state must name a file: ${quoted(name)} is none`);
}

function readValue(name: string, path: string): unknown {
  const text = readText(name, path);
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw notAState(name, 'the file is not JSON');
  }
}

function readText(name: string, path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new Failure(1, `the state cannot be read from ${quoted(name)}: ${reasonOf(error)}`);
  }
}

export function notAState(name: string, reason: string): Failure {
  return new Failure(1, `${quoted(name)} is not a state of a sandbox (${reason}): choose another file or remove it`);
}

/** Time in ms for which changes are gathered before the state is saved. */
const GATHER_MS = 1_000;

/** Saves a changing state in a file: at most once a second, with each snapshot, and at the end. */
export class Keeper implements StateKeeper {
  readonly #file: StateFile;
  readonly #state: () => object;
  readonly #report: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #reported: string | undefined;

  /** `report` is called with failures of saves while the sandbox runs. They are retried. */
  constructor(file: StateFile, state: () => object, report: (problem: string) => void) {
    this.#file = file;
    this.#state = state;
    this.#report = report;
  }

  changed(): void {
    this.#timer ??= setTimeout(() => this.trySave(), GATHER_MS);
  }

  trySave(): void {
    try {
      this.save();
      this.#reported = undefined;
    } catch (error) {
      const problem = reasonOf(error);
      if (problem !== this.#reported) this.#report(problem);
      this.#reported = problem;
      this.changed();
    }
  }

  /** @throws Failure if the file cannot be written. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#file.save(this.#state());
  }
}

/**
 * Prevents a second sandbox from using the same state, until the process ends: a file beside the
 * state contains the id of the process. The lock of a process that has ended is taken over.
 *
 * @throws Failure if another process has the lock, or the file cannot be created.
 */
function takeLock(path: string): void {
  if (!created(path)) {
    const owner = ownerOf(path);
    if (owner === undefined || isAlive(owner)) throw inUse(path, owner);
    rmSync(path, { force: true });
    if (!created(path)) throw inUse(path, undefined);
  }
  process.once('exit', () => rmSync(path, { force: true }));
}

/** Creates the file. Returns false if it exists. */
function created(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new Failure(1, `--state needs an existing folder that can be written to: ${reasonOf(error)}`);
  }
}

/** Returns undefined if the file does not contain the id of a process. */
function ownerOf(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return /^[1-9]\d{0,9}\n$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  // In a container, every run may have the same process id.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function inUse(path: string, owner: number | undefined): Failure {
  const process = owner === undefined ? 'another process' : `process ${owner}`;
  return new Failure(
    1,
    `the state is in use by ${process}: stop that one, or remove ${quoted(path)} if it is not a sandbox`,
  );
}
