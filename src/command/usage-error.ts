import { quoted } from '../sandbox/cli/output/text.js';
import { nearestName } from '../util/did-you-mean.js';

/** The command line or the environment is wrong: the program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param refusal Begins the message: `there is no operation`. It ends with the likely name. */
export function unknownName(refusal: string, name: string, known: Iterable<string>): UsageError {
  const nearest = nearestName(name, known);
  return new UsageError(`${refusal} ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}
