import { fstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../../util/system-error.js';

/** Prints lines to a reader that may stop reading, as `head` does. */
export class Output {
  /** Resolves with the reason as soon as nothing can be written any more. */
  readonly broken: Promise<Error>;
  readonly #stream: NodeJS.WritableStream;
  /** Lines that were printed before the first ones; undefined after `begin`. */
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

  /** Prints the first lines together, and then the lines that were waiting for them. */
  begin(lines?: string): void {
    const all = [...(lines === undefined ? [] : [lines]), ...(this.#early ?? [])];
    this.#early = undefined;
    if (all.length > 0) this.write(all.join('\n'));
  }

  write(lines: string): void {
    if (this.#early !== undefined) this.#early.push(lines);
    else if (this.#open) this.#stream.write(`${lines}\n`);
  }

  /** Resolves when the reader has read everything or gone away, and after a second in any case. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#open) return resolve();
      this.#stream.write('', () => resolve());
      setTimeout(resolve, MAX_FLUSH_MS);
    });
  }
}

/** A test runner may leave the pipe unread, and wait for the program to end. */
const MAX_FLUSH_MS = 1_000;

/** Interval in ms at which the reader of a pipe is checked. */
const LOOK_MS = 250;

/**
 * Calls `onGone` when no process reads the pipe any more, which a program that writes nothing would
 * not notice. Linux shows the process at the other end. If that is not visible (other systems,
 * outside a container, another user), `onGone` is not called and the next write fails. Must be
 * called before the first write, because `head -1` ends right after it.
 */
function watchReader(fd: number, onGone: () => void): void {
  const pipe = pipeOf(fd);
  let reader = pipe === undefined ? undefined : readerOf(pipe);
  if (pipe === undefined || reader === undefined) return;
  const timer = setInterval(() => {
    if (reader === undefined || isHeldOpen(reader, pipe)) return;
    // Another process may have inherited its end.
    reader = readerOf(pipe);
    if (reader !== undefined) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}

/** Returns the name of a pipe in Linux, for example `pipe:[4711]`. */
function pipeOf(fd: number): string | undefined {
  return readable(() => (fstatSync(fd).isFIFO() ? readlinkSync(`/proc/self/fd/${fd}`) : undefined));
}

/** Returns the path below `/proc` of an end of the pipe that is open for reading. */
function readerOf(pipe: string): string | undefined {
  const processes = readable(() => readdirSync('/proc')) ?? [];
  for (const id of processes.filter((name) => /^\d+$/.test(name))) {
    for (const fd of readable(() => readdirSync(`/proc/${id}/fd`)) ?? []) {
      const path = `/proc/${id}/fd/${fd}`;
      if (readable(() => readlinkSync(path)) === pipe && isReadEnd(id, fd)) return path;
    }
  }
  return undefined;
}

/** The last octal digit of the flags is the mode in which it was opened: 0 is for reading. */
function isReadEnd(id: string, fd: string): boolean {
  return /^flags:\s*\d*0$/m.test(readable(() => readFileSync(`/proc/${id}/fdinfo/${fd}`, 'utf8')) ?? '');
}

/** Returns undefined for what cannot be read, such as a process that has ended. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A process that may not be inspected, since it runs as another user, counts as a reader. */
function isHeldOpen(path: string, pipe: string): boolean {
  try {
    return readlinkSync(path) === pipe;
  } catch (error) {
    return systemCode(error) !== 'ENOENT';
  }
}
