import { isIP } from 'node:net';
import { MAX_TIMER_MS } from '../../util/options.js';
import { type ApiKeyScope, isScope, SCOPES } from '../core/keys/scopes.js';
import { DEFAULT_LIMIT_ENTRIES, MAX_LIMIT_ENTRIES } from '../core/timeline/limits.js';
import { EXAMPLE_STEPS } from '../kinds/registry/example-steps.js';
import { isHostName } from '../serve/sandbox/host-names.js';
import { isWebhookUrl, WEBHOOK_URL } from '../webhooks/delivery/subscriptions.js';
import { DEFAULT_PORT } from './ctl/connection.js';

const DEFAULT_HOST = '127.0.0.1';

interface ValueFlag {
  /** Name of the value in the help. */
  readonly placeholder: string;
  readonly help: string;
  /** Completes the sentence "--port must be …". */
  readonly rule: string;
  readonly example: string;
  /** Returns undefined if the text breaks the rule. */
  readonly read: (text: string) => unknown;
  readonly default?: string;
  /** True if it may be repeated: `read` gets all texts, joined by commas. */
  readonly repeatable?: true;
}

const value = <One extends ValueFlag>(flag: One) => ({ type: 'string' as const, ...flag });
const toggle = (help: string) => ({ type: 'boolean' as const, default: false, help });
/** A switch that is on by default, so only `--no-…` is shown. */
const switchedOn = (help: string) => ({ type: 'boolean' as const, default: true, help });

const [FIRST_STEP, SECOND_STEP] = EXAMPLE_STEPS;

/** The options of the command, for the command line, the environment, the help and the messages. */
export const FLAGS = {
  port: value({
    placeholder: 'n',
    help: `where to listen; 0 = any free port; by default ${DEFAULT_PORT}, or any free port when that is taken`,
    rule: 'a whole number from 0 to 65535',
    example: String(DEFAULT_PORT),
    read: (text) => wholeNumber(text, 0, 65_535),
  }),
  host: value({
    placeholder: 'address',
    help: `where to listen; by default ${DEFAULT_HOST}, this machine alone`,
    rule: 'a host name or an address, without scheme and port',
    example: DEFAULT_HOST,
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9](?:[\w.-]*\w)?$/.test(text) ? text : undefined),
    default: DEFAULT_HOST,
  }),
  'allow-host': value({
    placeholder: 'name',
    help: 'a further name by which the control plane is reached; may be given several times',
    rule: 'a host name, without scheme and port',
    example: 'sandbox.test',
    read: hostNames,
    repeatable: true,
  }),
  'tls-key': value({
    placeholder: 'file',
    help: 'with --tls-cert: speaks HTTPS, by HTTP/2 and HTTP/1.1, with this private key, in PEM',
    rule: 'the name of a file',
    example: 'key.pem',
    read: fileName,
  }),
  'tls-cert': value({
    placeholder: 'file',
    help: 'the certificate for --tls-key, with its chain, in PEM',
    rule: 'the name of a file',
    example: 'cert.pem',
    read: fileName,
  }),
  seed: value({
    placeholder: 'n',
    help: 'the same seed gives the same data, ids and credentials; by default 1',
    rule: 'a whole number',
    example: '1',
    read: (text) => wholeNumber(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }),
  latency: value({
    placeholder: 'ms',
    help: 'how long each answer is held back: 50, or 20-80 for a different time each',
    rule: `milliseconds from 0 to ${MAX_TIMER_MS}, or two of them from the least to the most`,
    example: '20-80',
    read: latencyRange,
  }),
  chaos: value({
    placeholder: 'share',
    help: 'how many of the requests go wrong, in every way there is',
    rule: 'from 0 to 1',
    example: '0.05',
    read: (text) => (/^(?:\d+|\d*\.\d+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  }),
  otp: value({
    placeholder: 'text',
    help: 'the one-time password that is taken; by default any is',
    rule: '1 to 64 printable ASCII characters, without spaces',
    example: '271828',
    read: (text) => (/^[!-~]{1,64}$/.test(text) ? text : undefined),
  }),
  scopes: value({
    placeholder: 'list',
    help: 'what the API key may do; everything else is answered 403; by default all',
    rule: `one or more of ${SCOPES.join(', ')}, with commas`,
    example: 'read,trade',
    read: scopeList,
  }),
  quota: value({
    placeholder: 'n/ms',
    help: 'requests that each API key may make in so many milliseconds; further ones are answered 429',
    rule: 'two whole numbers above 0: requests/milliseconds',
    example: '100/60000',
    read: requestQuota,
  }),
  'idempotency-keys': value({
    placeholder: 'scope',
    help: 'apiKey: each API key has its own idempotency keys; by default all share those of the partner',
    rule: 'partner or apiKey',
    example: 'apiKey',
    read: (text) => (text === 'partner' || text === 'apiKey' ? text : undefined),
  }),
  'execution-times': value({
    placeholder: 'list',
    help: `how long steps take: ${FIRST_STEP}=60000, and more with commas`,
    rule: `names of steps with milliseconds from 0 to ${MAX_TIMER_MS}`,
    example: `${FIRST_STEP}=60000,${SECOND_STEP}=0`,
    read: executionTimes,
  }),
  state: value({
    placeholder: 'file',
    help: 'goes on from this file when it exists, and saves everything in it each second; a kill may lose the last one',
    rule: 'the name of a file',
    example: 'state.json',
    read: fileName,
  }),
  'journal-limit': value({
    placeholder: 'n',
    help: `how many of the newest requests the journal and the page keep; by default ${DEFAULT_LIMIT_ENTRIES}`,
    rule: `a whole number from 0 to ${MAX_LIMIT_ENTRIES}`,
    example: '50000',
    read: (text) => wholeNumber(text, 0, MAX_LIMIT_ENTRIES),
  }),
  fixtures: value({
    placeholder: 'file',
    help: 'adds the users of this file, with their balances, unless they are there',
    rule: 'the name of a file',
    example: 'users.json',
    read: fileName,
  }),
  webhook: value({
    placeholder: 'url',
    help: 'delivers every event there, signed',
    rule: WEBHOOK_URL,
    example: 'http://127.0.0.1:3000/webhooks',
    read: (text) => (isWebhookUrl(text) ? text : undefined),
  }),
  'webhook-backoff': value({
    placeholder: 'list',
    help: 'waits between the attempts to deliver an event; by default 1000,2000,… up to 128000',
    rule: `milliseconds from 0 to ${MAX_TIMER_MS}, with commas`,
    example: '1000,5000',
    read: waits,
  }),
  still: toggle('the clock stands still until POST /_sandbox/clock/advance moves it; by default it runs'),
  'enforce-user-status': toggle('accounts of a user whose state is not ok are answered 403'),
  'no-webhook': toggle('removes the webhook that --webhook has left in the state'),
  quiet: toggle('no line for what happens, only the first and the last ones'),
  verbose: toggle('also shows method, path and query of each request'),
  json: toggle('every line of the output is a JSON object'),
  explain: switchedOn('a 401 does not say which mistake in signing is the likely one'),
  open: toggle('opens the page in the browser: what happens, and everything that can be done'),
  inspector: switchedOn('does not serve the page at /_sandbox/; programs are served as before'),
  inspect: switchedOn('keeps no bodies, changes and postings for the events and the page'),
  help: { type: 'boolean', default: false, short: 'h', help: 'shows this, as does -h' },
  version: toggle('shows the version'),
} as const;

type Flags = typeof FLAGS;
export type Flag = Flags[keyof Flags];

export const FLAGS_BY_NAME: ReadonlyMap<string, Flag> = new Map(Object.entries(FLAGS));

export const isOnByDefault = (flag: Flag | undefined): boolean => flag?.type === 'boolean' && flag.default;

/**
 * Returns the name of an option in the help: `no-inspect` for `inspect`, which is on by default.
 */
export function shownName(name: string, flag: Flag): string {
  return isOnByDefault(flag) ? `no-${name}` : name;
}

type ValueOf<One> = One extends { read: (text: string) => infer Value }
  ? One extends { default: string }
    ? NonNullable<Value>
    : Value
  : boolean;

/** Minimum and maximum delay in ms. */
type LatencyRange = readonly [least: number, most: number];

/** The options of a run by name. Undefined: not given. */
export type CommandOptions = { readonly [Name in Exclude<keyof Flags, 'help' | 'version'>]: ValueOf<Flags[Name]> };

function wholeNumber(text: string, least: number, most: number): number | undefined {
  if (!/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

function fileName(text: string): string | undefined {
  return text === '' || text.includes('\0') ? undefined : text;
}

function latencyRange(text: string): LatencyRange | undefined {
  const [, least = '', most = least] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text) ?? [];
  if (least === '' || Number(least) > Number(most) || Number(most) > MAX_TIMER_MS) return undefined;
  return [Number(least), Number(most)];
}

function hostNames(text: string): string[] | undefined {
  const names = text.split(',');
  return names.every(isHostName) ? names : undefined;
}

function scopeList(text: string): ApiKeyScope[] | undefined {
  const names = text.split(',');
  return names.every(isScope) ? names : undefined;
}

function requestQuota(text: string): { requests: number; per: number } | undefined {
  const [requests, per, ...more] = text.split('/').map((part) => wholeNumber(part, 1, Number.MAX_SAFE_INTEGER));
  return requests === undefined || per === undefined || more.length > 0 ? undefined : { requests, per };
}

function waits(text: string): number[] | undefined {
  const list = text.split(',').map((part) => wholeNumber(part, 0, MAX_TIMER_MS));
  return list.every((ms) => ms !== undefined) ? list : undefined;
}

/** The sandbox checks the names. */
function executionTimes(text: string): Record<string, number> | undefined {
  const times = text.split(',').map((part) => {
    const [, name = '', ms = ''] = /^([a-z_.]+)=(\d+)$/.exec(part) ?? [];
    return [name, wholeNumber(ms, 0, MAX_TIMER_MS)] as const;
  });
  if (times.some(([, ms]) => ms === undefined)) return undefined;
  return Object.fromEntries(times) as Record<string, number>;
}
