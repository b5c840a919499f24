import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../core/system-code.js';
import { Failure } from './failure.js';
import { quoted } from './text.js';

/**
 * Keeps a second sandbox from the same state: the later save would silently undo the earlier. A file beside the state names the process
 * that has it; that of a process that was killed is taken over.
 */
export class Lock {
  readonly #path: string;
  readonly #content: string;
  readonly #release = (): void => this.release();

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
    // However the program ends.
    process.once('exit', this.#release);
  }

  /** Throws a `Failure` when another process has it, or no file can be made there. */
  static take(path: string): Lock {
    // No two are the same, though ids of processes come again.
    const content = `${process.pid} ${randomUUID()}\n`;
    if (!created(path, content)) {
      if (isStale(path)) removeStale(path);
      if (!created(path, content)) throw inUse(path, ownerOf(contentOf(path)));
    }
    return new Lock(path, content);
  }

  /** Leaves the lock of another alone, who came after somebody has removed this one. */
  release(): void {
    process.removeListener('exit', this.#release);
    if (contentOf(this.#path) === this.#content) rmSync(this.#path, { force: true });
  }
}

/**
 * Only one process at a time looks and removes, and only what it has seen: else it could be the lock of the next owner. A process killed
 * in the midst leaves a stale guard, which is taken over like every lock.
 */
function removeStale(path: string): void {
  const guard = Lock.take(`${path}.lock`);
  try {
    if (isStale(path)) rmSync(path);
  } finally {
    guard.release();
  }
}

/** `false` when there is one already. Nobody finds it without its content. */
function created(path: string, content: string): boolean {
  const whole = `${path}.${randomUUID()}`;
  try {
    writeFileSync(whole, content, { flag: 'wx', mode: 0o600, flush: true });
    linkOrCopy(whole, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (systemCode(error) === 'ENOENT')
      throw new Failure(1, `--state needs a folder that exists: ${quoted(dirname(path))}`);
    throw new Failure(1, `--state needs a folder that it can write into: ${quoted(path)} gives ${systemCode(error)}`);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Throws when `path` exists. */
function linkOrCopy(whole: string, path: string): void {
  try {
    linkSync(whole, path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error;
    // Not every file system has links. Who sees the copy before it is complete takes it for that of somebody who runs.
    copyFileSync(whole, path, constants.COPYFILE_EXCL);
  }
}

/** Whether there is a lock, of a process that is gone. Throws when it is that of another. */
function isStale(path: string): boolean {
  const content = contentOf(path);
  if (content === undefined) return false;
  const owner = ownerOf(content);
  if (owner === undefined || isAlive(owner)) throw inUse(path, owner);
  return true;
}

/** `undefined`: there is no file. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : '';
  }
}

/** `undefined`: it does not say. */
function ownerOf(content = ''): number | undefined {
  const [pid] = /^[1-9]\d*(?=\s)/.exec(content) ?? [];
  return pid === undefined ? undefined : Number(pid);
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
