import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../../util/system-error.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** Interval in ms at which the owner of a lock touches its file. */
const BEAT_MS = 1_000;

/**
 * Time in ms after which an untouched lock is stale, if its process is on another machine or in
 * another container.
 */
const WATCH_MS = 2.5 * BEAT_MS;

/** Identifies this machine and container, since process ids are comparable only within one. */
const MACHINE_ID = hashOf(`${hostname()} ${tryTo(() => readlinkSync('/proc/self/ns/pid'))}`);

/**
 * Prevents a second sandbox from using the same state. A file beside the state names the process
 * that uses it: `<pid> <id> <place>`. The lock of a process that has ended is replaced.
 */
export class Lock {
  readonly #path: string;
  readonly #content: string;
  readonly #release = (): void => this.release();
  readonly #beat: NodeJS.Timeout;

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
    this.#beat = setInterval(() => this.#touch(), BEAT_MS).unref();
    process.once('exit', this.#release);
  }

  /** Rejects with a `Failure` if another process has the lock, or the file cannot be created. */
  static async take(path: string): Promise<Lock> {
    const content = `${process.pid} ${randomUUID()} ${MACHINE_ID}\n`;
    if (!created(path, content)) {
      const stale = await staleContent(path);
      const taken = stale === undefined ? created(path, content) : replaced(path, stale, content);
      if (!taken) throw inUse(path, 'another process');
    }
    return new Lock(path, content);
  }

  /** Returns true if the lock is still held. Restores a file that a user has removed. */
  isHeld(): boolean {
    const content = contentOf(this.#path);
    return content === this.#content || (content === undefined && created(this.#path, this.#content));
  }

  release(): void {
    clearInterval(this.#beat);
    process.removeListener('exit', this.#release);
    if (contentOf(this.#path) === this.#content) rmSync(this.#path, { force: true });
  }

  #touch(): void {
    const now = new Date();
    if (contentOf(this.#path) === this.#content) tryTo(() => utimesSync(this.#path, now, now));
  }
}

/** Creates the file. Returns false if it exists. */
function created(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw new Failure(1, `--state needs a folder that exists and can be written into: ${reasonOf(error)}`);
  }
}

/**
 * Replaces a stale lock. Returns false if another process does, since only one can create the
 * claim.
 */
function replaced(path: string, stale: string, content: string): boolean {
  const claim = `${path}.${hashOf(stale)}`;
  if (!created(claim, content)) throw inUse(claim, 'another process');
  if (contentOf(path) === stale) renameSync(claim, path);
  else rmSync(claim);
  return contentOf(path) === content;
}

/**
 * Returns the lock of a process that has ended; undefined if it is absent. Rejects if the process
 * runs.
 */
async function staleContent(path: string): Promise<string | undefined> {
  const content = contentOf(path);
  if (content === undefined) return undefined;
  const [, pid, place = MACHINE_ID] = /^([1-9]\d*) \S+(?: (\S+))?\s*$/.exec(content) ?? [];
  if (pid === undefined) throw inUse(path, 'another process');
  if (place === MACHINE_ID) {
    if (isAlive(Number(pid))) throw inUse(path, `process ${pid}`);
    return content;
  }
  const touched = touchTime(path);
  await sleep(WATCH_MS);
  if (touchTime(path) === touched) return contentOf(path) === content ? content : undefined;
  throw inUse(path, 'another process on another machine or in another container');
}

const touchTime = (path: string): number | undefined => tryTo(() => statSync(path).mtimeMs);

/** Returns undefined if the file is absent. If it cannot be read, it belongs to another process. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : '';
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

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function tryTo<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function inUse(path: string, owner: string): Failure {
  return new Failure(1, `the state is in use by ${owner}: end that one, or remove ${quoted(path)} if it is no sandbox`);
}
