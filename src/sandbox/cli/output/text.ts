import { printable } from '../../../util/printable.js';
import { shellQuoted } from '../../../util/shell.js';
import { systemCode } from '../../../util/system-error.js';
import { readTextFile } from '../../../util/text-file.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { Failure, reasonOf } from './failure.js';

/** Returns a text as one word of a line, quoted if it has white space or special characters. */
export function word(text: string, maxLength = 80): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return /^[!#-~][!-~…]*$/.test(shown) ? shown : printable(JSON.stringify(shown));
}

/** Returns a user's text in quotation marks, at most its first 200 characters. */
export function quoted(text: string): string {
  return printable(JSON.stringify(excerpt(text)));
}

/**
 * Returns a value for the right side of a shell assignment.
 *
 * @throws Failure for a value that cannot be printed. Even in quotes, a line break would start a
 * new line, which a program could read as an assignment.
 */
export function shellWord(text: string): string {
  if (printable(text) !== text) throw new Failure(1, 'a value for the shell has characters that cannot be printed');
  return shellQuoted(text);
}

/**
 * Returns the text of a file for `@file`, of standard input for `-`, and any other word itself.
 *
 * @throws Error that says what cannot be read.
 */
export function givenText(word: string): string {
  if (word !== '-' && !word.startsWith('@')) return word;
  try {
    return readTextFile(word === '-' ? 0 : word.slice(1));
  } catch (error) {
    const source = word === '-' ? 'standard input' : quoted(word.slice(1));
    throw new Error(`${source} cannot be read: ${systemCode(error) ?? reasonOf(error)}`, { cause: error });
  }
}
