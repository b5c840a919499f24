import { isRecord } from '../../../util/options.js';
import { print } from '../../../util/print.js';
import { printable } from '../../../util/printable.js';
import { spanMs } from '../../../util/spans.js';
import { readWords } from '../../../util/words.js';
import { readDocument } from '../../serve/control/documents.js';
import { troubleOf } from '../../trouble/fail.js';
import type { FaultKind } from '../../trouble/trouble.js';
import { Failure, reasonOf } from '../output/failure.js';
import { givenText, quoted, shellWord } from '../output/text.js';
import { type Address, addressIn, callMethod } from './connection.js';

/** Runs the words behind the name of a command, and returns the text to print. */
type Run = (address: Address, words: readonly string[]) => Promise<string>;

/** Commands with code of their own. Any other command is the name of a method. */
const COMMANDS: ReadonlyMap<string, Run> = new Map([
  ['advance', advance],
  ['fail', addFault],
  ['env', variables],
]);

/**
 * Runs `partner-sandbox ctl`, which drives a running sandbox. Returns when everything is printed.
 *
 * @throws Failure: 2 for a wrong command line, 1 for any other reason.
 */
export async function control(given: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { plain, flags } = readWords(given, { isSwitch: () => true, letters: { h: 'help' } });
  const [name, ...words] = plain;
  if (flags.some((flag) => flag.name === 'help')) return print(helpText());
  if (flags[0] !== undefined) throw usageError(`there is no option ${quoted(flags[0].written)}`);
  if (name === undefined) throw usageError('ctl needs a method or a command');
  const run = COMMANDS.get(name) ?? ((address) => call(address, name, words));
  const text = await run(addressIn(environment), words);
  if (text !== '') await print(text);
}

async function call(address: Address, name: string, [json, ...more]: readonly string[]): Promise<string> {
  if (more.length > 0) throw usageError(`${quoted(name)} takes its arguments as one JSON array`);
  const args = json === undefined ? [] : parsed(json);
  if (!Array.isArray(args)) throw new Failure(1, `the arguments must be a JSON array, not ${quoted(String(json))}`);
  return shown(await callMethod(address, name, args));
}

async function advance(address: Address, [time = '', ...more]: readonly string[]): Promise<string> {
  const ms = /^\d+$/.test(time) ? Number(time) : spanMs(time);
  if (ms === undefined || more.length > 0) throw usageError('advance needs a time, such as 500ms, 30s, 5m, 1h or 1d');
  return shown(await callMethod(address, 'clock.advance', [ms]));
}

async function addFault(address: Address, words: readonly string[]): Promise<string> {
  const [operation, fault, json = '{}', ...more] = words;
  if (fault === undefined || more.length > 0) {
    throw usageError('fail needs an operation and a fault, for example fail quotes.get 503');
  }
  const options = parsed(json);
  if (!isRecord(options)) throw new Failure(1, `the options of a fault must be a JSON object, not ${quoted(json)}`);
  const status = /^\d+$/.test(fault) ? Number(fault) : fault;
  const trouble = troubleOf({ ...options, operation, fault: status as FaultKind });
  return shown(await callMethod(address, 'troubles.add', [trouble]));
}

/** @throws Failure (1) for text that is not JSON, or cannot be read. */
function parsed(word: string): unknown {
  try {
    return JSON.parse(givenText(word));
  } catch (error) {
    throw new Failure(1, error instanceof SyntaxError ? `${quoted(word)} is not JSON` : reasonOf(error));
  }
}

/** A method without a result answers null, of which there is nothing to print. */
function shown(result: unknown): string {
  return result === null ? '' : JSON.stringify(result, null, 2).split('\n').map(printable).join('\n');
}

const FORMS: ReadonlyMap<string, string> = new Map([
  ['sh', 'export '],
  ['dotenv', ''],
]);

async function variables(address: Address, [form = 'sh', ...more]: readonly string[]): Promise<string> {
  const before = FORMS.get(form);
  if (before === undefined || more.length > 0) throw usageError(`env takes ${[...FORMS.keys()].join(' or ')}`);
  const credentials = await callMethod(address, 'credentials', []);
  const { apiKey, apiSecret } = isRecord(credentials) ? credentials : {};
  const found = {
    PARTNER_BASE_URL: address.url,
    PARTNER_API_KEY: apiKey,
    PARTNER_API_SECRET: apiSecret,
    PARTNER_SANDBOX_URL: address.url,
    ...(address.caFile === undefined ? {} : { PARTNER_CA_FILE: address.caFile }),
  };
  const lines = Object.entries(found).map(([name, value]) => `${before}${name}=${shellWord(String(value))}`);
  return lines.join('\n');
}

function usageError(what: string): Failure {
  return new Failure(2, `${what}. partner-sandbox ctl --help shows all commands and methods`);
}

/** Names of all methods and of what is only read, in lines of at most 100 characters. */
function methodNames(): string {
  const { paths } = JSON.parse(readDocument('control.openapi.json'));
  const names = Object.keys(paths).filter((path) => /^[\w/]+$/.test(path) && path !== '/events');
  const words = names.map((path) => path.slice(1).replaceAll('/', '.')).join('  ');
  return words.replace(/(.{1,96})(?: {2}|$)/g, '  $1\n');
}

function helpText(): string {
  return `Controls a running partner-sandbox, at PARTNER_SANDBOX_URL or on this machine at the default port.

Usage: npx partner-sandbox ctl METHOD [JSON]                  calls a method: ctl prices.set '["BTC", "60000"]'
       npx partner-sandbox ctl advance TIME                   moves the clock forward: ctl advance 1h
       npx partner-sandbox ctl fail OPERATION FAULT [JSON]    ctl fail quotes.get 503 '{"times": 2}'
       npx partner-sandbox ctl env [sh | dotenv]              prints the address and the credentials

JSON is the array of the arguments, or the object of a fault's options. Use - to read it from standard input, and @file
to read it from a file. The result is printed as JSON. Write times as 500ms, 30s, 5m, 1h or 1d. These are the methods,
and the members that you can only read:

${methodNames()}
For HTTPS, PARTNER_CA_FILE names the file of the certificate authority to trust.

Exit codes: 0 done, 1 the sandbox rejected the call or cannot be reached, 2 wrong usage.`;
}
