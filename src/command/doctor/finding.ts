import { print } from '../../util/print.js';
import { printable } from '../../util/printable.js';

/** `problem`: calls fail, or soon will. `warning`: worth a look. `fact`: neither. */
export type Level = 'ok' | 'fact' | 'warning' | 'problem';

/** One line of the report. It never has a secret, a signature or a body. */
export interface Finding {
  /** The subject, for example `clock`. */
  readonly about: string;
  readonly level: Level;
  readonly message: string;
}

export const finding = (about: string, level: Level, message: string): Finding => ({ about, level, message });

/** Prints the report, and returns the exit code: 1 if there is a problem. */
export async function report(findings: readonly Finding[], isJson: boolean): Promise<0 | 1> {
  const isWell = findings.every(({ level }) => level !== 'problem');
  const lines = findings.map(({ level, about, message }) => `${level.padEnd(7)}  ${about.padEnd(8)}  ${message}`);
  const verdict = isWell ? 'No problem was found.' : 'There are problems.';
  await print(isJson ? JSON.stringify({ ok: isWell, findings }) : [...lines.map(printable), verdict].join('\n'));
  return isWell ? 0 : 1;
}
