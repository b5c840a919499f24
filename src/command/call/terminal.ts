import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { systemCode } from '../../util/system-error.js';

/** The call stops before anything is sent: it was not confirmed, or the key cannot be shown. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/** Time in ms until a reader that is slow is tried again. */
const RETRY_MS = 10;

/** Writes a line to standard error. Returns true when no part of it is left in this process. */
export function tell(line: string): boolean {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(process.stderr.fd, rest));
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return true;
}

/** Writes to standard output. Rejects if its reader has closed it. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** True if a person can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal. Rejects with `NotConfirmed` if the answer is empty. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      const end = () => reject(new NotConfirmed('there was no answer: nothing was sent'));
      lines.once('close', end).once('SIGINT', end);
      lines.question(question).then((answer) => (answer.trim() === '' ? end() : resolve(answer)), end);
    });
  } finally {
    lines.close();
  }
}
