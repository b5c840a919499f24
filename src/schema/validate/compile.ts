import type { LazySchema } from '../operation.js';
import * as z from '../zod.js';

/** The compiled form of each schema that was used twice; undefined after its first use. */
const compiledForms = new WeakMap<LazySchema, z.core.$ZodType | undefined>();

/**
 * Returns the schema in its fastest form. It is compiled at its second use: a program that makes
 * one call does not wait for the compiler. Uncompiled, a page of 150 amounts takes 0.1 ms more
 * (`npm run bench -- --cells page:64`).
 */
export function fastForm<Output, Input>(schema: LazySchema<Output, Input>): z.core.$ZodType<Output, Input> {
  return (compiledFormOf(schema) as z.core.$ZodType<Output, Input> | undefined) ?? schema();
}

/**
 * True for a value that passes the compiled form of the schema. With `z.safeParse` alone a read
 * costs 5 % more CPU, a write 10 % (`npm run bench -- --cells quote:64,write:64`).
 */
export function passesCompiled(schema: LazySchema, value: unknown): boolean {
  const form = compiledFormOf(schema);
  return form !== undefined && z.validate(form, value);
}

function compiledFormOf(schema: LazySchema): z.core.$ZodType | undefined {
  let form = compiledForms.get(schema);
  if (form === undefined) {
    form = compiledForms.has(schema) ? compiled(schema()) : undefined;
    compiledForms.set(schema, form);
  }
  return form;
}

function compiled(schema: z.core.$ZodType): z.core.$ZodType {
  // An application may forbid zod to generate code, for example for a content security policy.
  return z.config().jitless ? schema : z.compile(schema);
}
