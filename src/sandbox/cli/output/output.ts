import { fstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../../util/system-error.js';

/** Lines to a reader that may go away, as `head` does. */
export class Output {
  /** Resolves with the reason once nothing can be written any more. */
  readonly broken: Promise<Error>;
  readonly #stream: NodeJS.WritableStream;
  /** The lines that came before the first ones; undefined after `begin`. */
  #early: string[] | undefined = [];
  #open = true;

  constructor(stream: NodeJS.WritableStream & { readonly fd?: number }) {
    this.#stream = stream;
    this.broken = new Promise((resolve) => {
      const end = (error: Error): void => {
        this.#open = false;
        resolve(error);
      };
      stream.on('error', end);
      if (stream.fd !== undefined) {
        watchReader(stream.fd, () => end(Object.assign(new Error('nobody reads it'), { code: 'EPIPE' })));
      }
    });
  }

  /** Writes the first lines all at once, and then the lines that have waited for them. */
  begin(lines?: string): void {
    const all = [...(lines === undefined ? [] : [lines]), ...(this.#early ?? [])];
    this.#early = undefined;
    if (all.length > 0) this.write(all.join('\n'));
  }

  write(lines: string): void {
    if (this.#early !== undefined) this.#early.push(lines);
    else if (this.#open) this.#stream.write(`${lines}\n`);
  }

  /** Resolves when the reader has everything, or has gone. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#open) this.#stream.write('', () => resolve());
      else resolve();
    });
  }
}

/** The reader of a pipe is looked for this often. */
const LOOK_MS = 250;

/**
 * Calls `onGone` once no process reads a pipe any more: a program that writes nothing would not
 * notice. Linux shows the process at the other end. If that cannot be seen (other systems, outside
 * a container, another user), then nothing happens and the next write finds out. Call it before the
 * first write: `head -1` is gone right after it.
 */
function watchReader(fd: number, onGone: () => void): void {
  const pipe = pipeOf(fd);
  let reader = pipe === undefined ? undefined : readerOf(pipe);
  if (pipe === undefined || reader === undefined) return;
  const timer = setInterval(() => {
    if (reader === undefined || isHeldOpen(reader, pipe)) return;
    // It may have left its end to another process.
    reader = readerOf(pipe);
    if (reader !== undefined) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}

/** Returns the name that Linux gives a pipe, for example `pipe:[4711]`. */
function pipeOf(fd: number): string | undefined {
  try {
    return fstatSync(fd).isFIFO() ? readlinkSync(`/proc/self/fd/${fd}`) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the path below `/proc` of an end of the pipe that is open for reading. */
function readerOf(pipe: string): string | undefined {
  for (const id of entriesOf('/proc')) {
    if (!/^\d+$/.test(id)) continue;
    for (const fd of entriesOf(`/proc/${id}/fd`)) {
      const path = `/proc/${id}/fd/${fd}`;
      if (linkOf(path) === pipe && isReadEnd(id, fd)) return path;
    }
  }
  return undefined;
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The last octal digit of the flags tells how it was opened: 0 is for reading. */
function isReadEnd(id: string, fd: string): boolean {
  try {
    return /^flags:\s*\d*0$/m.test(readFileSync(`/proc/${id}/fdinfo/${fd}`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process that may not be looked at (it runs as another user by now) counts as a reader. */
function isHeldOpen(path: string, pipe: string): boolean {
  try {
    return readlinkSync(path) === pipe;
  } catch (error) {
    return systemCode(error) !== 'ENOENT';
  }
}
