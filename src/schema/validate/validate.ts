import type { Issue } from '../../errors.js';
import { messageOf } from '../messages.js';
import type { LazySchema } from '../operation.js';
import * as z from '../zod.js';
import { passesCompiled } from './compile.js';

type ZodIssue = z.core.$ZodIssue;

/** Lets zod name each broken rule in our words: `z.safeParse(schema, value, IN_OUR_WORDS)`. */
export const IN_OUR_WORDS: { readonly error: z.core.$ZodErrorMap } = { error: messageOf };

/** Returns the rules that a caller's value breaks. No message contains a part of the value. */
export function validate(schema: LazySchema | undefined, value: unknown): readonly Issue[] {
  if (schema === undefined || passesCompiled(schema, value)) return NONE;
  const { error } = z.safeParse(schema(), value, { ...IN_OUR_WORDS, jitless: true });
  return error === undefined ? NONE : issuesOf(error);
}

const NONE: readonly Issue[] = [];

export function issuesOf(error: { readonly issues: readonly ZodIssue[] }): Issue[] {
  return error.issues.filter(isNotFollowUp).flatMap((issue) => flatten(issue, []));
}

/** False for the size of a value whose type is wrong already, or whose size zod has found wrong. */
function isNotFollowUp(issue: ZodIssue, index: number, issues: readonly ZodIssue[]): boolean {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return true;
  const before = issues[index - 1];
  if (before?.path.join('.') !== issue.path.join('.')) return true;
  return before.code !== 'invalid_type' && before.message !== issue.message;
}

function flatten(issue: ZodIssue, prefix: readonly PropertyKey[]): Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return nearest(issue.errors).flatMap((inner) => flatten(inner, path));
  }
  return [{ path: path.map(String).join('.'), message: issue.message }];
}

/** Returns the issues of the variant that was meant: the one whose kind and `type` fit. */
function nearest(variants: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] {
  const meant = variants.find(
    (issues) => issues.length > 0 && !issues.some((one) => one.path.length === 0 || isTag(one)),
  );
  return meant ?? variants.find((issues) => issues.length > 0 && !issues.some(isTag)) ?? variants.at(-1) ?? [];
}

/** True for an issue of the `type` that tells the variants apart. */
const isTag = ({ path, code }: ZodIssue): boolean =>
  path[0] === 'type' && (code === 'invalid_value' || code === 'custom');
