import { nearestName } from './did-you-mean.js';
import { Bare, copyMembers, isPlain, type Members, ownMember } from './members.js';
import { clipped } from './printable.js';

/** Longest delay of a timer, in ms. Node fires a longer one at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A fault of one option. No value is ever in the message. */
export interface OptionFault {
  /** The option, for example `timeout`, or a member of it, for example `tls.ca`. */
  readonly name: string;
  readonly message: string;
  /** True if no option has this name. */
  readonly isUnknown?: boolean;
}

export interface Rule<Value = never> {
  /** Returns the copy of a value that is used, and adds what is wrong with it to `faults`. */
  readonly read: (value: unknown, name: string, faults: OptionFault[]) => unknown;
  readonly default?: Value;
  /** True if the option must be given: an absent one is read as `undefined`. */
  readonly required?: boolean;
  /** What other SDKs and HTTP clients call the option. */
  readonly elsewhere?: RegExp;
}

/** The rule of each option of an interface, beside its default where that is a fixed value. */
export type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule<Options[Name]> };

export type AnyRules = Readonly<Record<string, Rule<unknown>>>;

/** Options of which those with a default are always there. */
export type WithDefaults<Options, Table> = {
  readonly [Name in keyof Required<Options>]: Name extends keyof Table
    ? Table[Name] extends { readonly default: unknown }
      ? Exclude<Options[Name], undefined>
      : Options[Name]
    : never;
};

type ErrorClass = new (message: string) => Error;

/**
 * Checks the options of a function and fills in their defaults. Returns a copy: each option is read
 * once, and later changes by the caller have no effect.
 *
 * @param place Begins each message, for example `undiciTransport`; `''` for none.
 * @throws An `ErrorClass` that names the first option that is unknown or wrong.
 */
export function checkOptions<Options extends object, Table extends Rules<Options>>(
  place: string,
  given: Options,
  rules: Table,
  ErrorClass: ErrorClass,
): WithDefaults<Options, Table> {
  return withDefaults(checkGiven(place, given, rules, ErrorClass), rules);
}

/** Checks like `checkOptions`, and returns only the options that were given. */
export function checkGiven<Options extends object>(
  place: string,
  given: Options,
  rules: Rules<Options>,
  ErrorClass: ErrorClass,
): Options {
  const prefix = place === '' ? '' : `${place}: `;
  if (!isRecord(given)) {
    throw new ErrorClass(`${prefix}the options must be an object; its members may be ${namesOf(rules)}`);
  }
  const { options, faults } = readOptions(given, rules);
  const [fault] = faults;
  if (fault !== undefined) throw new ErrorClass(`${prefix}${fault.name} ${fault.message}`);
  return options as Options;
}

/** Fills in the defaults of options that have been checked. */
export function withDefaults<Options extends object, Table extends Rules<Options>>(
  given: Options,
  rules: Table,
): WithDefaults<Options, Table> {
  const options = new Bare() as Members;
  for (const [name, known] of Object.entries(rules as AnyRules)) {
    const value = ownMember(given, name as keyof Options);
    options[name] = value === undefined ? ownMember(known, 'default') : value;
  }
  return options as WithDefaults<Options, Table>;
}

/**
 * Reads options and finds all that is wrong with them. Members of the object and of its classes
 * count. An option that is `undefined` is absent; an unknown name is a fault even then.
 */
export function readOptions(
  given: object,
  rules: AnyRules,
): { readonly options: Members; readonly faults: readonly OptionFault[] } {
  const faults: OptionFault[] = [];
  return { options: readMembers(given, rules, '', faults), faults };
}

function readMembers(given: object, rules: AnyRules, prefix: string, faults: OptionFault[]): Members {
  const options = copyMembers(given, { has: (name) => Object.hasOwn(rules, name) });
  for (const name of Object.keys(options)) {
    const known = ownMember(rules, name);
    if (known === undefined) faults.push(unknownOption(name, rules, prefix));
    else if (options[name] !== undefined) options[name] = known.read(options[name], prefix + name, faults);
  }
  for (const name of Object.keys(rules)) {
    const known = options[name] === undefined ? ownMember(rules, name) : undefined;
    if (known?.required === true) known.read(undefined, prefix + name, faults);
  }
  return options;
}

/** Longest unknown name in a message, in characters. */
const MAX_NAME_LENGTH = 200;

function unknownOption(name: string, rules: AnyRules, prefix: string): OptionFault {
  const meant = nameElsewhere(name, rules) ?? nearestName(name, Object.keys(rules));
  const hint = meant === undefined ? '; known' : `: did you mean ${meant}? Known`;
  return {
    name: clipped(prefix + name, MAX_NAME_LENGTH),
    message: `is not an option${hint} are ${namesOf(rules)}`,
    isUnknown: true,
  };
}

const nameElsewhere = (name: string, rules: AnyRules): string | undefined =>
  Object.keys(rules).find((known) => ownMember(rules, known)?.elsewhere?.test(name));

const namesOf = (rules: AnyRules): string => Object.keys(rules).sort().join(', ');

/** Copies an array. Returns any other value itself. */
export function copyList(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

/** A rule that accepts values by a function. With `copy`, the copy is what is checked and used. */
export function rule(
  accepts: (value: unknown) => boolean,
  message: string,
  copy: (value: unknown) => unknown = (value) => value,
): Rule {
  return {
    read: (value, name, faults) => {
      const own = copy(value);
      return checked(accepts(own), message, own, name, faults);
    },
  };
}

function checked<T>(isRight: boolean, message: string, value: T, name: string, faults: OptionFault[]): T {
  if (!isRight) faults.push({ name, message });
  return value;
}

/** An object whose members have rules of their own. */
export function objectOf(rules: AnyRules): Rule {
  return {
    read: (value, name, faults) => {
      if (isRecord(value)) return readMembers(value, rules, `${name}.`, faults);
      faults.push({ name, message: `must be an object; its members may be ${namesOf(rules)}` });
      return value;
    },
  };
}

/** An array of objects, at least one, whose members have these rules. */
export function listOf(rules: AnyRules): Rule {
  const entry = objectOf(rules);
  return {
    read: (value, name, faults) => {
      if (Array.isArray(value) && value.length > 0) {
        return value.map((one, index) => entry.read(one, `${name}[${index}]`, faults));
      }
      faults.push({ name, message: `must be a non-empty array of { ${namesOf(rules)} }` });
      return value;
    },
  };
}

/** One value, or an array of such values, which is what it is read as. */
export function oneOrMore(one: Rule): Rule {
  return {
    read: (value, name, faults) =>
      Array.isArray(value)
        ? value.map((each, index) => one.read(each, `${name}[${index}]`, faults))
        : [one.read(value, name, faults)],
  };
}

/** Returns an object's functions, bound to it. With `known`, other names are faults. */
export function functionsOf(known?: readonly string[]): Rule {
  const isKnown = (name: string) => (known === undefined ? name !== 'constructor' : known.includes(name));
  const names = Object.fromEntries((known ?? []).map((name) => [name, FUNCTION]));
  return {
    read: (value, name, faults) => {
      if (!isRecord(value)) {
        faults.push({ name, message: 'must be an object of functions' });
        return value;
      }
      const functions = copyMembers(value, { has: isKnown });
      for (const [member, run] of Object.entries(functions)) {
        if (isKnown(member) && isFunction(run)) functions[member] = run.bind(value);
        else if (!isPlain(value) && !known?.includes(member)) delete functions[member];
        else if (!isKnown(member)) faults.push(unknownOption(member, names, `${name}.`));
        else if (run !== undefined) faults.push({ name: `${name}.${member}`, message: 'must be a function' });
      }
      return functions;
    },
  };
}

// The rules that follow are literals, not calls of `rule`: bundlers drop unused literals.

/** Accepts all values: for options that are checked together with others, where they are used. */
export const ANYTHING: Rule = { read: (value) => value };

export const BOOLEAN: Rule = {
  read: (value, name, faults) => checked(typeof value === 'boolean', 'must be true or false', value, name, faults),
};

export const FUNCTION: Rule = {
  read: (value, name, faults) => checked(isFunction(value), 'must be a function', value, name, faults),
};

export const MILLISECONDS: Rule = {
  read: (value, name, faults) => {
    const message = `must be milliseconds, from 1 to ${MAX_TIMER_MS}${mistakenTime(value)}`;
    return checked(isMilliseconds(value) && value >= 1, message, value, name, faults);
  },
};

export const MILLISECONDS_OR_0: Rule = {
  read: (value, name, faults) => {
    const message = `must be milliseconds, from 0 to ${MAX_TIMER_MS}${mistakenTime(value)}`;
    return checked(isMilliseconds(value), message, value, name, faults);
  },
};

/** Says what is wrong with a time that was probably meant in seconds, or as a string. */
function mistakenTime(value: unknown): string {
  if (typeof value === 'string') return ', as a number and not a string';
  return typeof value === 'number' && value > 0 && value < 1 ? ': were seconds meant?' : '';
}

export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): Rule {
  const limit = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  return rule((value) => isCount(value, least) && value <= most, `must be a whole number ${limit}`);
}

export function oneOf(...values: readonly string[]): Rule {
  const message = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return rule((value) => values.includes(value as string), message);
}

/** True for a delay that a timer can wait. */
export function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIMER_MS;
}

export function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

export function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

/** True for an object with members that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
