import { printable } from '../../util/printable.js';
import { Failure } from './failure.js';

/** Somebody else's text as one word of a line: quoted where it could be taken for several, cut where it is long. */
export function word(text: string, longest = 80): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return /^[!#-~][!-~…]*$/.test(shown) ? shown : quoted(shown);
}

/** A text between double quotes. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/**
 * A value for the right side of a shell's assignment. Throws a `Failure` for one that cannot be printed: a line break would make lines
 * of its own of what stands behind it, also between quotes, for whoever picks the assignments out of the output.
 */
export function shellWord(text: string): string {
  if (printable(text) !== text) throw new Failure(1, 'a value for the shell has characters that cannot be printed');
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
