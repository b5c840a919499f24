import { nearestName } from '../util/did-you-mean.js';
import { clipped, printable } from '../util/printable.js';

/** The command line or the environment is wrong: the program ends with exit code 2. */
export class WrongWords extends Error {
  override readonly name = 'WrongWords';
}

/** @param refusal Begins the message: `there is no operation`. It ends with the likely name. */
export function unknownName(refusal: string, name: string, known: Iterable<string>): WrongWords {
  const nearest = nearestName(name, known);
  return new WrongWords(`${refusal} ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}

/** Longest part of a word that a message repeats, in characters. */
const MAX_QUOTED_LENGTH = 80;

/** Returns a word of the caller between quotation marks. */
export const quoted = (text: string): string => printable(JSON.stringify(clipped(text, MAX_QUOTED_LENGTH)));
