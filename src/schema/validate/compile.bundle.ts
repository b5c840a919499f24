import type * as z from '../zod.js';

/**
 * Returns the schema as it is: workers forbid code that is made at run time, and the compiler would
 * be 29 kB of each bundle.
 */
export const compiled = (schema: z.core.$ZodType): z.core.$ZodType => schema;
