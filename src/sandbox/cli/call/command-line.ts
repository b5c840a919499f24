import { readWords as splitWords } from '../../../util/words.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { Failure } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** Command line of `ctl`: arguments in their order, and options by name. */
export interface CommandLine {
  readonly plain: readonly string[];
  /** `true`: the option has no value. */
  readonly options: ReadonlyMap<string, string | true>;
}

/** @throws Failure (2) for an option that is given twice, or is not an option. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { plain, flags } = splitWords(words, { isSwitch: (name) => SWITCHES.includes(name), letters: { h: 'help' } });
  const options = new Map<string, string | true>();
  for (const { name, written, value } of flags) {
    if (!/^[A-Za-z][\w.-]*$/.test(name)) throw usageError(`${quoted(written)} is no option`);
    if (options.has(name)) throw usageError(`--${excerpt(name)} is given twice`);
    options.set(name, value ?? true);
  }
  return { plain, options };
}

/** Options of `ctl` itself that never take a value. */
const SWITCHES: readonly string[] = ['json', 'help'];

/** Returns the text of an option that needs a value. */
export function textOption({ options }: CommandLine, name: string): string | undefined {
  const value = options.get(name);
  if (value === true || value === '') throw usageError(`--${name} needs a value`);
  return value;
}

/** Refuses options that the command does not have. */
export function allowOptions({ options }: CommandLine, known: readonly string[]): void {
  const unknown = [...options.keys()].find((name) => !known.includes(name) && !OWN.includes(name));
  if (unknown === undefined) return;
  const list = known.length === 0 ? 'it has none' : `there are ${known.map((name) => `--${name}`).join(', ')}`;
  throw usageError(`there is no option "--${excerpt(unknown)}" here: ${list}`);
}

/** Options that all commands accept. */
export const OWN: readonly string[] = ['url', 'ca', 'json', 'help'];

export function usageError(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox ctl --help shows what there is`);
}
