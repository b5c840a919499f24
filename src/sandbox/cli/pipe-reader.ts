import { fstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { systemCode } from '../../util/system-error.js';

/** How often it is looked whether the reader of a pipe is still there, in milliseconds. */
const LOOK_MS = 250;

/**
 * Calls `gone` when nobody reads a pipe any more: a program that writes nothing would not hear of it. Linux shows which process has the
 * other end. Where it does not, or where that process is not to be seen (outside a container, of another user), nothing happens, and
 * the next write finds out. To be called before the first write: a reader that wants no more than that may be gone right after it.
 */
export function watchReader(fd: number, gone: () => void): void {
  const pipe = pipeOf(fd);
  let reader = pipe === undefined ? undefined : readerOf(pipe);
  if (pipe === undefined || reader === undefined) return;
  const timer = setInterval(() => {
    if (reader === undefined || isHeldOpen(reader, pipe)) return;
    // It may have left its end to another process.
    reader = readerOf(pipe);
    if (reader !== undefined) return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
}

/** The name that Linux gives a pipe, for instance `pipe:[4711]`. */
function pipeOf(fd: number): string | undefined {
  try {
    return fstatSync(fd).isFIFO() ? readlinkSync(`/proc/self/fd/${fd}`) : undefined;
  } catch {
    return undefined;
  }
}

/** The path below `/proc` of an end of the pipe that is open for reading. */
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

/** The last octal digit of the flags is the way in which it was opened: 0 is for reading. */
function isReadEnd(id: string, fd: string): boolean {
  try {
    return /^flags:\s*\d*0$/m.test(readFileSync(`/proc/${id}/fdinfo/${fd}`, 'utf8'));
  } catch {
    return false;
  }
}

/** A process that may no longer be looked at, since it runs as another user by now, is taken for a reader. */
function isHeldOpen(path: string, pipe: string): boolean {
  try {
    return readlinkSync(path) === pipe;
  } catch (error) {
    return systemCode(error) !== 'ENOENT';
  }
}
