import type { LazySchema } from '../operation.js';
import * as z from '../zod.js';

/** The compiled form of each schema that was used twice; undefined after its first use. */
const compiledForms = new WeakMap<LazySchema, z.core.$ZodType | undefined>();

/**
 * True for a value that passes the compiled form of the schema. With `z.safeParse` alone a read
 * costs 5 % more CPU, a write 10 % (`npm run bench -- --cells quote:64,write:64`). A schema is
 * compiled at its second use: a program that makes one call does not wait for the compiler.
 */
export function passesCompiled(schema: LazySchema, value: unknown): boolean {
  const check = compiledForms.get(schema) ?? compiledAtSecondUse(schema);
  return check !== undefined && z.validate(check, value);
}

function compiledAtSecondUse(schema: LazySchema): z.core.$ZodType | undefined {
  const check = compiledForms.has(schema) ? compiled(schema()) : undefined;
  compiledForms.set(schema, check);
  return check;
}

function compiled(schema: z.core.$ZodType): z.core.$ZodType {
  // An application may forbid zod to make code, for example for a content security policy.
  return z.config().jitless ? schema : z.compile(schema);
}
