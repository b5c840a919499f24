/** The kinds of values that are neither objects nor lists. `int` is a safe integer. */
export type Scalar = 'string' | 'number' | 'int' | 'boolean';

export const isOfKind = (kind: Scalar, value: unknown): boolean =>
  kind === 'int' ? Number.isSafeInteger(value) : typeof value === kind;

/**
 * Returns the value of a kind that is written exactly like a number or a string: 7 for "7", "7" for
 * 7, true for "true". Undefined if there is no such value, or if a digit could be lost, as with
 * "1.50" or 2 ** 60.
 */
export function exactly(kind: Scalar, value: unknown): unknown {
  if (kind === 'string') return Number.isSafeInteger(value) ? `${value}` : undefined;
  if (typeof value !== 'string') return undefined;
  const read = kind === 'boolean' ? value === 'true' : Number(value);
  return `${read}` === value && isOfKind(kind === 'number' ? 'int' : kind, read) ? read : undefined;
}
