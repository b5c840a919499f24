/** Control and format characters (line breaks, terminal escapes, reversed writing), and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const PLAIN = /^[ -~]*$/;

/**
 * Escapes every character that could begin a line, move a terminal's cursor or turn the writing round: `\u001b`, `\u000a`. JSON stays the
 * same JSON.
 */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(UNPRINTABLE, (found) => found.split('').map(escapeOf).join(''));
}

/** Cuts a printable text to this length, and marks that it was cut. */
export function clipped(text: string, length: number): string {
  if (text.length <= length) return text;
  // A cut must not leave half of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
