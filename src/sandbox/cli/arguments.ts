import { inColumns } from '../../util/columns.js';
import { nearestName } from '../../util/did-you-mean.js';
import { readWords } from '../../util/words.js';
import { type CommandOptions, FLAGS_BY_NAME, type Flag } from './flags.js';
import { wrongOption } from './output/failure.js';
import { quoted } from './output/text.js';

/** What to print, or the options of a run. */
type Command = 'help' | 'version' | CommandOptions;

type AllGiven = ReadonlyMap<string, Given>;

/**
 * Reads the command line and the environment. The command line has priority.
 *
 * @throws Failure (2) for the first wrong argument or variable.
 */
export function readArguments(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Command {
  const found = givenIn(words);
  const shown = (['help', 'version'] as const).find((name) => found.has(name));
  if (shown !== undefined) return shown;
  const given = new Map(found);
  for (const [name, one] of givenInEnvironment(environment)) if (!given.has(name)) given.set(name, one);
  exclude('quiet', 'verbose', found, given);
  const options = [...FLAGS_BY_NAME].map(([name, flag]) => [name, readValue(name, flag, given.get(name))]);
  return Object.fromEntries(options) as CommandOptions;
}

function givenIn(args: readonly string[]): AllGiven {
  const isSwitch = (name: string) => FLAGS_BY_NAME.get(name)?.type === 'boolean';
  const { flags, plain } = readWords(args, { isSwitch, letters: { h: 'help' } });
  const given = new Map<string, Given>();
  for (const { name, written: source, value } of flags) {
    const flag = FLAGS_BY_NAME.get(name);
    if (flag === undefined) throw wrongOption(`there is no option ${quoted(source)}${suggestion(name)}`);
    if (flag.type === 'boolean') {
      if (value !== undefined) throw wrongOption(`${source} takes no value`);
      given.set(name, { value: true, source });
      continue;
    }
    const before = given.get(name);
    if (before !== undefined && !('repeatable' in flag)) throw wrongOption(`${source} is given twice`);
    if (value === undefined) throw wrongOption(`${source} needs a value, for example ${source} ${flag.example}`);
    given.set(name, { value: before === undefined ? value : `${before.value},${value}`, source });
  }
  if (plain[0] === undefined) return given;
  throw wrongOption(`there is no argument ${quoted(plain[0])}: the command takes only options`);
}

/** Rejects two options together. One on the command line hides the variable of the other. */
function exclude(one: string, other: string, words: AllGiven, given: Map<string, Given>): void {
  if (!isGiven(one, given) || !isGiven(other, given)) return;
  if (words.has(one) === words.has(other)) {
    throw wrongOption(`${given.get(one)?.source} and ${given.get(other)?.source} cannot be combined`);
  }
  given.delete(words.has(one) ? other : one);
}

const isGiven = (name: string, given: AllGiven): boolean => (given.get(name)?.value ?? false) !== false;

function suggestion(name: string): string {
  const nearest = nearestName(name, [...FLAGS_BY_NAME.keys()]);
  return nearest === undefined ? '' : `: did you mean --${nearest}?`;
}

function readValue(name: string, flag: Flag, given: Given | undefined): unknown {
  if (flag.type === 'boolean') return given?.value ?? false;
  const text = given?.value ?? ('default' in flag ? flag.default : undefined);
  if (text === undefined) return undefined;
  const value = flag.read(String(text));
  if (value !== undefined) return value;
  const { source = name } = given ?? {};
  const example = `for example ${source}${source.startsWith('-') ? ' ' : '='}${flag.example}`;
  throw wrongOption(`${source} must be ${flag.rule} (${example}), not ${quoted(String(text))}`);
}

export function helpText(): string {
  const rows = [...FLAGS_BY_NAME].map(([name, flag]) => {
    const left = flag.type === 'string' ? `${name} <${flag.placeholder}>` : name;
    return [`--${left}`, flag.help] as const;
  });
  return `Runs the Partner API on this machine, for development and tests: stateful, seeded and strict.

Usage: npx partner-sandbox [options]
       npx partner-sandbox ctl METHOD [JSON]   controls a running sandbox; see ctl --help

${inColumns(rows)}

You can also set each option as an environment variable: ${environmentName('port')}=8085, or
${environmentName('still')}=1 for a switch. An option has priority over its variable.

Press Ctrl-C to stop it. Exit codes: 0 stopped by you, or because nobody reads its output any more, 1 failed, 2 wrong
options.`;
}

/** The text of an option or the boolean of a switch, and the name that the user has given. */
export interface Given {
  readonly value: string | boolean;
  readonly source: string;
}

/** Returns the variable for an option: `PARTNER_SANDBOX_ALLOW_HOST`. */
export const environmentName = (option: string): string =>
  `PARTNER_SANDBOX_${option.toUpperCase().replaceAll('-', '_')}`;

const NOT_IN_ENVIRONMENT: readonly string[] = ['help', 'version'];

const SWITCHES: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false };

/**
 * Returns the options from variables, by name. An empty variable is ignored, because a compose file
 * sets it to that if it has no value.
 *
 * @throws Failure (2) for a switch that is neither on nor off.
 */
function givenInEnvironment(environment: NodeJS.ProcessEnv): Map<string, Given> {
  const given = new Map<string, Given>();
  for (const [name, flag] of FLAGS_BY_NAME) {
    if (NOT_IN_ENVIRONMENT.includes(name)) continue;
    const source = environmentName(name);
    const text = textOf(environment[source]);
    if (text === '') continue;
    given.set(name, { value: flag.type === 'boolean' ? switchOf(source, text) : text, source });
  }
  return given;
}

/** Kubernetes sets `PARTNER_SANDBOX_PORT=tcp://…` if a service has the name `partner-sandbox`. */
function textOf(variable: string | undefined): string {
  return variable === undefined || /^(tcp|udp|sctp):\/\//.test(variable) ? '' : variable.trim();
}

function switchOf(source: string, text: string): boolean {
  const isOn = SWITCHES[text.toLowerCase()];
  if (isOn !== undefined) return isOn;
  throw wrongOption(`${source} must be 1 or 0, or true or false, not ${quoted(text)}`);
}
