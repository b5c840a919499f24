import { clipped } from '../../../util/printable.js';

/** Maximum number of characters of a caller's text in a message; the rest is cut. */
const MAX_EXCERPT_LENGTH = 200;

/** Returns the start of a caller's value, as an error or a log line quotes it. */
export function excerpt(value: unknown): string {
  const isPrimitive = (typeof value !== 'object' && typeof value !== 'function') || value === null;
  const text = isPrimitive ? String(value) : (JSON.stringify(value) ?? typeof value);
  return clipped(text, MAX_EXCERPT_LENGTH);
}
