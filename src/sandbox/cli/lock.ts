import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure, systemCode } from './failure.js';
import { quoted } from './text.js';

/**
 * Keeps a second sandbox from the same state: the later save would silently undo the earlier. A file beside the state names the process
 * that has it; that of a process that was killed is taken over.
 */
export class Lock {
  readonly #path: string;
  readonly #release = (): void => this.release();

  private constructor(path: string) {
    this.#path = path;
    // However the program ends.
    process.once('exit', this.#release);
  }

  /** Throws a `Failure` when another process has it, or no file can be made there. */
  static take(path: string): Lock {
    if (!written(path)) {
      const owner = ownerOf(path);
      if (owner !== undefined && isAlive(owner)) throw inUse(path, owner);
      rmSync(path, { force: true });
      if (!written(path)) throw inUse(path, ownerOf(path));
    }
    return new Lock(path);
  }

  release(): void {
    process.removeListener('exit', this.#release);
    rmSync(this.#path, { force: true });
  }
}

/** `false` when there is one already. */
function written(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (systemCode(error) === 'ENOENT')
      throw new Failure(1, `--state needs a folder that exists: ${quoted(dirname(path))}`);
    throw new Failure(1, `--state needs a folder that it can write into: ${quoted(path)} gives ${systemCode(error)}`);
  }
}

function ownerOf(path: string): number | undefined {
  try {
    return Number(/^[1-9]\d*$/.exec(readFileSync(path, 'utf8').trim())?.[0] ?? 0) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  // In containers every run may have the same one.
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
    `the state is in use by ${process}: end that one, or remove ${quoted(path)} if it is no sandbox`,
  );
}
