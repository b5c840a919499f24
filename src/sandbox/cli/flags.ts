import { isIP } from 'node:net';
import { isRecord } from '../../util/options.js';
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

/** What `--set` accepts: the settings, and options of `createSandbox`. */
export const SETTABLE = [
  'quota',
  'executionTimes',
  'otp',
  'scopes',
  'idempotencyKeys',
  'enforceUserStatus',
  'webhookBackoff',
  'journalLimit',
  'explain',
  'inspect',
] as const;

/** The options of the command, for the command line, the environment, the help and the messages. */
export const FLAGS = {
  port: value({
    placeholder: 'n',
    help: `port to listen on; 0 chooses any free port; default ${DEFAULT_PORT}, or any free port if that is in use`,
    rule: 'a whole number from 0 to 65535',
    example: String(DEFAULT_PORT),
    read: (text) => wholeNumber(text, 0, 65_535),
  }),
  host: value({
    placeholder: 'address',
    help: `address to listen on; default ${DEFAULT_HOST}, so only this machine can reach it`,
    rule: 'a host name or an address, without scheme and port',
    example: DEFAULT_HOST,
    read: (text) => (isIP(text) > 0 || /^[A-Za-z0-9](?:[\w.-]*\w)?$/.test(text) ? text : undefined),
    default: DEFAULT_HOST,
  }),
  'allow-host': value({
    placeholder: 'name',
    help: 'allows another host name for the control plane; you may repeat the option',
    rule: 'a host name, without scheme and port',
    example: 'sandbox.test',
    read: hostNames,
    repeatable: true,
  }),
  'tls-key': value({
    placeholder: 'file',
    help: 'with --tls-cert: serves HTTPS, by HTTP/2 and HTTP/1.1, with this private key in PEM',
    rule: 'the name of a file',
    example: 'key.pem',
    read: fileName,
  }),
  'tls-cert': value({
    placeholder: 'file',
    help: 'the certificate for --tls-key with its chain, in PEM',
    rule: 'the name of a file',
    example: 'cert.pem',
    read: fileName,
  }),
  seed: value({
    placeholder: 'n',
    help: 'chooses data, ids and credentials: the same seed produces the same ones; default 1',
    rule: 'a whole number',
    example: '1',
    read: (text) => wholeNumber(text, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  }),
  state: value({
    placeholder: 'file',
    help: 'continues from this file if it exists, and saves everything in it each second; a kill can lose the last second',
    rule: 'the name of a file',
    example: 'state.json',
    read: fileName,
  }),
  fixtures: value({
    placeholder: 'file',
    help: 'adds the users of this file, with their balances, unless they already exist',
    rule: 'the name of a file',
    example: 'users.json',
    read: fileName,
  }),
  webhook: value({
    placeholder: 'url',
    help: 'delivers every event to this URL, signed',
    rule: WEBHOOK_URL,
    example: 'http://127.0.0.1:3000/webhooks',
    read: (text) => (isWebhookUrl(text) ? text : undefined),
  }),
  trouble: value({
    placeholder: 'json',
    help: 'adds something that goes wrong, in the form that troubles.add takes; you may repeat the option',
    rule: 'a JSON object',
    example: `'{"does": "chaos", "probability": 0.05}'`,
    read: objects,
    repeatable: true,
  }),
  set: value({
    placeholder: 'json',
    help: `sets other settings: ${SETTABLE.join(', ')}`,
    rule: 'a JSON object',
    example: `'{"quota": {"requests": 100, "perMs": 60000}}'`,
    read: members,
    repeatable: true,
  }),
  still: toggle('stops the clock until POST /_sandbox/clock/advance moves it; by default it runs'),
  quiet: toggle('prints only the first lines and the last, and nothing for what happens'),
  verbose: toggle('also prints method, path and query of each request'),
  json: toggle('prints one JSON object per line'),
  open: toggle('opens the page in your browser, which shows what happens and lets you control the sandbox'),
  help: { type: 'boolean', default: false, short: 'h', help: 'prints this help, as does -h' },
  version: toggle('prints the version'),
} as const;

type Flags = typeof FLAGS;
export type Flag = Flags[keyof Flags];

export const FLAGS_BY_NAME: ReadonlyMap<string, Flag> = new Map(Object.entries(FLAGS));

type ValueOf<One> = One extends { read: (text: string) => infer Value }
  ? One extends { default: string }
    ? NonNullable<Value>
    : Value
  : boolean;

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

function hostNames(text: string): string[] | undefined {
  const names = text.split(',');
  return names.every(isHostName) ? names : undefined;
}

/** Reads JSON objects with commas between them. The sandbox checks their members. */
function objects(text: string): Record<string, unknown>[] | undefined {
  try {
    const list: unknown[] = JSON.parse(`[${text}]`);
    return list.every(isRecord) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** Reads JSON objects with commas between them as one. */
function members(text: string): Record<string, unknown> | undefined {
  const list = objects(text);
  return list && Object.fromEntries(list.flatMap(Object.entries));
}
