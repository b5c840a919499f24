import { excerpt } from '../../core/basics/excerpt.js';
import { Failure } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** Arguments of `ctl`: words in their order, and options by name. */
export interface Words {
  readonly plain: readonly string[];
  /** `true`: given without a value. */
  readonly options: ReadonlyMap<string, string | true>;
}

/** An option takes the next word, unless that is an option, too: `--times 2`, `--deliver`. */
export function readWords(words: readonly string[]): Words {
  let plain: string[] = [];
  const options = new Map<string, string | true>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      plain = plain.concat(words.slice(index + 1));
      break;
    }
    if (word === '-h') options.set('help', true);
    else if (!word.startsWith('--')) plain.push(word);
    else {
      const [, name = '', value] = /^--([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word) ?? [];
      if (name === '') throw wrongWords(`${quoted(word)} is no option`);
      if (options.has(name)) throw wrongWords(`--${excerpt(name)} is given twice`);
      const next = words[index + 1];
      const takesNext = value === undefined && next !== undefined && !next.startsWith('--') && !SWITCHES.includes(name);
      if (takesNext) index++;
      options.set(name, value ?? (takesNext ? next : true));
    }
  }
  return { plain, options };
}

/** Options of `ctl` itself that never take a value. */
const SWITCHES: readonly string[] = ['json', 'help'];

/** Returns the text of an option that needs one. */
export function textOption({ options }: Words, name: string): string | undefined {
  const value = options.get(name);
  if (value === true || value === '') throw wrongWords(`--${name} needs a value`);
  return value;
}

/** Refuses options that a command does not know. */
export function allowOptions({ options }: Words, known: readonly string[]): void {
  const unknown = [...options.keys()].find((name) => !known.includes(name) && !OWN.includes(name));
  if (unknown === undefined) return;
  const list = known.length === 0 ? 'it has none' : `there are ${known.map((name) => `--${name}`).join(', ')}`;
  throw wrongWords(`there is no option "--${excerpt(unknown)}" here: ${list}`);
}

/** The options of every command. */
export const OWN: readonly string[] = ['url', 'ca', 'json', 'help'];

export function wrongWords(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox ctl --help shows what there is`);
}
