import { type Issue, MAX_ISSUES } from '../errors.js';
import { type LazySchema, once } from './operation.js';
import { type Notes, tolerantForm } from './tolerant.js';
import { fastForm } from './validate/compile.js';
import { issuesOf as allIssuesOf, IN_OUR_WORDS } from './validate/validate.js';
import * as z from './zod.js';

/**
 * How the client treats a response that differs from its operation's description. `tolerant`
 * accepts missing members, and a string, number or boolean instead of another of these; `strict`
 * rejects both; `warn` rejects only what cannot be handed over.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'warn';

/** The message about a response whose check overflows the stack. */
export const TOO_DEEP = 'is too deep or too large to be checked';

/** The reading of a JSON value by a schema. */
export interface Reading {
  /** The value that may be handed over; absent if there is none. */
  readonly value?: unknown;
  /** What is wrong, at most `MAX_ISSUES`. Only `warn` has a value beside issues. */
  readonly issues: readonly Issue[];
  readonly notes?: Notes;
}

/** Of a longer JSON text only the first issue is looked for: zod creates an object for each. */
const MAX_LISTED_LENGTH = 16_384;

/**
 * A longer JSON text is read in one pass where that is possible, without the compiled form, which
 * needs a second pass for what it rejects: each takes 0.1 s for 300,000 members of an object.
 */
const MAX_TWICE_LENGTH = 1_000_000;

/**
 * Reads a JSON value by its schema, with zod. What passes is done in one compiled pass. The rest is
 * read once more as the mode requires.
 *
 * @param length Characters of the JSON text.
 */
export function readBySchema(schema: LazySchema, value: unknown, mode: ResponseValidation, length: number): Reading {
  if (length > MAX_TWICE_LENGTH) return readOnce(schema, value, mode);
  const isLikelyWrong = length > MAX_LISTED_LENGTH || forms.has(schema);
  const { success, data } = z.safeParse(fastForm(schema), value, isLikelyWrong ? FIRST_ISSUE : undefined);
  if (success) return { value: data, issues: NONE };
  const options = length > MAX_LISTED_LENGTH ? FIRST_ISSUE : IN_OUR_WORDS;
  const { tolerant, warn, notes } = formsOf(schema);
  if (mode === 'tolerant') return tolerated(z.safeParse(fastForm(tolerant), value, options), notes);
  const issues = issuesOf(z.safeParse(schema(), value, options).error);
  return mode === 'strict' ? { issues } : { value: z.safeParse(fastForm(warn), value).data, issues };
}

function readOnce(schema: LazySchema, value: unknown, mode: ResponseValidation): Reading {
  const { tolerant, warn, notes } = formsOf(schema);
  if (mode === 'tolerant') return tolerated(z.safeParse(tolerant(), value, FIRST_ISSUE), notes);
  const { success, data, error } = z.safeParse(schema(), value, FIRST_ISSUE);
  if (success) return { value: data, issues: NONE };
  const issues = issuesOf(error);
  return mode === 'strict' ? { issues } : { value: z.safeParse(warn(), value).data, issues };
}

/**
 * Stops at the first issue. Zod's `validate` also stops at the first issue, but returns no value.
 * Zod copies its options for each value, which costs a quote 3 µs of 40, so what passes is read
 * without any.
 */
const FIRST_ISSUE = { ...IN_OUR_WORDS, abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

const NONE: readonly Issue[] = [];

/** Takes what a tolerant reading has accepted out of the notes of its form. */
function tolerated({ success, data, error }: z.core.util.SafeParseResult<unknown>, form: Notes): Reading {
  const notes = { missing: new Set(form.missing), accepted: new Map(form.accepted) };
  form.missing.clear();
  form.accepted.clear();
  return success ? { value: data, issues: NONE, notes } : { issues: issuesOf(error), notes };
}

/** Returns what zod found wrong, at most `MAX_ISSUES`. */
const issuesOf = (error: z.core.$ZodError | undefined): readonly Issue[] =>
  error === undefined ? [] : allIssuesOf(error).slice(0, MAX_ISSUES);

/** The relaxed forms of a schema. After a use of `tolerant`, `notes` has what it accepted. */
interface Forms {
  readonly tolerant: LazySchema;
  readonly warn: LazySchema;
  readonly notes: Notes;
}

const forms = new WeakMap<LazySchema, Forms>();

function formsOf(schema: LazySchema): Forms {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const notes: Notes = { missing: new Set(), accepted: new Map() };
  const made: Forms = {
    tolerant: once(() => tolerantForm(schema(), notes)),
    warn: once(() => tolerantForm(schema(), undefined)),
    notes,
  };
  forms.set(schema, made);
  return made;
}
