import * as z from 'zod/mini';
import type { Issue } from '../../../errors.js';
import { IN_OUR_WORDS, issuesOf } from '../../../schema/validate/validate.js';
import { isRecord } from '../../../util/options.js';
import { excerpt } from './excerpt.js';

/** Maximum number of broken rules in a result; the rest are left out. */
const MAX_ISSUES = 100;

/** Maximum number of items read of each list, if a value breaks too many rules. */
const MAX_ITEMS = 1_000;

/** Maximum depth that is read then. */
const MAX_DEPTH = 50;

type ReadValue<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

/** Reads a value by its schema. Returns the first 100 broken rules. */
export function readBySchema<T>(schema: z.core.$ZodType<T>, value: unknown, words = IN_OUR_WORDS): ReadValue<T> {
  try {
    return parsed(schema, value, words);
  } catch (error) {
    // zod spreads the issues of a list into arguments, so about 100,000 of them overflow the stack.
    if (!(error instanceof RangeError)) throw error;
    const { issues = [] } = parsed(schema, shortened(value), words);
    return { issues: issues.length > 0 ? issues : [{ path: '', message: 'breaks too many rules to name them' }] };
  }
}

function parsed<T>(schema: z.core.$ZodType<T>, value: unknown, words: typeof IN_OUR_WORDS): ReadValue<T> {
  const result = z.safeParse(schema, value, words);
  if (result.success) return { value: result.data };
  const issues = issuesOf({ issues: result.error.issues.slice(0, MAX_ISSUES).flatMap(meant) });
  return { issues: issues.map(({ path, message }) => ({ path: excerpt(path), message })) };
}

/** Copies a value with only the first items of its lists. */
function shortened(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => shortened(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member, depth + 1)]));
}

type Issues = readonly z.core.$ZodIssue[];

/**
 * Returns the issues of the form that was meant in a union: of the forms that take this type of
 * value, the one with the fewest. In a tie, the union's own message lists the forms.
 */
function meant(issue: z.core.$ZodIssue): Issues {
  if (issue.code !== 'invalid_union') return [issue];
  const forms = issue.errors.filter((issues) => issues.every(isBelow)).sort((a, b) => weight(a) - weight(b));
  const [first, second] = forms;
  const isClear = first !== undefined && (second === undefined || weight(first) < weight(second));
  if (!isClear) return [{ ...issue, errors: [] }];
  return first.flatMap((one) => meant({ ...one, path: [...issue.path, ...one.path] }));
}

/** True if the value itself has the right type. */
const isBelow = ({ code, path }: z.core.$ZodIssue): boolean => path.length > 0 || code === 'unrecognized_keys';

const weight = (issues: Issues): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
