import { clipped } from '../../../util/printable.js';

/** Longest part of a caller's text that a message repeats, in characters. */
const MAX_EXCERPT_LENGTH = 200;

/** Returns a caller's value as a refusal or a line of the log repeats it: its beginning. */
export function excerpt(value: unknown): string {
  const isPrimitive = (typeof value !== 'object' && typeof value !== 'function') || value === null;
  const text = isPrimitive ? String(value) : (JSON.stringify(value) ?? typeof value);
  return clipped(text, MAX_EXCERPT_LENGTH);
}
