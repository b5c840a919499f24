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

/** Writes the report, and returns the exit code: 1 if there is a problem. */
export function report(findings: readonly Finding[], isJson: boolean): 0 | 1 {
  const isWell = findings.every(({ level }) => level !== 'problem');
  if (isJson) console.log(JSON.stringify({ ok: isWell, findings }));
  else {
    for (const { level, about, message } of findings) {
      console.log(printable(`${level.padEnd(7)}  ${about.padEnd(8)}  ${message}`));
    }
    console.log(isWell ? 'No problem was found.' : 'There are problems.');
  }
  return isWell ? 0 : 1;
}
