import { isRecord } from '../util/options.js';
import { isThenable } from '../util/platform.js';
import { clipped, printable } from '../util/printable.js';
import type * as z from './zod.js';

type RawIssue = z.core.$ZodRawIssue;

/** Returns the rest of a sentence that begins with the member's name: the rule that it breaks. */
export function messageOf(issue: RawIssue): string {
  const input: unknown = issue.input;
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      if (!isWholeNumber(issue)) return typeMessage(issue.expected, input);
      return typeof input === 'number' ? wholeMessage(issue) : `${wholeMessage(issue)}, not ${kindOf(input)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return isWholeNumber(issue) ? wholeMessage(issue) : sizeMessage(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'must have the right form';
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, MAX_SHOWN_NAMES).map(shownName).join(', ')}`;
    case 'invalid_union':
      return 'has none of the known forms';
    default:
      return 'is wrong';
  }
}

/** A message names no more unknown members than this. */
const MAX_SHOWN_NAMES = 5;
const MAX_NAME_LENGTH = 64;

const shownName = (name: string): string => printable(clipped(name, MAX_NAME_LENGTH));

const FORMATS: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  datetime: 'must be a date and time such as "2026-01-31T12:00:00Z"',
};

/** Our words for the types of zod, of `typeof`, and of places in responses. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  bigint: 'a bigint',
  array: 'a list',
  object: 'an object',
  amount: 'a decimal, as a string',
  never: 'left out',
};

/** The used members of the definitions of zod's schemas and of their checks. */
interface Rule {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
}

/** Returns the rules of a schema: its own, and those of its checks. */
const rulesOf = ({ def }: { readonly def: Rule & { readonly checks?: z.core.$ZodCheck[] } }): readonly Rule[] => [
  def,
  ...(def.checks ?? []).map(({ _zod }) => _zod.def as Rule),
];

const isWholeNumber = ({ schema }: RawIssue): boolean =>
  schema !== undefined &&
  rulesOf(schema._zod).some(({ format }, _index, [own]) => own?.type === 'number' && format?.includes('int'));

function wholeMessage(issue: RawIssue): string {
  const { minimum, maximum } = boundsOf(issue);
  if (minimum === undefined && maximum === undefined) return 'must be a whole number';
  return `must be a whole number ${rangeText(minimum, maximum, 'from ').replace(/^(?!from)/, 'of ')}`;
}

/** @param expected A key of `KINDS`. */
export function typeMessage(expected: string, input: unknown): string {
  const must = `must be ${KINDS[expected] ?? 'of another type'}`;
  if (expected === 'never') return must;
  const advice = expected === 'string' ? adviceOnText(input) : '';
  if (typeof input !== 'number') return `${must}, not ${kindOf(input)}${advice}`;
  if (expected === 'int') return must;
  return Number.isFinite(input) ? `${must}, not a number` : `${must}, not NaN or Infinity`;
}

/** Names the type of a value, for a message that says it should have another. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (isDate(value)) return 'a Date';
  if (typeof value === 'boolean') return 'a boolean';
  if (isThenable(value)) return 'a promise: is an await missing?';
  return KINDS[typeof value] ?? `a ${typeof value}`;
}

function adviceOnText(input: unknown): string {
  if (isDate(input)) return ': use .toISOString()';
  return isRecord(input) && typeof input['id'] === 'string' ? ': pass its id' : '';
}

/** True for a `Date` of any realm. */
const isDate = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Date]';

type SizeIssue = RawIssue & { readonly origin: string; readonly input?: unknown };

function sizeMessage(issue: SizeIssue): string {
  const { minimum, maximum } = boundsOf(issue);
  const unit = UNITS[issue.origin];
  const { length } = Object(issue.input) as { length?: unknown };
  if (unit === undefined) return `must be ${rangeText(minimum, maximum, 'from ')}`;
  const last = maximum ?? minimum;
  const range = `must have ${rangeText(minimum, maximum, '')} ${last === 1 ? unit : `${unit}s`}`;
  return typeof length === 'number' ? `${range}, has ${length}` : range;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

interface Bounds {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** Returns both bounds of the schema: zod's issue has only the broken one. */
function boundsOf(issue: RawIssue): Bounds {
  let { minimum, maximum } = issue as Partial<Bounds>;
  for (const rule of issue.schema === undefined ? [] : rulesOf(issue.schema._zod)) {
    minimum = rule.minimum ?? (rule.check === 'greater_than' ? rule.value : undefined) ?? minimum;
    maximum = rule.maximum ?? (rule.check === 'less_than' ? rule.value : undefined) ?? maximum;
  }
  return { minimum: realBound(minimum), maximum: realBound(maximum) };
}

/** Undefined for the bounds of exact whole numbers, which zod gives to every `int()`. */
function realBound(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

function rangeText(minimum: number | undefined, maximum: number | undefined, from: string): string {
  if (minimum !== undefined && maximum !== undefined) {
    return minimum === maximum ? `exactly ${minimum}` : `${from}${minimum} to ${maximum}`;
  }
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? 'of another size' : `at most ${maximum}`;
}
