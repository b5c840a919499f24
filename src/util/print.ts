import { fstatSync, writeSync } from 'node:fs';
import { systemCode } from './system-error.js';

/** Time in ms until a reader that is slow is tried again. */
const RETRY_MS = 10;

/** Standard output cannot be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
  /** Of the system, for example `ENOSPC`. */
  readonly code: string | undefined;

  constructor(cause: Error) {
    super(`the output cannot be written: ${cause.message}`, { cause });
    this.code = systemCode(cause);
  }

  /** True if its reader has gone away: `| head -1` has read enough. */
  get isUnread(): boolean {
    return this.code === 'EPIPE';
  }
}

/** Writes to standard output. Rejects with an `OutputError`. */
export async function print(text: string): Promise<void> {
  try {
    await write(`${text}\n`);
  } catch (error) {
    throw new OutputError(error as Error);
  }
}

async function write(line: string): Promise<void> {
  const { stdout } = process;
  const kind = fstatSync(stdout.fd);
  // Node's stream for a file takes a write that was cut short by a full disk for a whole one.
  if (!stdout.isTTY && !kind.isFIFO() && !kind.isSocket()) return writeWhole(stdout.fd, line);
  await new Promise<void>((resolve, reject) => {
    stdout.once('error', reject);
    stdout.write(line, (error) => {
      if (error) return;
      stdout.off('error', reject);
      resolve();
    });
  });
}

/** Writes the text, and blocks until no part of it is left in this process. */
export function writeWhole(fd: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
