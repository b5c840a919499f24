import { printable } from '../../util/printable.js';
import { Failure } from './failure.js';

/** Returns a text from outside as one word of a line: quoted if it could be taken for several, cut if it is long. */
export function word(text: string, maxLength = 80): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return /^[!#-~][!-~…]*$/.test(shown) ? shown : quoted(shown);
}

/** Returns a text between double quotes. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/**
 * Returns a value for the right side of a shell's assignment.
 *
 * @throws Failure for a value that cannot be printed. Even between quotes, its line breaks would make lines, which a
 *   program that picks the assignments out of the output could take for some.
 */
export function shellWord(text: string): string {
  if (printable(text) !== text) throw new Failure(1, 'a value for the shell has characters that cannot be printed');
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
