import { quoted } from '../sandbox/cli/output/text.js';
import { nearestName } from '../util/did-you-mean.js';

/** The command line or the environment is wrong: the program ends with exit code 2. */
export class WrongWords extends Error {
  override readonly name = 'WrongWords';
}

/** @param refusal Begins the message: `there is no operation`. It ends with the likely name. */
export function unknownName(refusal: string, name: string, known: Iterable<string>): WrongWords {
  const nearest = nearestName(name, known);
  return new WrongWords(`${refusal} ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}
