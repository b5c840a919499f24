import { z } from 'zod';
import { IN_OUR_WORDS } from './issues.js';
import type { LazySchema } from './operation.js';

/** The schemas that have been used; compiled, those that have been used again. */
const used = new WeakMap<LazySchema, z.ZodType | undefined>();

/**
 * Reads a value by its schema. From its second use on the schema is compiled into one function, which reads a page in a third of the time;
 * a program that makes a call or two does not wait for that. What does not fit is read again by the schema itself, for its issues; so is
 * everything where code may not be made from text.
 */
export function readBy(schema: LazySchema, value: unknown): z.ZodSafeParseResult<unknown> {
  const compiled = used.get(schema);
  if (compiled !== undefined) return compiled.safeParse(value, IN_OUR_WORDS);
  if (!used.has(schema)) {
    used.set(schema, undefined);
    return schema().safeParse(value, { ...IN_OUR_WORDS, jitless: true });
  }
  // An application may have forbidden zod to make code: where a page reports it, say.
  const made = z.config().jitless ? schema() : z.compile(schema());
  used.set(schema, made);
  return made.safeParse(value, IN_OUR_WORDS);
}
