import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { nearestName } from '../../util/did-you-mean.js';
import { MAX_TIMER_MS } from '../../util/options.js';
import { isWebhookUrl, WEBHOOK_URL } from '../webhooks/subscriptions.js';
import { Failure } from './failure.js';
import { quoted } from './text.js';

/** The port that is tried first if none is asked for. */
export const DEFAULT_PORT = 8420;

const DEFAULT_HOST = '127.0.0.1';

/** An option of the command line that has a value. */
interface ValueFlag<Value> {
  /** The name of the value in the help. */
  readonly placeholder: string;
  readonly help: string;
  /** Ends the sentence "--port must be …". */
  readonly rule: string;
  readonly example: string;
  /** Returns undefined if the text breaks the rule. */
  readonly read: (text: string) => Value | undefined;
}

const VALUE_FLAGS = {
  port: {
    placeholder: 'n',
    help: `where to listen; 0 = any free port; by default ${DEFAULT_PORT}, or any free port when that is taken`,
    rule: 'a whole number from 0 to 65535',
    example: String(DEFAULT_PORT),
    read: (text) => wholeNumber(text, 0, 65_535),
  } satisfies ValueFlag<number>,
  host: {
    placeholder: 'address',
    help: `where to listen; by default ${DEFAULT_HOST}, this machine alone`,
    rule: 'a host name or an address, without scheme and port',
    example: DEFAULT_HOST,
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9](?:[\w.-]*\w)?$/.test(text) ? text : undefined),
  } satisfies ValueFlag<string>,
  seed: {
    placeholder: 'n',
    help: 'the same seed gives the same data, ids and credentials; by default 1',
    rule: 'a whole number',
    example: '1',
    read: (text) => wholeNumber(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  } satisfies ValueFlag<number>,
  latency: {
    placeholder: 'ms',
    help: 'how long each answer is held back: 50, or 20-80 for a different time each',
    rule: `milliseconds from 0 to ${MAX_TIMER_MS}, or two of them from the least to the most`,
    example: '20-80',
    read: latencyRange,
  } satisfies ValueFlag<LatencyRange>,
  chaos: {
    placeholder: 'share',
    help: 'how many of the requests go wrong, in every way there is',
    rule: 'from 0 to 1',
    example: '0.05',
    read: (text) => (/^(?:\d+|\d*\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  } satisfies ValueFlag<number>,
  otp: {
    placeholder: 'text',
    help: 'the one-time password that is taken; by default any is',
    rule: '1 to 64 printable ASCII characters, without spaces',
    example: '271828',
    read: (text) => (/^[!-~]{1,64}$/.test(text) ? text : undefined),
  } satisfies ValueFlag<string>,
  state: {
    placeholder: 'file',
    help: 'goes on from this file when it exists, and saves everything in it',
    rule: 'the name of a file',
    example: 'state.json',
    read: (text) => (text === '' || text.includes('\0') ? undefined : text),
  } satisfies ValueFlag<string>,
  webhook: {
    placeholder: 'url',
    help: 'delivers every event there, signed',
    rule: WEBHOOK_URL,
    example: 'http://127.0.0.1:3000/webhooks',
    read: (text) => (isWebhookUrl(text) ? text : undefined),
  } satisfies ValueFlag<string>,
};

const SWITCHES = {
  still: 'the clock stands still until POST /_sandbox/clock/advance moves it; by default it runs',
  'enforce-user-status': 'accounts of a user whose state is not ok are answered 403',
  'no-webhook': 'removes the webhook that --webhook has left in the state',
  quiet: 'no line for what happens, only the first and the last ones',
  verbose: 'also shows method, path and query of each request',
  json: 'every line of the output is a JSON object',
  help: 'shows this, as does -h',
  version: 'shows the version',
};

type ValueFlagName = keyof typeof VALUE_FLAGS;
type Value<Name extends ValueFlagName> = NonNullable<ReturnType<(typeof VALUE_FLAGS)[Name]['read']>>;

/** The shortest and the longest time, in ms. */
type LatencyRange = readonly [least: number, most: number];

/** The request to show something, or the options of a run. */
export type Command = 'help' | 'version' | CommandOptions;

/** The options of a run. An undefined value was not given. */
export type CommandOptions = ReturnType<typeof optionsOf>;

/** The words of the command line by option; a switch has the value true. */
type Given = ReadonlyMap<string, string | true>;

/**
 * Reads the words after the command's name.
 *
 * @throws Failure (2) for the first wrong one.
 */
export function readArguments(words: readonly string[]): Command {
  const given = readWords(words);
  if (given.has('help')) return 'help';
  if (given.has('version')) return 'version';
  refuseBoth(given, 'webhook', 'no-webhook');
  refuseBoth(given, 'quiet', 'verbose');
  return optionsOf(given);
}

function optionsOf(given: Given) {
  return {
    port: readValue('port', given),
    host: readValue('host', given) ?? DEFAULT_HOST,
    seed: readValue('seed', given),
    latency: readValue('latency', given),
    chaos: readValue('chaos', given),
    otp: readValue('otp', given),
    state: readValue('state', given),
    webhook: readValue('webhook', given),
    noWebhook: given.has('no-webhook'),
    enforceUserStatus: given.has('enforce-user-status'),
    quiet: given.has('quiet'),
    still: given.has('still'),
    verbose: given.has('verbose'),
    json: given.has('json'),
  };
}

/** Not strict: the messages of `parseArgs` are long, and it takes the last of two equal options. */
function readWords(words: readonly string[]): Given {
  const types = (flags: object, type: 'string' | 'boolean') => Object.keys(flags).map((name) => [name, { type }]);
  const { tokens } = parseArgs({
    args: [...words],
    options: {
      ...Object.fromEntries([...types(VALUE_FLAGS, 'string'), ...types(SWITCHES, 'boolean')]),
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') {
      throw wrong(`there is no argument ${quoted(token.value)}: only options are taken`);
    }
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    if (isValueFlag(name)) {
      if (given.has(name)) throw wrong(`${rawName} is given twice`);
      given.set(name, textOf(name, value, inlineValue === true));
    } else if (Object.hasOwn(SWITCHES, name)) {
      if (value !== undefined) throw wrong(`${rawName} takes no value`);
      given.set(name, true);
    } else {
      throw wrong(`there is no option ${quoted(rawName)}${suggestion(name)}`);
    }
  }
  return given;
}

function refuseBoth(given: Given, one: string, other: string): void {
  if (given.has(one) && given.has(other)) throw wrong(`--${one} and --${other} exclude each other`);
}

const isValueFlag = (name: string): name is ValueFlagName => Object.hasOwn(VALUE_FLAGS, name);

function suggestion(name: string): string {
  const nearest = nearestName(name, [...Object.keys(VALUE_FLAGS), ...Object.keys(SWITCHES)]);
  return nearest === undefined ? '' : `: did you mean --${nearest}?`;
}

function textOf(name: ValueFlagName, value: string | undefined, inline: boolean): string {
  // The next option was taken for the value: only a negative number begins with a hyphen.
  const isOption = !inline && value !== undefined && /^-(?!\d)/.test(value);
  if (value === undefined || isOption) {
    throw wrong(`--${name} needs a value, for instance --${name} ${VALUE_FLAGS[name].example}`);
  }
  return value;
}

function readValue<Name extends ValueFlagName>(name: Name, given: Given): Value<Name> | undefined {
  const text = given.get(name);
  if (typeof text !== 'string') return undefined;
  const { read, rule, example } = VALUE_FLAGS[name];
  const value = read(text);
  if (value === undefined) {
    throw wrong(`--${name} must be ${rule} (for instance --${name} ${example}), not ${quoted(text)}`);
  }
  return value as Value<Name>;
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

function latencyRange(text: string): LatencyRange | undefined {
  const [, least = '', most = least] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  if (least === '' || Number(least) > Number(most) || Number(most) > MAX_TIMER_MS) return undefined;
  return [Number(least), Number(most)];
}

function wrong(what: string): Failure {
  return new Failure(2, `${what}${what.endsWith('?') ? '' : '.'} partner-sandbox --help shows all options`);
}

/** Returns the text of `--help`. */
export function helpText(): string {
  const values = Object.entries(VALUE_FLAGS).map(([name, { placeholder, help }]) => [`${name} <${placeholder}>`, help]);
  const rows = [...values, ...Object.entries(SWITCHES)].map(([left = '', help]) => `  --${left.padEnd(19)}  ${help}`);
  return [
    'The Partner API on this machine: stateful, seeded, strict. For development and tests.',
    '',
    'Usage: npx partner-sandbox [options]',
    '',
    ...rows,
    '',
    'Ctrl-C ends it. Exit codes: 0 ended when asked to, or when nobody reads its output any more, 1 failed, 2 wrong options.',
  ].join('\n');
}
