/**
 * In bundles each value is parsed: workers forbid code that is made at run time, and the compiler
 * would be 29 kB of each bundle.
 */
export const passesCompiled = (_schema: unknown, _value: unknown): boolean => false;
