import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../util/system-error.js';
import { Failure } from './failure.js';
import { quoted } from './text.js';

/** How often the owner of a lock touches it, in milliseconds. */
const BEAT_MS = 1_000;

/** How long a lock from elsewhere must stay untouched before it is taken over, in milliseconds: two beats, and a half for a late one. */
const DOUBT_MS = 2.5 * BEAT_MS;

/**
 * Keeps a second sandbox from the same state: the later save would silently undo the earlier. A file beside the state names the process
 * that has it; that of a process that was killed is taken over. Containers cannot see each other's processes, and in each of them the
 * sandbox may have the same process id: a lock from elsewhere counts as held as long as somebody touches it.
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
    // However the program ends.
    process.once('exit', this.#release);
  }

  /** Rejects with a `Failure` when another process has it, or no file can be made there. */
  static async take(path: string): Promise<Lock> {
    // No two are the same, though ids of processes come again.
    const content = `${process.pid} ${randomUUID()} ${HERE}\n`;
    if (!created(path, content)) {
      const stale = await staleOne(path);
      if (stale !== undefined) await removeStale(path, stale);
      if (!created(path, content)) throw inUse(path, ownerOf(contentOf(path)));
    }
    return new Lock(path, content);
  }

  /** Whether it is still this one's: another may have taken it over, when this process did not run for a while. */
  isHeld(): boolean {
    const content = contentOf(this.#path);
    // Somebody who removed it by hand has not given it to another.
    return content === this.#content || (content === undefined && created(this.#path, this.#content));
  }

  /** Leaves the lock of another alone, who came after somebody has removed this one. */
  release(): void {
    clearInterval(this.#beat);
    process.removeListener('exit', this.#release);
    if (contentOf(this.#path) === this.#content) rmSync(this.#path, { force: true });
  }

  #touch(): void {
    try {
      const now = new Date();
      if (contentOf(this.#path) === this.#content) utimesSync(this.#path, now, now);
    } catch {
      // The next beat tries again; before each save it is looked whose the lock is.
    }
  }
}

/** Where ids of processes mean the same: the machine since its start, and within it the container. */
const HERE: string = createHash('sha256')
  .update([hostname(), textOf('/proc/sys/kernel/random/boot_id'), processNamespace()].join('\n'))
  .digest('base64url')
  .slice(0, 22);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** A lock as it was seen. */
interface Seen {
  readonly content: string;
  /** When it was touched last, by the clock of its file system. */
  readonly touched: number;
}

/**
 * Only one process at a time looks and removes, and only what it has seen: else it could be the lock of the next owner. A process killed
 * in the midst leaves a stale guard, which is taken over like every lock.
 */
async function removeStale(path: string, stale: Seen): Promise<void> {
  const guard = await Lock.take(`${path}.lock`);
  try {
    const now = seen(path);
    if (now?.content === stale.content && now.touched === stale.touched) rmSync(path);
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

/** The lock, when it is that of a process that is gone; undefined when there is none. Throws when another has it. */
async function staleOne(path: string): Promise<Seen | undefined> {
  const lock = seen(path);
  if (lock === undefined) return undefined;
  const owner = ownerOf(lock.content);
  if (owner === undefined) throw inUse(path, owner);
  if (isFromElsewhere(lock.content)) return untouched(path, lock);
  if (isAlive(owner)) throw inUse(path, owner);
  return lock;
}

/** The lock, when nobody touches it for two beats. */
async function untouched(path: string, before: Seen): Promise<Seen | undefined> {
  await sleep(DOUBT_MS);
  const after = seen(path);
  if (after === undefined) return undefined;
  if (after.content === before.content && after.touched === before.touched) return after;
  throw inUse(path, undefined, ' on another machine or in another container');
}

/** A lock that does not say where its process is comes from a version that knew one place alone. */
function isFromElsewhere(content: string): boolean {
  const [, , place = HERE] = content.trim().split(' ');
  return place !== HERE;
}

/** `undefined`: there is no file. */
function seen(path: string): Seen | undefined {
  try {
    const content = contentOf(path);
    return content === undefined ? undefined : { content, touched: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
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

function inUse(path: string, owner: number | undefined, where = ''): Failure {
  const process = owner === undefined ? 'another process' : `process ${owner}`;
  return new Failure(
    1,
    `the state is in use by ${process}${where}: end that one, or remove ${quoted(path)} if it is no sandbox`,
  );
}
