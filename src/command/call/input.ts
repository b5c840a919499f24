import { givenText, quoted } from '../../sandbox/cli/output/text.js';
import { inexactNumbers, keepsDigits } from '../../util/json-text.js';
import type { CommandWords } from '../../util/words.js';
import { CALL_FLAGS } from '../description/help.js';
import type { Member } from '../description/members.js';
import type { CommandOperation } from '../description/operations.js';
import { UsageError, unknownName } from '../flags.js';

type Members = Record<string, unknown>;

/** Returns the arguments of the method, without the options. `body` is the value of `--body`. */
export function argumentsOf(operation: CommandOperation, words: CommandWords, body: string | undefined): unknown[] {
  const { name, args, members, requestBody } = operation;
  const values = words.plain.slice(1);
  if (values.length !== args.length) {
    const names = args.map((arg) => arg.name.toUpperCase()).join(' ') || 'no values';
    throw new UsageError(`the path of ${name} takes ${names}: ${values.length} given`);
  }
  const flags = words.flags.filter((flag) => !Object.hasOwn(CALL_FLAGS, flag.name));
  const unknown = flags.find((flag) => !members.has(flag.name));
  if (unknown !== undefined) throw unknownFlag(operation, unknown.written);
  if (body === undefined) {
    const input = inputFrom(operation, flags);
    return members.size === 0 && requestBody === undefined ? values : [...values, input];
  }
  if (requestBody === undefined) throw new UsageError(`${name} takes no body`);
  if (flags[0] !== undefined) throw new UsageError(`${flags[0].written} and --body exclude each other`);
  return [...values, bodyFrom(body)];
}

function unknownFlag({ name, members }: CommandOperation, written: string): UsageError {
  const known = Array.from(members.keys(), (one) => `--${one}`);
  const inner = known.filter((one) => one.startsWith(`${written}.`));
  if (inner.length > 0) return new UsageError(`${written} is an object: give ${inner.join(', ')}`);
  return unknownName(`${name} has no flag`, written, [...known, ...Object.keys(CALL_FLAGS).map((one) => `--${one}`)]);
}

function inputFrom({ name, members }: CommandOperation, flags: CommandWords['flags']): Members {
  const input: Members = {};
  for (const { name: flag, written, value } of flags) {
    if (value === undefined)
      throw new UsageError(`${written} needs a value: if the value begins with --, write ${written}=<value>`);
    const member = members.get(flag);
    if (member === undefined || put(input, member, typedValue(written, member, value))) continue;
    throw new UsageError(`${written} is given twice`);
  }
  const given = new Set(flags.map((flag) => flag.name));
  const missing = [...members].filter(([flag, { required }]) => required && !given.has(flag));
  if (missing.length === 0) return input;
  throw new UsageError(`${name} needs ${missing.map(([flag]) => `--${flag}`).join(', ')}`);
}

/** Puts a value into its place. Returns false if it is taken. */
function put(input: Members, { path, list }: Member, value: unknown): boolean {
  const name = path.at(-1) ?? '';
  let owner = input;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    owner[step] ??= depth + 1 === list ? [{}] : {};
    const items = owner[step] as Members[];
    // In a list of objects, a member that the last one has begins the next.
    if (depth + 1 === list && Object.hasOwn(items.at(-1) ?? {}, name)) items.push({});
    owner = depth + 1 === list ? (items.at(-1) ?? {}) : (owner[step] as Members);
  }
  if (list !== path.length && Object.hasOwn(owner, name)) return false;
  owner[name] = list === path.length ? [...((owner[name] as unknown[] | undefined) ?? []), value] : value;
  return true;
}

/** Returns the value that a word stands for. Strings stay strings: amounts keep their digits. */
function typedValue(flag: string, { types }: Member, word: string): unknown {
  if (types.has('null') && word === 'null') return null;
  if (types.has('string') || (types.size === 0 && !/^[[{]/.test(word))) return word;
  if (types.has('boolean') ? /^(true|false)$/.test(word) : types.size === 0 || isExact(word)) return json(flag, word);
  const wanted = types.has('boolean') ? 'true or false' : 'a number of at most 15 digits';
  throw new UsageError(`${flag} must be ${wanted}, not ${quoted(word)}`);
}

/** True for a number of JSON that a double holds without a loss. */
const isExact = (number: string): boolean => /^-?\d+(?:\.\d+)?(e[+-]?\d{1,2})?$/i.test(number) && keepsDigits(number);

function bodyFrom(given: string): unknown {
  let text: string;
  try {
    text = givenText(given);
  } catch (error) {
    throw new UsageError(`--body: ${Object(error).message}`);
  }
  const body = json('--body', text);
  const [inexact] = inexactNumbers(text).values();
  if (inexact === undefined) return body;
  throw new UsageError(`--body has the number ${quoted(inexact)}, which would lose digits: write it as a string`);
}

function json(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${flag} is not JSON`);
  }
}
