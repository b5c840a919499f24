import type * as z from 'zod/mini';

/** Workers forbid code that is made at run time. The compiler would be 29 kB of each bundle. */
export const compiled = (schema: z.core.$ZodType): z.core.$ZodType => schema;
