import { Buffer } from 'node:buffer';
import { nearestName } from './did-you-mean.js';
import { copyMembers, type Members } from './members.js';

/** The longest delay of a timer, in milliseconds: a longer one would fire at once. */
export const MAX_TIMER = 2_147_483_647;

/** The rule of one option. */
export interface Rule {
  /** Returns what is wrong with a value; undefined when nothing is. No value is ever in the message. */
  readonly wrong: (value: unknown) => string | undefined;
  /** Returns a copy that the caller cannot change, of a value with members of its own. It is what is checked and used. */
  readonly copy: ((value: unknown) => unknown) | undefined;
}

/** The rules of all options of one function, by their names. */
export type Rules = ReadonlyMap<string, Rule>;

/** What is wrong with one option. */
export interface OptionFault {
  readonly name: string;
  readonly message: string;
  /** False for an unknown name whose value is undefined. */
  readonly given: boolean;
}

/** Options as they were read, once: what was given and is known, with what is wrong with the rest. */
interface ReadOptions {
  readonly options: Members;
  readonly faults: readonly OptionFault[];
}

export function rule(valid: (value: unknown) => boolean, message: string, copy?: Rule['copy']): Rule {
  return { wrong: (value) => (valid(value) ? undefined : message), copy };
}

/** Rules by name, from a table that the compiler compares with the options' interface. */
export const rulesOf = (table: Readonly<Record<string, Rule>>): Rules => new Map(Object.entries(table));

/**
 * Reads each option once, its own or inherited from a class, never from `Object.prototype`. One that is undefined counts as not given.
 */
export function readOptions(given: object, rules: Rules): ReadOptions {
  const options = copyMembers(given, rules);
  let faults: OptionFault[] | undefined;
  for (const name of Object.keys(options)) {
    const known = rules.get(name);
    const message = known === undefined ? unknownOption(name, rules) : wrongOption(options, name, known);
    if (message !== undefined) {
      faults ??= [];
      faults.push({ name, message, given: options[name] !== undefined });
    }
  }
  return { options, faults: faults ?? NO_FAULTS };
}

const NO_FAULTS: readonly OptionFault[] = [];

function wrongOption(options: Members, name: string, { wrong, copy }: Rule): string | undefined {
  if (options[name] === undefined) return undefined;
  if (copy !== undefined) options[name] = copy(options[name]);
  return wrong(options[name]);
}

/**
 * Reads and checks options. They are complete: what is not in the result was not given.
 *
 * @param place Stands before each message, for instance `fail`; `''` for none.
 * @throws An error of this class that names the first option which is unknown or wrong.
 */
export function checkOptions<Options extends object>(
  place: string,
  given: unknown,
  rules: Rules,
  ErrorClass: new (message: string) => Error,
): Options {
  const prefix = place === '' ? '' : `${place}: `;
  if (!isRecord(given)) {
    throw new ErrorClass(`${prefix}the options must be an object; known are ${namesOf(rules)}`);
  }
  const { options, faults } = readOptions(given, rules);
  const [fault] = faults;
  if (fault !== undefined) throw new ErrorClass(`${prefix}${fault.name} ${fault.message}`);
  return options as Options;
}

function unknownOption(name: string, rules: Rules): string {
  const meant = nearestName(name, rules.keys());
  return `is no option${meant === undefined ? '; known' : `: did you mean ${meant}? Known`} are ${namesOf(rules)}`;
}

const namesOf = (rules: Rules): string => [...rules.keys()].sort().join(', ');

export function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_TIMER;
}

/** A whole number of at least `least`. */
export function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

export const isFunction = (value: unknown): boolean => typeof value === 'function';

/** An object with members, no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Standard or URL alphabet, padded or not: secrets are copied from many places. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** True for base64 text of at least one byte: an empty key would let anybody sign. */
export function isBase64(text: string): boolean {
  return BASE64.test(text) && Buffer.from(text, 'base64').length > 0;
}
