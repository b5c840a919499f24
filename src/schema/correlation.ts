import type { Issue } from '../errors.js';
import { ownMember } from '../util/members.js';
import { Decimal } from './decimal.js';
import { decimalOf, MAX_DIGITS } from './parse-decimal.js';

/**
 * A member of a response's `data` that repeats a value of its call. If it differs, then the
 * response most likely belongs to another call.
 */
export interface Correlation {
  /** Path of the member in `data`, for example `['from', 'symbol']`. */
  readonly member: readonly string[];
  /** The path's parameter that it repeats exactly. Default: a member of the body. */
  readonly param?: string;
  /** Path of the body's member that it repeats. Default: that of `member`. */
  readonly body?: readonly string[];
  /**
   * - `text` (default): the same string; a member of the body in any letter case.
   * - `amount`: the same number, rounded in any way to the decimal places of the response.
   */
  readonly as?: 'text' | 'amount';
  /** True if the service does not promise to repeat it: a difference is logged, but no error. */
  readonly isUnpromised?: true;
}

/** A string for each correlation of an operation; undefined where there is none to compare. */
export type Echoes = readonly (string | undefined)[];

/** The echoes of an operation whose responses are not compared with the call. */
const NOTHING: Echoes = [];

/** Returns the strings of a call that its response should repeat. */
export function expectedEchoes(
  correlation: readonly Correlation[] | undefined,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
): Echoes {
  return correlation?.map((one) => expectedEcho(one, params, body)) ?? NOTHING;
}

function expectedEcho(
  { member, param, body: path = member }: Correlation,
  params: Readonly<Record<string, unknown>>,
  body: unknown,
): string | undefined {
  if (param === undefined) return textAt(body, path);
  const text = ownMember(params, param);
  return typeof text === 'string' ? text : undefined;
}

/**
 * Returns the strings of a response that repeat its call.
 *
 * @param body The JSON of the response, unchanged: reading it drops the trailing zeros of amounts.
 * @param ofScalars True if an id that is a number or a boolean counts as its string.
 */
export function echoesOf(correlation: readonly Correlation[] | undefined, body: unknown, ofScalars: boolean): Echoes {
  return (
    correlation?.map(({ member, as }) => textAt(body, ['data', ...member], ofScalars && as !== 'amount')) ?? NOTHING
  );
}

/** The members of a response that differ from its call. */
export interface Differences {
  /** An issue for each member that the service promises to repeat. */
  readonly issues: readonly Issue[];
  /** Paths of the others. */
  readonly unpromised: readonly string[];
}

const NO_DIFFERENCES: Differences = { issues: [], unpromised: [] };

/** Compares a response with its call. */
export function differences(
  correlation: readonly Correlation[] | undefined,
  expected: Echoes,
  given: Echoes,
): Differences {
  const wrong = correlation?.filter((one, index) => !isEcho(one, expected[index], given[index])) ?? [];
  if (wrong.length === 0) return NO_DIFFERENCES;
  const [promised, unpromised] = [wrong.filter((one) => !one.isUnpromised), wrong.filter((one) => one.isUnpromised)];
  return {
    issues: promised.map((one) => ({ path: pathOf(one), message: MISDIRECTED })),
    unpromised: unpromised.map(pathOf),
  };
}

const pathOf = ({ member }: Correlation): string => ['data', ...member].join('.');

/** Without the value: it may be a secret of the other call. */
const MISDIRECTED = 'is not the one that this call asked for: the response belongs to another call';

function isEcho({ param, as }: Correlation, expected: string | undefined, given: string | undefined): boolean {
  if (expected === undefined || given === undefined) return true;
  if (as === 'amount') return isRounded(expected, given);
  return param === undefined ? given.toLowerCase() === expected.toLowerCase() : given === expected;
}

/** Adds and subtracts any two amounts exactly. */
const Exact = Decimal.clone({ precision: 3 * MAX_DIGITS });

/**
 * True if the two amounts differ by less than one unit of the last decimal place of `given`. A
 * `given` that is not an amount was noted when the response was read.
 */
function isRounded(asked: string, given: string): boolean {
  if (asked === given) return true;
  const amount = decimalOf(given);
  if (amount === undefined) return true;
  const difference = new Exact(asked).minus(amount).abs();
  return difference.lt(new Decimal(`1e-${decimalPlaces(given)}`));
}

/** Counts the decimal places of an amount as it is written: 2 of `1.50`, 3 of `15.0e-2`. */
function decimalPlaces(amount: string): number {
  const [, fraction = '', exponent = '0'] = /^[^.eE]*\.?(\d*)(?:[eE](.*))?$/.exec(amount) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/** Returns the string at a path of own members, or that of a scalar. */
function textAt(value: unknown, path: readonly string[], ofScalars = false): string | undefined {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  if (typeof at === 'string') return at;
  return ofScalars && (typeof at === 'number' || typeof at === 'boolean') ? String(at) : undefined;
}
