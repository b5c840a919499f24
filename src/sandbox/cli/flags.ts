import { isIP } from 'node:net';
import { MAX_TIMER_MS } from '../../util/options.js';
import { isWebhookUrl, WEBHOOK_URL } from '../webhooks/subscriptions.js';

/** An option of the command line that has a value. */
interface Flag<Value> {
  /** What stands for the value in the help. */
  readonly placeholder: string;
  readonly help: string;
  /** What a value must be: ends the sentence "--port must be". */
  readonly rule: string;
  readonly example: string;
  /** `undefined` when the text breaks the rule. */
  readonly read: (text: string) => Value | undefined;
}

/** The port that is tried first when none is asked for. */
export const DEFAULT_PORT = 8420;

export const DEFAULT_HOST = '127.0.0.1';

/** Least and most, in milliseconds. */
export type LatencyRange = readonly [least: number, most: number];

export const VALUE_FLAGS = {
  port: flag<number>({
    placeholder: 'n',
    help: `where to listen; 0 = any free port; by default ${DEFAULT_PORT}, or any free port when that is taken`,
    rule: 'a whole number from 0 to 65535',
    example: String(DEFAULT_PORT),
    read: (text) => wholeNumber(text, 0, 65_535),
  }),
  host: flag<string>({
    placeholder: 'address',
    help: `where to listen; by default ${DEFAULT_HOST}, this machine alone`,
    rule: 'a host name or an address, without scheme and port',
    example: DEFAULT_HOST,
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9](?:[\w.-]*\w)?$/.test(text) ? text : undefined),
  }),
  seed: flag<number>({
    placeholder: 'n',
    help: 'the same seed gives the same data, ids and credentials; by default 1',
    rule: 'a whole number',
    example: '1',
    read: (text) => wholeNumber(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }),
  latency: flag<LatencyRange>({
    placeholder: 'ms',
    help: 'how long each answer is held back: 50, or 20-80 for a different time each',
    rule: `milliseconds from 0 to ${MAX_TIMER_MS}, or two of them from the least to the most`,
    example: '20-80',
    read: readLatency,
  }),
  chaos: flag<number>({
    placeholder: 'share',
    help: 'how many of the requests go wrong, in every way there is',
    rule: 'from 0 to 1',
    example: '0.05',
    read: (text) => (/^(?:\d+|\d*\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  }),
  otp: flag<string>({
    placeholder: 'text',
    help: 'the one-time password that is taken; by default any is',
    rule: '1 to 64 printable ASCII characters, without spaces',
    example: '271828',
    read: (text) => (/^[!-~]{1,64}$/.test(text) ? text : undefined),
  }),
  state: flag<string>({
    placeholder: 'file',
    help: 'goes on from this file when it exists, and saves everything in it',
    rule: 'the name of a file',
    example: 'state.json',
    read: (text) => (text === '' || text.includes('\0') ? undefined : text),
  }),
  webhook: flag<string>({
    placeholder: 'url',
    help: 'delivers every event there, signed',
    rule: WEBHOOK_URL,
    example: 'http://127.0.0.1:3000/webhooks',
    read: (text) => (isWebhookUrl(text) ? text : undefined),
  }),
} as const;

export const SWITCHES = {
  still: 'the clock stands still until POST /_sandbox/advance moves it; by default it runs',
  'enforce-user-status': 'accounts of a user whose state is not ok are answered 403',
  'no-webhook': 'removes the webhook that --webhook has left in the state',
  quiet: 'no line for what happens, only the first and the last ones',
  verbose: 'also shows method, path and query of each request',
  json: 'every line of the output is a JSON object',
  help: 'shows this, as does -h',
  version: 'shows the version',
} as const;

export type ValueFlagName = keyof typeof VALUE_FLAGS;
export type SwitchName = keyof typeof SWITCHES;

export const isValueFlag = (name: string): name is ValueFlagName => Object.hasOwn(VALUE_FLAGS, name);
export const isSwitch = (name: string): name is SwitchName => Object.hasOwn(SWITCHES, name);

/** The text of `--help`. */
export function helpText(): string {
  const rows: [string, string][] = [
    ...Object.entries(VALUE_FLAGS).map(([name, { placeholder, help }]): [string, string] => [
      `--${name} <${placeholder}>`,
      help,
    ]),
    ...Object.entries(SWITCHES).map(([name, help]): [string, string] => [`--${name}`, help]),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    'The Partner API on this machine: stateful, seeded, strict. For development and tests.',
    '',
    'Usage: npx partner-sandbox [options]',
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    'Ctrl-C ends it. Exit codes: 0 ended when asked to, or when nobody reads its output any more, 1 failed, 2 wrong options.',
  ].join('\n');
}

function flag<Value>(one: Flag<Value>): Flag<Value> {
  return one;
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

function readLatency(text: string): LatencyRange | undefined {
  const [, least = '', most = least] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  if (least === '' || Number(least) > Number(most) || Number(most) > MAX_TIMER_MS) return undefined;
  return [Number(least), Number(most)];
}
