import { inColumns } from '../../util/columns.js';
import { shellQuoted } from '../../util/shell.js';
import { type FlagRules, flagLines } from '../flags.js';
import type { Member } from './members.js';
import type { CommandOperation } from './operations.js';

/** The flags of `call` itself. They have hyphens, members of the API have underscores. */
export const CALL_FLAGS = {
  body: { value: 'json', help: 'the complete body instead of flags: JSON, @file, or - for standard input' },
  all: { help: 'every item of a list, as JSON lines' },
  include: { help: 'attempts, status and headers on standard error; also -i' },
  curl: { help: 'prints the signed request for curl, and sends nothing' },
  yes: { help: 'does not ask before a write to a host that is not this machine' },
  'idempotency-key': { value: 'uuid', help: 'retries a write without a second effect. Default: a new UUID' },
  'base-url': { value: 'url', help: 'the service; default PARTNER_BASE_URL' },
  timeout: { value: 'ms', help: 'limit of the call, over all attempts; default 30000' },
  help: { help: 'this help; with an operation, its own' },
} as const satisfies FlagRules;

export const CALL_HELP = `Calls one operation of the API, and prints its result as JSON.

Usage: npx partner-sdk call <operation> [values of the path] [flags]

  npx partner-sdk call users.get AUT39D4-G362T-FYVHMD
  npx partner-sdk call accounts.quotes.create AA3ND9X-QN6TC-CYEUVD --from.symbol USD --from.type fiat \\
    --from.amount 100 --to.symbol BTC --to.type crypto

partner-sdk operations [search] lists the operations, call <operation> --help shows the flags of one. Values of the
path follow in the order of the route. Members of query and body are flags, with dots for objects in them; an array
repeats its flag. Amounts are sent as they are written.

${flagLines(CALL_FLAGS)}

PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET come from the environment, never from flags. So does a
one-time password, PARTNER_OTP; without it, a terminal is asked.

Use an API key of its own for the shell. The nonces of one key must rise, so a call with the key of a running
application makes the service refuse requests of that application. A refusal of this call is tried again.

Standard output has the result alone. Standard error has the key of a write and, as one line of JSON, an error with
its outcome, code and advice.

Exit codes: 0 done, 1 not applied, 2 wrong usage or environment, 3 unknown, 4 applied, but the answer was unusable.`;

const IDEMPOTENCY = {
  safe: 'A retry has no second effect.',
  keyed: 'It is sent with an Idempotency-Key, shown first: a retry with --idempotency-key has no second effect.',
  unkeyed: 'It takes no Idempotency-Key: after exit code 3, check whether it was applied before you retry it.',
};

export function helpOf(operation: CommandOperation): string {
  const { name, method, path, args, members, needsOtp, example } = operation;
  const list = operation['x-pagination'];
  const rows = [
    ...args.map((arg) => [arg.name.toUpperCase(), plainText(arg.description)] as const),
    ...Array.from(members, ([flag, member]) => [`--${flag} <${kindOf(member)}>`, textOf(member)] as const),
  ];
  const words = ['npx partner-sdk call', name];
  const values = args.map((arg) => shellQuoted(String(arg.example ?? arg.name.toUpperCase())));
  const parts = [
    `${operation.summary}: ${method} ${path} (${operation['x-stability']})`,
    plainText(operation.description),
    plainText(operation.requestBody?.description),
    [...words, ...args.map((arg) => arg.name.toUpperCase()), ...(members.size > 0 ? ['[flags]'] : [])].join(' '),
    inColumns(rows),
    `Example: ${[...words, ...values, ...flagsOf(example)].join(' ')}`,
    method === 'GET' ? '' : IDEMPOTENCY[operation['x-idempotency']],
    needsOtp ? 'It needs a one-time password: set PARTNER_OTP, or enter it on the terminal.' : '',
    list === undefined ? '' : `--all prints every item, --${list.request} continues from a token.`,
    'Flags of every call: npx partner-sdk call --help',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Descriptions are Markdown. */
const plainText = (text = ''): string => text.replaceAll('`', '');

function kindOf({ types }: Member): string {
  if (types.size === 0) return 'text or json';
  return types.has('boolean') ? 'true|false' : types.has('string') ? 'text' : 'number';
}

/** The rest of the description is for programs. */
function textOf(member: Member): string {
  const [first = '', ...others] = plainText(member.description).split(/(?<=\.) /);
  const facts = [
    member.required ? 'Required.' : '',
    first.replace(', or a Decimal', ''),
    ...others.filter((one) => one.startsWith('Default')),
    member.choices.length > 0 ? `One of ${member.choices.join(', ')}.` : '',
    member.list > 0 ? 'May be repeated.' : '',
  ];
  return facts.filter((fact) => fact !== '').join(' ');
}

/**
 * Returns the flags of an example: each name is followed by its value. Objects in a list of a query
 * have numbers as names.
 */
export function flagsOf(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => flagsOf(item, name));
  if (typeof value !== 'object' || value === null) return [`--${name}`, shellQuoted(String(value))];
  return Object.entries(value).flatMap(([member, inner]) => {
    const names = [name, member].filter((one) => !/^\d*$/.test(one));
    return flagsOf(inner, names.join('.'));
  });
}
