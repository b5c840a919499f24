import { z } from 'zod';
import type { Issue } from '../errors.js';
import { clipped, printable } from '../util/printable.js';

type ZodIssue = z.core.$ZodIssue;
type RawIssue = z.core.$ZodRawIssue;

/** Makes zod say every broken rule in our words. Give it to each parse: `schema.safeParse(value, IN_OUR_WORDS)`. */
export const IN_OUR_WORDS: { readonly error: z.core.$ZodErrorMap } = { error: wordsOf };

/** zod's issues as ours. No value of the input is ever in a message. */
export function issuesOf(error: { readonly issues: readonly ZodIssue[] }): Issue[] {
  return error.issues.filter(isNotFollowUp).flatMap((issue) => flatten(issue, []));
}

/** False for a rule about the length of a list that should not be a list at all: zod tells both. */
function isNotFollowUp(issue: ZodIssue, place: number, issues: readonly ZodIssue[]): boolean {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return true;
  const before = issues[place - 1];
  return before?.code !== 'invalid_type' || before.path.join('.') !== issue.path.join('.');
}

function flatten(issue: ZodIssue, prefix: readonly PropertyKey[]): Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return nearest(issue.errors).flatMap((inner) => flatten(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}

/** Of a union's variants the one that was meant: its discriminator fits, so its issues lie elsewhere. */
function nearest(variants: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const meant = variants.find((issues) => issues.length > 0 && !issues.some(({ path }) => path[0] === 'type'));
  return meant ?? variants[variants.length - 1] ?? [];
}

/** What is wrong, as the end of a sentence that begins with the member's name. A message of the schema's own comes before it. */
function wordsOf(issue: RawIssue): string {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return typeWords(isWholeNumber(issue.inst) ? 'int' : issue.expected, issue.input);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => String(value)).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return sizeWords(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'must have the right form';
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, SHOWN_NAMES).map(shownName).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'has none of the known forms';
    default:
      return 'is wrong';
  }
}

/** How many unknown members a message names, and how much of each name, in characters. */
const SHOWN_NAMES = 5;
const SHOWN_NAME_LENGTH = 64;

const shownName = (name: string): string => printable(clipped(name, SHOWN_NAME_LENGTH));

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be a date and time such as "2026-01-31T12:00:00Z"',
};

/** What zod and `typeof` call a type, in our words. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  bigint: 'a bigint',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  never: 'left out',
};

const isWholeNumber = (schema: unknown): boolean => schema instanceof z.ZodNumber && schema.isInt;

/** What a type is called in a message, by the name that `typeof` gives it. */
export const kindNamed = (type: string): string => KINDS[type] ?? 'of another type';

function typeWords(expected: string, input: unknown): string {
  const must = `must be ${kindNamed(expected)}`;
  if (expected === 'never') return must;
  if (typeof input !== 'number') return `${must}, not ${kindOf(input)}`;
  if (expected === 'int') return must;
  return Number.isFinite(input) ? `${must}, not a number` : `${must}, not a number without end or value`;
}

/** What a value is, for a message that says it should be something else. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return 'a boolean';
  return KINDS[typeof value] ?? `a ${typeof value}`;
}

type SizeIssue = RawIssue & { readonly origin: string; readonly input?: unknown };

function sizeWords(issue: SizeIssue): string {
  const { minimum, maximum } = boundsOf(issue);
  const unit = UNITS[issue.origin];
  const { length } = Object(issue.input) as { length?: unknown };
  if (unit === undefined) return `must be ${rangeWords(minimum, maximum, 'from ')}`;
  const last = maximum ?? minimum;
  const range = `must have ${rangeWords(minimum, maximum, '')} ${last === 1 ? unit : `${unit}s`}`;
  return typeof length === 'number' ? `${range}, has ${length}` : range;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

interface Bounds {
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** Both bounds of the schema, also when one of them is broken. */
function boundsOf(issue: SizeIssue): Bounds {
  const { schema } = issue;
  const broken = issue as Partial<Bounds>;
  if (schema instanceof z.ZodString)
    return { minimum: schema.minLength ?? undefined, maximum: schema.maxLength ?? undefined };
  if (!(schema instanceof z.ZodNumber)) return { minimum: broken.minimum, maximum: broken.maximum };
  return { minimum: realBound(schema.minValue), maximum: realBound(schema.maxValue) };
}

/** Every whole number has the bounds of what a double holds exactly; nobody chose them. */
function realBound(bound: number | null): number | undefined {
  return bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined;
}

function rangeWords(minimum: number | undefined, maximum: number | undefined, from: string): string {
  if (minimum !== undefined && maximum !== undefined) {
    return minimum === maximum ? `exactly ${minimum}` : `${from}${minimum} to ${maximum}`;
  }
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? 'of another size' : `at most ${maximum}`;
}
