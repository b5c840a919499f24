import { readFileSync, realpathSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCode } from '../../../util/system-error.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';
import { Lock } from './lock.js';

/** Text written at a time: it takes about 1 ms to make, then requests are answered. */
const CHUNK_LENGTH = 128 * 1024;

/** The JSON file of `--state`. It belongs to this process alone while it is open. */
export class StateFile {
  /** The name as it was given. */
  readonly name: string;
  /** The value in the file; undefined if it was absent, or empty as `mktemp` makes it. */
  readonly content: unknown;
  readonly #path: string;
  readonly #lock: Lock;

  private constructor(name: string, path: string, lock: Lock) {
    this.name = name;
    this.#path = path;
    this.#lock = lock;
    this.content = readValue(name, path);
  }

  /** Rejects with a `Failure` if the file is in use, cannot be read, or is not JSON. */
  static async open(name: string): Promise<StateFile> {
    const path = targetOf(name);
    return new StateFile(name, path, await Lock.take(`${path}.lock`));
  }

  /** Replaces the file in one step: a crash leaves the old one or the new one. */
  async save(pieces: Iterable<string>): Promise<void> {
    this.#checkOwner();
    const temporary = `${this.#path}.tmp`;
    try {
      // A killed process may have left one.
      await rm(temporary, { force: true });
      const file = await open(temporary, 'wx', 0o600);
      try {
        for (const chunk of chunksOf(pieces)) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      this.#checkOwner();
      await rename(temporary, this.#path);
    } catch (error) {
      if (error instanceof TakenOver) throw error;
      await rm(temporary, { force: true }).catch(() => {});
      throw new Failure(1, `the state cannot be saved in ${quoted(this.name)}: ${reasonOf(error)}`);
    }
  }

  /** Keeps the saves of another process, which may have taken the lock over. */
  #checkOwner(): void {
    if (!this.#lock.isHeld()) throw new TakenOver(this.name);
  }

  close(): void {
    this.#lock.release();
  }
}

/** Another sandbox has the state now: this one had not run for a while, or could not be seen. */
export class TakenOver extends Failure {
  constructor(name: string) {
    super(1, `another sandbox has taken over ${quoted(name)}: this one ends, and what it has not saved is lost`);
  }
}

function* chunksOf(pieces: Iterable<string>): Generator<string, void, undefined> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** Follows a link: the file behind it is replaced, the link stays. */
function targetOf(name: string): string {
  try {
    return realpathSync(name);
  } catch {
    return resolve(name);
  }
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

/** Returns the failure for a file that holds something else. */
export function notAState(name: string, reason: string): Failure {
  return new Failure(1, `${quoted(name)} is no state of a sandbox (${reason}): name another file, or remove this one`);
}
