import { quoted } from '../sandbox/cli/output/text.js';
import { inColumns } from '../util/columns.js';
import { nearestName } from '../util/did-you-mean.js';
import { type CommandWords, damagedWord, readWords as splitWords } from '../util/words.js';

/** The command line or the environment is wrong: the program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @param refusal Begins the message: `there is no operation`. It ends with the likely name. */
export function unknownName(refusal: string, name: string, known: Iterable<string>): UsageError {
  const nearest = nearestName(name, known);
  return new UsageError(`${refusal} ${quoted(name)}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
}

/** The flags of a command by name. `value` is shown for their value; a switch has none. */
export type FlagRules = Readonly<Record<string, { readonly value?: string; readonly help: string }>>;

/** The value of each flag that is given, `''` for a switch. */
export type Values<Rules extends FlagRules> = { readonly [Name in keyof Rules]?: string };

/**
 * Splits words by the flags of a command. Flags of other names take a value.
 *
 * @throws UsageError for a word that was not in UTF-8: money must not go to another name.
 */
export function splitBy(args: readonly string[], rules: FlagRules): CommandWords {
  const damaged = damagedWord(args);
  if (damaged !== undefined) throw new UsageError(`${quoted(damaged)} has a character that is not UTF-8`);
  const isSwitch = (name: string) => Object.hasOwn(rules, name) && rules[name]?.value === undefined;
  return splitWords(args, { isSwitch, letters: { h: 'help', i: 'include' } });
}

/** Reads the flags that have these rules, and leaves the others out. */
export function ownValues<Rules extends FlagRules>({ flags }: CommandWords, rules: Rules): Values<Rules> {
  const values: Record<string, string> = {};
  for (const { name, written, value } of flags.filter((flag) => Object.hasOwn(rules, flag.name))) {
    const takesValue = rules[name]?.value !== undefined;
    if (takesValue && !value) throw new UsageError(`${written} needs a value`);
    if (!takesValue && value !== undefined) throw new UsageError(`${written} takes no value`);
    if (Object.hasOwn(values, name)) throw new UsageError(`${written} is given twice`);
    values[name] = value ?? '';
  }
  return values as Values<Rules>;
}

export function readWords<Rules extends FlagRules>(args: readonly string[], rules: Rules) {
  const words = splitBy(args, rules);
  const unknown = words.flags.find(({ name }) => !Object.hasOwn(rules, name));
  const known = Object.keys(rules).map((name) => `--${name}`);
  if (unknown !== undefined) throw unknownName('there is no flag', unknown.written, known);
  return { plain: words.plain, values: ownValues(words, rules) };
}

export function wholeNumber(flag: string, text: string, least: 0 | 1): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`--${flag} must be a whole number of at least ${least}, not ${quoted(text)}`);
}

/** The part of a help that shows flags. */
export function flagLines(rules: FlagRules): string {
  const shown = ([name, { value }]: [string, FlagRules[string]]) =>
    `--${name}${value === undefined ? '' : ` <${value}>`}`;
  return inColumns(Object.entries(rules).map((rule) => [shown(rule), rule[1].help]));
}
