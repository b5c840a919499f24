import { ConfigurationError } from '../partner-error.js';
import { checkOptions, type Rules } from '../util/options.js';

/** Reads the options of a function of this module once, and checks each. */
export function readOptions<Options extends object>(options: unknown, rules: Rules): Options {
  return checkOptions('', options, rules, ConfigurationError);
}
