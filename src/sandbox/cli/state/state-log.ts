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

/** The member of a state that identifies the log which continues it. */
export interface LogLink {
  /** Id of the log. */
  readonly id: string;
  /** Number of the last line that the state contains. */
  readonly line: number;
}

/** Position in the log: the end of a line. */
interface Mark {
  readonly line: number;
  readonly size: number;
}

const syncData = promisify(fdatasync);

/**
 * The log beside a state: the changes since the state was saved. Its first line contains its id.
 * Each other line is `[number, changes]` of one request, control call or timer.
 */
export class StateLog {
  readonly #path: string;
  readonly #id: string;
  readonly #isDurable: boolean;
  #file: number;
  #line: number;
  /** Length in bytes. */
  #size: number;
  /** End of the part that is on the disk. */
  #safe: Mark;
  /** Reason why lines could not be synced. The log accepts none until it is rewritten. */
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
   * Starts a log, which replaces an earlier one.
   *
   * @param isDurable True: a line is stored when it is on the disk.
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
   * Appends a line. If the log is durable, returns a promise, which is fulfilled when the line is
   * on the disk. If it rejects, the log is as it was before the line.
   *
   * @throws Error if the line cannot be written. The log is as it was before then.
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
      // The next start ignores an incomplete line, and no line follows it until the log is
      // rewritten.
    }
  }

  /**
   * Drops the lines up to a mark, which the state contains now.
   *
   * @throws Error if the log was cut since then: the state contains lines that were lost.
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

  /** `isSaved`: the state contains all lines. */
  close(isSaved: boolean): void {
    closeSync(this.#file);
    if (isSaved) rmSync(this.#path, { force: true });
  }

  /** Rewrites the log in one step. */
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

  /** Lines that are appended during a sync share the next one. */
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
      // A log that was rewritten is completely on the disk.
      if (file !== this.#file) return;
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#rewind();
      throw error;
    }
    if (file === this.#file) this.#safe = mark;
  }

  /**
   * After a failed sync, a later success does not prove that its lines are on the disk: they are
   * cut.
   */
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
 * Returns the changes that continue a state, line by line. An incomplete last line is ignored,
 * since its request was not answered.
 *
 * @param link Link in the state. Undefined: the state has no log.
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

/** Returns the complete lines. */
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
