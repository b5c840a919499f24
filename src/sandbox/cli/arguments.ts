import { parseArgs } from 'node:util';
import { nearestName } from '../../util/did-you-mean.js';
import { Failure } from './failure.js';
import {
  DEFAULT_HOST,
  isSwitch,
  isValueFlag,
  type LatencyRange,
  SWITCHES,
  type SwitchName,
  VALUE_FLAGS,
  type ValueFlagName,
} from './flags.js';
import { quoted } from './text.js';

/** What the command line asks for. */
export interface CommandOptions {
  /** `undefined`: the default port, or any free one. */
  readonly port: number | undefined;
  readonly host: string;
  /** `undefined`: that of the state file, or the default. */
  readonly seed: number | undefined;
  readonly latency: LatencyRange | undefined;
  readonly chaos: number | undefined;
  readonly otp: string | undefined;
  readonly state: string | undefined;
  readonly webhook: string | undefined;
  /** The webhook of an earlier run is removed. */
  readonly noWebhook: boolean;
  readonly enforceUserStatus: boolean;
  readonly quiet: boolean;
  readonly still: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
}

/** What is to be done. */
export type Command = 'help' | 'version' | CommandOptions;

/** Reads the words after the command's name. Throws a `Failure` (2) for the first wrong one. */
export function readArguments(words: readonly string[]): Command {
  const given = readWords(words);
  if (given.switches.has('help')) return 'help';
  if (given.switches.has('version')) return 'version';
  const { values, switches } = given;
  refuseBoth(given, 'webhook', 'no-webhook');
  refuseBoth(given, 'quiet', 'verbose');
  return {
    port: read('port', values),
    host: read('host', values) ?? DEFAULT_HOST,
    seed: read('seed', values),
    latency: read('latency', values),
    chaos: read('chaos', values),
    otp: read('otp', values),
    state: read('state', values),
    webhook: read('webhook', values),
    noWebhook: switches.has('no-webhook'),
    enforceUserStatus: switches.has('enforce-user-status'),
    quiet: switches.has('quiet'),
    still: switches.has('still'),
    verbose: switches.has('verbose'),
    json: switches.has('json'),
  };
}

interface Given {
  readonly values: ReadonlyMap<ValueFlagName, string>;
  readonly switches: ReadonlySet<SwitchName>;
}

/** Not strict: the messages of `parseArgs` are long, and two of the same would silently be one. */
function readWords(words: readonly string[]): Given {
  const { tokens } = parseArgs({
    args: [...words],
    options: {
      ...mapped(VALUE_FLAGS, 'string'),
      ...mapped(SWITCHES, 'boolean'),
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<ValueFlagName, string>();
  const switches = new Set<SwitchName>();
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw wrong(`there is no argument ${quoted(token.value)}: only options are taken`);
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (isValueFlag(name)) {
      if (values.has(name)) throw wrong(`${rawName} is given twice`);
      values.set(name, textOf(name, value, inlineValue === true));
    } else if (isSwitch(name)) {
      if (value !== undefined) throw wrong(`${rawName} takes no value`);
      switches.add(name);
    } else {
      throw wrong(`there is no option ${quoted(rawName)}${meant(name)}`);
    }
  }
  return { values, switches };
}

function refuseBoth({ values, switches }: Given, ...names: readonly [string, string]): void {
  const isGiven = (name: string) => (isValueFlag(name) && values.has(name)) || (isSwitch(name) && switches.has(name));
  if (names.every(isGiven)) throw wrong(`--${names[0]} and --${names[1]} exclude each other`);
}

function meant(name: string): string {
  const nearest = nearestName(name, [...Object.keys(VALUE_FLAGS), ...Object.keys(SWITCHES)]);
  return nearest === undefined ? '' : `: did you mean --${nearest}?`;
}

function textOf(name: ValueFlagName, value: string | undefined, inline: boolean): string {
  // The next option was taken for the value; only a number may begin so.
  const isOption = !inline && value !== undefined && /^-(?!\d)/.test(value);
  if (value === undefined || isOption) {
    throw wrong(`--${name} needs a value, for instance --${name} ${VALUE_FLAGS[name].example}`);
  }
  return value;
}

function read<Name extends ValueFlagName>(
  name: Name,
  values: ReadonlyMap<ValueFlagName, string>,
): ReturnType<(typeof VALUE_FLAGS)[Name]['read']> | undefined {
  const text = values.get(name);
  if (text === undefined) return undefined;
  const { read: readText, rule, example } = VALUE_FLAGS[name];
  const value = readText(text);
  if (value === undefined) {
    throw wrong(`--${name} must be ${rule} (for instance --${name} ${example}), not ${quoted(text)}`);
  }
  return value as ReturnType<(typeof VALUE_FLAGS)[Name]['read']>;
}

function mapped<Type extends 'string' | 'boolean'>(flags: object, type: Type): Record<string, { type: Type }> {
  return Object.fromEntries(Object.keys(flags).map((name) => [name, { type }]));
}

function wrong(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox --help shows all options`);
}
