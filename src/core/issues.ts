import type { z } from 'zod';
import type { Issue } from './errors.js';

type ZodIssue = z.core.$ZodIssue;

/** zod's issues as ours. No value of the input is ever in a message. */
export function issuesOf(error: { readonly issues: readonly ZodIssue[] }): Issue[] {
  return error.issues.flatMap((issue) => flatten(issue, []));
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
