import type { LazySchema } from '../operation.js';
import type * as z from '../zod.js';

/**
 * In bundles each value is parsed by the schema itself: workers forbid code that is made at run
 * time, and the compiler would be 29 kB of each bundle.
 */
export const fastForm = (schema: LazySchema): z.core.$ZodType => schema();

export const passesCompiled = (_schema: unknown, _value: unknown): boolean => false;
