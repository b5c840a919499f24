import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isRecord } from '../../../util/options.js';
import { systemCode } from '../../../util/system-error.js';
import type { Changed } from '../../core/basics/changes.js';
import type { SavedState } from '../../drive/snapshot/keeping.js';
import { replay } from '../../drive/snapshot/replay.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';
import { Lock } from './lock.js';
import { type LogLink, readLog } from './state-log.js';

/**
 * Length in characters of text that is written at once: about 1 ms of work, then requests are
 * processed.
 */
const CHUNK_LENGTH = 128 * 1024;

/** The JSON file of `--state` and its log. While they are open, only this process may use them. */
export class StateFile {
  /** Name as the user gave it. */
  readonly name: string;
  /**
   * The state in the file, with the changes in the log. Undefined if the file was absent, or empty
   * as `mktemp` makes it.
   */
  readonly content: unknown;
  /** Link to the log that continues `content`. */
  readonly link: LogLink;
  readonly logPath: string;
  readonly #path: string;
  readonly #lock: Lock;

  private constructor(name: string, path: string, lock: Lock) {
    this.name = name;
    this.#path = path;
    this.#lock = lock;
    this.logPath = `${path}.log`;
    const saved = readValue(name, path);
    const { id, line } = linkOf(saved) ?? { id: undefined, line: 0 };
    const lines = saved === undefined ? [] : readLog(this.logPath, linkOf(saved));
    this.content = lines.length === 0 ? saved : continued(name, saved, lines);
    this.link = { id: id ?? randomUUID(), line: line + lines.length };
  }

  /** Rejects with a `Failure` if the file is in use, cannot be read, or is not JSON. */
  static async open(name: string): Promise<StateFile> {
    const path = targetOf(name);
    checkRegular(name, path);
    const lock = await Lock.take(`${path}.lock`);
    try {
      return new StateFile(name, path, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Replaces the file in one step: after a crash there is the old file or the new one. */
  async save(pieces: Iterable<string>): Promise<void> {
    this.checkOwner();
    const temporary = `${this.#path}.tmp`;
    try {
      // A killed process may have left a temporary file.
      await rm(temporary, { force: true });
      const file = await open(temporary, 'wx', 0o600);
      try {
        for (const chunk of chunksOf(pieces)) await file.writeFile(chunk);
        await file.sync();
      } finally {
        await file.close();
      }
      this.checkOwner();
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      if (error instanceof TakenOver) throw error;
      await rm(temporary, { force: true }).catch(() => {});
      throw new Failure(1, `the state cannot be saved in ${quoted(this.name)}: ${reasonOf(error)}`);
    }
  }

  /** @throws TakenOver if another process has taken over the lock. */
  checkOwner(): void {
    if (!this.#lock.isHeld()) throw new TakenOver(this.name);
  }

  close(): void {
    this.#lock.release();
  }
}

/** Another sandbox has taken over the state, because this one was suspended or not visible. */
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

/** Makes a rename survive a power failure, if the system can. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

function linkOf(saved: unknown): LogLink | undefined {
  const link = isRecord(saved) ? saved['log'] : undefined;
  if (!isRecord(link)) return undefined;
  const { id, line } = link;
  return typeof id === 'string' && typeof line === 'number' ? { id, line } : undefined;
}

function continued(name: string, saved: unknown, lines: readonly (readonly Changed[])[]): unknown {
  try {
    return replay(saved as SavedState, lines);
  } catch (error) {
    throw notAState(name, `its log does not continue it: ${reasonOf(error)}`);
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

/** Returns the failure for a file with other content. */
export function notAState(name: string, reason: string): Failure {
  return new Failure(1, `${quoted(name)} is no state of a sandbox (${reason}): name another file, or remove this one`);
}
