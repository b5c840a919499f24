import * as z from '../zod.js';

/** Returns a form of the schema that checks faster. */
export function compiled(schema: z.core.$ZodType): z.core.$ZodType {
  // An application may forbid zod to make code, for example for a content security policy.
  return z.config().jitless ? schema : z.compile(schema);
}
