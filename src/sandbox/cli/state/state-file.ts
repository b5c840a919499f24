import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemCode } from '../../../util/system-error.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';
import { takeLock } from './lock.js';

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
    throw notAState(name, 'it is not JSON');
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

/** Returns the failure for a file with other content. */
export function notAState(name: string, reason: string): Failure {
  return new Failure(1, `${quoted(name)} is no state of a sandbox (${reason}): name another file, or remove this one`);
}
