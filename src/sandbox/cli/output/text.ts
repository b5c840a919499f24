import { printable } from '../../../util/printable.js';
import { shellQuoted } from '../../../util/shell.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { Failure } from './failure.js';

/** Returns a text as one word of a line: quoted if it could be taken for several. */
export function word(text: string, maxLength = 80): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return /^[!#-~][!-~…]*$/.test(shown) ? shown : printable(JSON.stringify(shown));
}

/** Returns a user's text between quotation marks, at most its first 200 characters. */
export function quoted(text: string): string {
  return printable(JSON.stringify(excerpt(text)));
}

/**
 * Returns a value for the right side of a shell's assignment.
 *
 * @throws Failure for a value that cannot be printed. Even between quotes, a line break in it would
 *   begin a line that a program could take for an assignment.
 */
export function shellWord(text: string): string {
  if (printable(text) !== text) throw new Failure(1, 'a value for the shell has characters that cannot be printed');
  return shellQuoted(text);
}
