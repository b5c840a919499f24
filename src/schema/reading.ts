import { type Issue, MAX_ISSUES } from '../errors.js';
import { type LazySchema, once } from './operation.js';
import { type Notes, tolerantForm } from './tolerant.js';
import { fastForm } from './validate/compile.js';
import { IN_OUR_WORDS, issuesOf } from './validate/validate.js';
import * as z from './zod.js';

/**
 * The treatment of a response that differs from its operation's description. `tolerant` accepts
 * missing members, and strings, numbers and booleans in each other's place; `strict` rejects both;
 * `warn` rejects nothing that can be handed over.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'warn';

/** The message about an answer whose check overflows the stack. */
export const TOO_DEEP = 'is too deep or too large to be checked';

/** The reading of a JSON value by a schema. */
export interface Reading {
  /** The value that may be handed over; absent if there is none. */
  readonly value?: unknown;
  /** What is wrong, at most `MAX_ISSUES`. Only `warn` has a value beside issues. */
  readonly issues: readonly Issue[];
  readonly notes?: Notes;
}

/**
 * Reads a JSON value by its schema, with zod. What passes is done in one compiled pass. The rest is
 * read once more as the mode has it.
 *
 * @param isLong True to look for the first issue only: zod would make an object of each.
 */
export function readBySchema(schema: LazySchema, value: unknown, mode: ResponseValidation, isLong: boolean): Reading {
  const passed = z.safeParse(fastForm(schema), value, FIRST_ISSUE);
  if (passed.success) return { value: passed.data, issues: [] };
  if (mode === 'tolerant') return readTolerantly(schema, value, isLong);
  const { error } = z.safeParse(schema(), value, isLong ? FIRST_ISSUE : IN_OUR_WORDS);
  const issues = error === undefined ? [] : issuesOf(error).slice(0, MAX_ISSUES);
  return mode === 'strict' ? { issues } : { value: z.safeParse(formsOf(schema).warn(), value).data, issues };
}

/** Stops at the first issue. Zod's `validate` reads so, but returns no value. */
const FIRST_ISSUE = { ...IN_OUR_WORDS, abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

function readTolerantly(schema: LazySchema, json: unknown, isLong: boolean): Reading {
  const { tolerant, notes } = formsOf(schema);
  const { success, data, error } = z.safeParse(fastForm(tolerant), json, isLong ? FIRST_ISSUE : IN_OUR_WORDS);
  const found = { missing: new Set(notes.missing), accepted: new Map(notes.accepted) };
  notes.missing.clear();
  notes.accepted.clear();
  return success
    ? { value: data, issues: [], notes: found }
    : { issues: issuesOf(error).slice(0, MAX_ISSUES), notes: found };
}

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
