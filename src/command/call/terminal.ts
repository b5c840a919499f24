import { createInterface } from 'node:readline/promises';
import { writeWhole } from '../../util/print.js';

/** The call stops before anything is sent: it was not confirmed, or a key can't be shown. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/** Writes a line to standard error. Returns true when no part of it is left in this process. */
export function tell(line: string): boolean {
  try {
    writeWhole(process.stderr.fd, `${line}\n`);
    return true;
  } catch {
    return false;
  }
}

/** True if a person can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks on the terminal. Rejects with `NotConfirmed` if the answer is empty. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      const end = () => reject(new NotConfirmed('nobody answered, so nothing was sent'));
      lines.once('close', end).once('SIGINT', end);
      lines.question(question).then((answer) => (answer.trim() === '' ? end() : resolve(answer)), end);
    });
  } finally {
    lines.close();
  }
}
