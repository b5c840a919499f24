import {
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { isRecord } from '../../../util/options.js';
import { systemCode } from '../../../util/system-error.js';
import type { Changed } from '../../core/basics/changes.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** The member of a state by which a log continues it. */
export interface LogLink {
  /** The id of the log. */
  readonly id: string;
  /** The number of the last line that the state has. */
  readonly line: number;
}

/** A place in the log: after a line. */
interface Mark {
  readonly line: number;
  readonly size: number;
}

const syncData = promisify(fdatasync);

/**
 * The log beside a state: what has changed since the state was saved. Its first line has its id;
 * each further one is `[number, changes]`, of one request, control call or timer.
 */
export class StateLog {
  readonly #path: string;
  readonly #id: string;
  readonly #isDurable: boolean;
  #file: number;
  #line: number;
  /** Length in bytes. */
  #size: number;
  /** What is on the disk. */
  #safe: Mark;
  /** Why lines could not be put on the disk. The log takes none then until it is written anew. */
  #failure: Error | undefined;
  #syncing: Promise<void> | undefined;
  #nextSync: Promise<void> | undefined;

  private constructor(path: string, { id, line }: LogLink, isDurable: boolean) {
    this.#path = path;
    this.#id = id;
    this.#line = line;
    this.#isDurable = isDurable;
    const { file, size } = this.#written(Buffer.alloc(0));
    this.#file = file;
    this.#size = size;
    this.#safe = this.mark;
  }

  /**
   * Begins a log, which replaces an earlier one.
   *
   * @param isDurable True: a line is kept when it is on the disk.
   */
  static begin(path: string, link: LogLink, isDurable: boolean): StateLog {
    return new StateLog(path, link, isDurable);
  }

  get link(): LogLink {
    return { id: this.#id, line: this.#line };
  }

  get mark(): Mark {
    return { line: this.#line, size: this.#size };
  }

  /**
   * Appends a line. Returns a promise if the log is durable: it is fulfilled when the line is on
   * the disk. If it is rejected, the log is as it was before the line.
   *
   * @throws Error if it cannot be written. The log is as before then.
   */
  append(changed: readonly Changed[]): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    const line = Buffer.from(`${JSON.stringify([this.#line + 1, changed])}\n`);
    try {
      writeAll(this.#file, line);
    } catch (error) {
      this.#cut(this.#size);
      throw error;
    }
    this.#line += 1;
    this.#size += line.length;
    return this.#isDurable ? this.#synced() : undefined;
  }

  #cut(size: number): void {
    try {
      ftruncateSync(this.#file, size);
    } catch {
      // A start leaves a torn line out, and nothing follows it before the log is written anew.
    }
  }

  /**
   * Leaves out the lines until a mark: the state has them now.
   *
   * @throws Error if the log was cut since then: the state has lines that were lost.
   */
  dropUntil({ size }: Mark): void {
    if (size > this.#size) throw this.#failure ?? new Error('the log is shorter than it was');
    const rest = Buffer.alloc(this.#size - size);
    readAll(this.#file, rest, size);
    const [before, syncing] = [this.#file, this.#syncing];
    const next = this.#written(rest);
    this.#file = next.file;
    this.#size = next.size;
    this.#safe = this.mark;
    this.#failure = undefined;
    if (syncing === undefined) closeSync(before);
    else syncing.catch(nothing).then(() => closeSync(before));
  }

  /** `isSaved`: the state has all of its lines. */
  close(isSaved: boolean): void {
    closeSync(this.#file);
    if (isSaved) rmSync(this.#path, { force: true });
  }

  /** Writes the log anew, in one step. */
  #written(lines: Buffer): { readonly file: number; readonly size: number } {
    const temporary = `${this.#path}.tmp`;
    const text = Buffer.concat([Buffer.from(`${JSON.stringify({ log: this.#id })}\n`), lines]);
    rmSync(temporary, { force: true });
    const file = openSync(temporary, 'ax+', 0o600);
    try {
      writeAll(file, text);
      if (this.#isDurable) fsyncSync(file);
      renameSync(temporary, this.#path);
    } catch (error) {
      closeSync(file);
      rmSync(temporary, { force: true });
      throw error;
    }
    return { file, size: text.length };
  }

  /** Lines that come while a sync runs share the next one. */
  #synced(): Promise<void> {
    this.#nextSync ??= this.#syncAfter(this.#syncing);
    return this.#nextSync;
  }

  async #syncAfter(before: Promise<void> | undefined): Promise<void> {
    await before?.catch(nothing);
    const own = this.#nextSync;
    this.#syncing = own;
    this.#nextSync = undefined;
    try {
      await this.#sync();
    } finally {
      if (this.#syncing === own) this.#syncing = undefined;
    }
  }

  async #sync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const [file, mark] = [this.#file, this.mark];
    try {
      await syncData(file);
    } catch (error) {
      // A log that was written anew is on the disk as a whole.
      if (file !== this.#file) return;
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#rewind();
      throw error;
    }
    if (file === this.#file) this.#safe = mark;
  }

  /** A sync that succeeds later would prove nothing for the lines of one that failed. */
  #rewind(): void {
    this.#line = this.#safe.line;
    this.#size = this.#safe.size;
    this.#cut(this.#size);
  }
}

const nothing = (): void => {};

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function readAll(file: number, bytes: Buffer, from: number): void {
  for (let read = 0; read < bytes.length; ) {
    const count = readSync(file, bytes, read, bytes.length - read, from + read);
    if (count === 0) throw new Error('the log is shorter than it was');
    read += count;
  }
}

/**
 * Returns the changes that continue a state, line by line. The last line may be torn: its request
 * was not answered.
 *
 * @param link That of the state. Undefined: no log belongs to it.
 * @throws Failure for a log of another state, or one that cannot be read.
 */
export function readLog(path: string, link: LogLink | undefined): (readonly Changed[])[] {
  const [first, ...lines] = linesIn(path);
  if (first === undefined || lines.length === 0) return [];
  const header = parsed(first);
  if (link === undefined || !isRecord(header) || header['log'] !== link.id) throw notContinued(path);
  let last: number | undefined;
  const changes: (readonly Changed[])[] = [];
  for (const [index, text] of lines.entries()) {
    const line = parsed(text);
    if (!isLine(line)) throw notContinued(path, `line ${index + 2} is damaged`);
    const [number, changed] = line;
    if (number > link.line) {
      if (number !== (last ?? link.line) + 1) throw notContinued(path);
      changes.push(changed);
    }
    last = number;
  }
  return changes;
}

/** Returns the lines that are whole. */
function linesIn(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw new Failure(1, `the log ${quoted(path)} cannot be read: ${reasonOf(error)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is [number, Changed[]] {
  if (!Array.isArray(value) || typeof value[0] !== 'number' || !Array.isArray(value[1])) return false;
  return value[1].every(
    (change) =>
      Array.isArray(change) && Array.isArray(change[0]) && change[0].every((name: unknown) => typeof name === 'string'),
  );
}

function notContinued(path: string, why = 'it continues another state'): Failure {
  return new Failure(1, `the log ${quoted(path)} cannot be used (${why}): remove it to go on without it`);
}
